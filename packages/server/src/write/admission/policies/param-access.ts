/** Refuses a policy or binding whose parameters its author may not read: the policy could reveal them. */

import { fieldForbidden, invalid } from '@listwatch/api';
import { isRecord, type JsonRecord, recordOf, sameJson, textOf } from '@listwatch/api/values';
import type { KubeObject, ObjectReader } from '@listwatch/rules/internal';
import type { UserInfo } from '../../../contract/api-request.ts';
import type { AccessAttributes, Authorizer } from '../../../contract/authorization.ts';
import type { DynamicRequest, RequestHead, ValidatingStep } from '../../../contract/dynamic-admission.ts';
import { ConfigurationProblem, type PolicyParams } from './policy-params.ts';

const MASTERS = 'system:masters';
const GROUP = 'admissionregistration.k8s.io';
const POLICIES = ['mutatingadmissionpolicies', 'validatingadmissionpolicies'];
const BINDINGS = ['mutatingadmissionpolicybindings', 'validatingadmissionpolicybindings'];

/** The parts that the check reads. */
export interface ParamAccessParts {
  readonly authorizer: Pick<Authorizer, 'authorize'>;
  readonly params: Pick<PolicyParams, 'kind'>;
  /** The policies of a kind of bindings. */
  readonly policiesOf: (bindings: string) => ObjectReader;
}

/** A step, not a plugin: plugins for large objects run in the worker, steps in the thread with the caches. */
export class ParamAccess implements ValidatingStep {
  readonly name = 'ParamAccess';
  readonly #parts: ParamAccessParts;

  constructor(parts: ParamAccessParts) {
    this.#parts = parts;
  }

  concerns({ definition: { resource }, operation, subresource }: RequestHead): boolean {
    if (resource.group !== GROUP || subresource !== '' || operation === 'DELETE') return false;
    return POLICIES.includes(resource.plural) || BINDINGS.includes(resource.plural);
  }

  /** Throws the 422. */
  async validate({ definition, user, object, old }: DynamicRequest): Promise<void> {
    if (object === undefined || user.groups.includes(MASTERS)) return;
    const isPolicy = POLICIES.includes(definition.resource.plural);
    const field = isPolicy ? 'paramKind' : 'paramRef';
    const spec = recordOf(object['spec']);
    const before = recordOf(old?.['spec']);
    if (!isRecord(spec[field]) || isSame(spec, before, isPolicy)) return;
    const why = isPolicy
      ? await this.#kindRefusal(user, recordOf(spec[field]))
      : await this.#objectRefusal(user, spec, definition.resource.plural);
    if (why === undefined) return;
    const name = object.metadata.name ?? '';
    throw invalid(definition.reportedKind, name, [fieldForbidden(`spec.${field}`, why)]);
  }

  async #kindRefusal(user: UserInfo, paramKind: JsonRecord): Promise<string | undefined> {
    const asked = { ...this.#resourceOf(paramKind), verb: 'get', namespace: '*', name: '*' };
    if (await this.#may(user, asked)) return undefined;
    const what = `(kind=${textOf(paramKind['kind'])}, apiVersion=${textOf(paramKind['apiVersion'])})`;
    return `user ${userText(user)} must have "get" permission on all objects of the referenced paramKind ${what}`;
  }

  async #objectRefusal(user: UserInfo, spec: JsonRecord, bindings: string): Promise<string | undefined> {
    const policyName = textOf(spec['policyName']);
    const policy: KubeObject | undefined = this.#parts.policiesOf(bindings).get('', policyName);
    const { paramKind } = recordOf(policy?.['spec']);
    const paramRef = recordOf(spec['paramRef']);
    const name = textOf(paramRef['name']);
    const verb = name === '' ? 'list' : 'get';
    const target = isRecord(paramKind) ? this.#resourceOf(paramKind) : EVERYTHING;
    if (await this.#may(user, { ...target, verb, namespace: textOf(paramRef['namespace']), name })) return undefined;
    if (policy === undefined) {
      const least = `to determine minimum required permissions and user ${userText(user)}`;
      return `unable to get policy ${policyName} ${least} does not have "${verb}" permission for all groups, versions and resources`;
    }
    return `user ${userText(user)} does not have "${verb}" permission on the object referenced by paramRef`;
  }

  #resourceOf(paramKind: JsonRecord): Pick<AccessAttributes, 'group' | 'resource' | 'version'> {
    const [version = '', group = ''] = textOf(paramKind['apiVersion']).split('/').toReversed();
    try {
      return { group, version, resource: this.#parts.params.kind(paramKind).resource.plural };
    } catch (error) {
      if (!(error instanceof ConfigurationProblem)) throw error;
      return { group, version, resource: '*' };
    }
  }

  async #may(
    user: UserInfo,
    asked: Pick<AccessAttributes, 'group' | 'name' | 'namespace' | 'resource' | 'verb' | 'version'>,
  ): Promise<boolean> {
    const attributes = { user, ...asked, isResource: true, subresource: '', path: '' };
    return (await this.#parts.authorizer.authorize(attributes)).allowed;
  }
}

const EVERYTHING = { group: '*', version: '*', resource: '*' } as const;

/** Unchanged references are not checked again. */
function isSame(spec: JsonRecord, before: JsonRecord, isPolicy: boolean): boolean {
  if (isPolicy) return sameJson(spec['paramKind'], before['paramKind']);
  return sameJson(spec['paramRef'], before['paramRef']) && spec['policyName'] === before['policyName'];
}

/** A user as Go prints it. */
function userText({ name, uid = '', groups, extra = {} }: UserInfo): string {
  const extras = Object.keys(extra)
    .toSorted()
    .map((key) => `${key}:[${extra[key]?.join(' ') ?? ''}]`);
  return `&{${name} ${uid} [${groups.join(' ')}] map[${extras.join(' ')}]}`;
}
