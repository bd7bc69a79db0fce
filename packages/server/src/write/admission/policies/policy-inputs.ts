/** A request as the expressions of policies see it, in each version that a rule has matched in. */

import { type AccessAnswers, type KubeObject, PolicyInput, type PolicyRequest } from '@listwatch/rules/internal';
import type { DynamicRequest } from '../../../contract/dynamic-admission.ts';
import type { ResourceDefinition } from '../../../kinds/resource-definition.ts';
import { admissionRequestJson } from '../dynamic/admission-request-json.ts';
import type { RequestVersions } from '../dynamic/request-versions.ts';

/** Reads a namespace; undefined when there is none. */
export type ReadNamespace = (name: string) => Promise<KubeObject | undefined>;

/** The inputs of one request: each is made once. */
export class PolicyInputs {
  readonly #versions: RequestVersions;
  readonly #namespace: ReadNamespace;
  readonly #access: AccessAnswers;
  readonly #known = new Map<ResourceDefinition, PolicyInput>();

  constructor(versions: RequestVersions, namespace: ReadNamespace, access: AccessAnswers) {
    this.#versions = versions;
    this.#namespace = namespace;
    this.#access = access;
  }

  /** The input for a rule that has matched in the version of `matched`. */
  async of(matched: ResourceDefinition): Promise<PolicyInput> {
    const known = this.#known.get(matched);
    if (known !== undefined) return known;
    const { request } = this.#versions;
    const { object = null, old = null } = await this.#versions.of(matched);
    const input = new PolicyInput({
      object,
      oldObject: old,
      request: admissionRequestJson(request, matched),
      namespace: await this.#namespaceOf(request),
      target: requestTarget(request),
      access: this.#access,
    });
    this.#known.set(matched, input);
    return input;
  }

  /** A Namespace has no namespace but itself, which expressions do not see. */
  async #namespaceOf({ namespace, definition }: DynamicRequest): Promise<KubeObject | null> {
    if (namespace === '' || !definition.resource.namespaced) return null;
    return (await this.#namespace(namespace)) ?? null;
  }
}

/** The resource of `authorizer.requestResource`. */
export function requestTarget({ definition, subresource, namespace, name }: DynamicRequest): PolicyRequest['target'] {
  const { group, plural } = definition.resource;
  return { group, resource: plural, subresource, namespace, name, fieldSelector: '', labelSelector: '' };
}
