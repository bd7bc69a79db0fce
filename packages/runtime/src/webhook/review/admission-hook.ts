/** One webhook, as it is registered. */

import { type ApiObject, apiVersionOf, type Resource } from '@listwatch/api';
import { isRecord } from '@listwatch/api/values';
import type { HookConfig } from '../hook-options.ts';
import type {
  AdmissionOperation,
  HookRequest,
  MutateHandler,
  RequestFacts,
  ValidateHandler,
} from './admission-request.ts';
import type { Draft } from './draft.ts';
import { jsonPatchOf } from './json-patch-of.ts';
import { type CollectedVerdict, collectVerdict } from './verdict.ts';

/** A request before anybody knows the type of its objects. */
export interface UntypedRequest extends RequestFacts {
  readonly operation: AdmissionOperation;
  readonly object: unknown;
  readonly old: unknown;
}

/** What a handler decided. */
export interface HookDecision extends CollectedVerdict {
  /** Empty: the object stays as it is. */
  readonly patch: readonly object[];
}

export interface AdmissionHook {
  readonly type: 'mutate' | 'validate';
  readonly resource: Resource;
  readonly config: HookConfig;
  /** Its name in a configuration, such as `validate.websites.example.com`. */
  readonly name: string;
  /** Where it is served, as controller-runtime has it: `/validate-example-com-v1-website`. */
  readonly path: string;
  /** Calls the handler of the author. Rejects with what it throws. */
  readonly decide: (request: UntypedRequest) => Promise<HookDecision>;
}

type HookIdentity = Pick<AdmissionHook, 'config' | 'resource' | 'type'>;

export function validateHook<T extends ApiObject, O extends AdmissionOperation>(
  resource: Resource<T>,
  config: HookConfig,
  handler: ValidateHandler<T, O>,
): AdmissionHook {
  const decide = async (request: UntypedRequest): Promise<HookDecision> => {
    return { ...collectVerdict(await handler(typed<T, O>(request))), patch: [] };
  };
  return named({ type: 'validate', resource, config }, decide);
}

export function mutateHook<T extends ApiObject, O extends AdmissionOperation>(
  resource: Resource<T>,
  config: HookConfig,
  handler: MutateHandler<T, O>,
): AdmissionHook {
  const decide = async (request: UntypedRequest): Promise<HookDecision> => {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the server sends objects of the kind
    const draft = structuredClone(request.object) as Draft<T>;
    const verdict = collectVerdict(await handler(draft, typed<T, O>(request)));
    return { ...verdict, patch: verdict.denied === undefined ? jsonPatchOf(request.object, draft) : [] };
  };
  return named({ type: 'mutate', resource, config }, decide);
}

function typed<T extends ApiObject, O extends AdmissionOperation>(request: UntypedRequest): HookRequest<T, O> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the server sends objects of the kind
  return request as HookRequest<T, O>;
}

function named(identity: HookIdentity, decide: AdmissionHook['decide']): AdmissionHook {
  return { ...identity, name: nameOf(identity), path: pathOf(identity), decide };
}

/** Kubernetes wants three parts and more, so the core group gets a name. */
function nameOf({ type, resource: { plural, group }, config: { name, subresource } }: HookIdentity): string {
  const own = [type, name, subresource].filter((part) => part !== undefined).join('-');
  return `${own}.${plural}.${group === '' ? 'core' : group}`;
}

function pathOf({ type, resource: { group, version, kind }, config: { name, subresource } }: HookIdentity): string {
  const path = `/${type}-${group.replaceAll('.', '-')}-${version}-${kind.toLowerCase()}`;
  return [path, subresource, name].filter((part) => part !== undefined).join('/');
}

/** Why a request is not one of those that the handler was written for; undefined if it is. */
export function mismatch(
  { config: { operations, rules, subresource }, resource }: AdmissionHook,
  request: {
    readonly operation: AdmissionOperation;
    readonly resource: string;
    readonly subresource: string | undefined;
    readonly object: unknown;
    readonly oldObject: unknown;
  },
): string | undefined {
  if (!operations.includes(request.operation)) return `it handles ${operations.join(', ')}, not ${request.operation}`;
  if (rules === undefined) {
    const own = `${resource.group}/${resource.version}/${resource.plural}`;
    if (request.resource !== own)
      return `it handles ${resource.plural} of ${apiVersionOf(resource)}, not ${request.resource}`;
    if (request.subresource !== subresource)
      return `it handles ${subresource ?? 'no subresource'}, not ${request.subresource ?? 'the object itself'}`;
  }
  if (request.operation !== 'DELETE' && !isRecord(request.object)) return 'the request has no object';
  const hasOld = request.operation === 'DELETE' || request.operation === 'UPDATE';
  if (hasOld && !isRecord(request.oldObject)) return 'the request has no oldObject';
  return undefined;
}
