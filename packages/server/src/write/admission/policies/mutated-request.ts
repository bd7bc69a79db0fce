/** A request whose object policies change one after the other. */

import type { KubeObject } from '@listwatch/rules/internal';
import type { DynamicRequest } from '../../../contract/dynamic-admission.ts';
import type { ResourceDefinition } from '../../../kinds/resource-definition.ts';
import { fromMatched } from '../dynamic/equivalent-request.ts';
import type { MutatedInput, VersionedInput } from './mutation-round.ts';

/** The object of the request, in the version that a policy wants: policies of different versions see each other's changes. */
export class MutatedRequest implements MutatedInput {
  readonly #inputOf: (request: DynamicRequest, matched: ResourceDefinition) => Promise<VersionedInput>;
  readonly #known = new Map<ResourceDefinition, VersionedInput>();
  #request: DynamicRequest;

  constructor(
    request: DynamicRequest,
    inputOf: (request: DynamicRequest, matched: ResourceDefinition) => Promise<VersionedInput>,
  ) {
    this.#request = request;
    this.#inputOf = inputOf;
  }

  /** The object as it is now. */
  get object(): KubeObject | undefined {
    return this.#request.object;
  }

  async of(matched: ResourceDefinition): Promise<VersionedInput> {
    const known = this.#known.get(matched);
    if (known !== undefined) return known;
    const made = await this.#inputOf(this.#request, matched);
    this.#known.set(matched, made);
    return made;
  }

  async change(matched: ResourceDefinition, object: KubeObject): Promise<void> {
    this.#request = { ...this.#request, object: await fromMatched(this.#request, matched, object) };
    this.#known.clear();
  }
}
