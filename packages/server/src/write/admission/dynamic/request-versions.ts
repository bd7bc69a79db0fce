/** The objects of one request in the versions that rules have matched in: each is converted once. */

import type { DynamicRequest } from '../../../contract/dynamic-admission.ts';
import type { ResourceDefinition } from '../../../kinds/resource-definition.ts';
import { matchedKind, objectsIn } from './equivalent-request.ts';

type Objects = Pick<DynamicRequest, 'object' | 'old'>;

/** The versions of a request. */
export class RequestVersions {
  readonly request: DynamicRequest;
  readonly #known = new Map<ResourceDefinition, Promise<Objects>>();

  constructor(request: DynamicRequest) {
    this.request = request;
  }

  /** Are the objects converted for rules of that version? */
  isConverted(matched: ResourceDefinition): boolean {
    return matchedKind(this.request, matched) !== this.request.kind;
  }

  /** Rejects when the conversion webhook of a custom kind fails. */
  of(matched: ResourceDefinition): Promise<Objects> {
    let found = this.#known.get(matched);
    if (found === undefined) {
      found = objectsIn(this.request, matched);
      this.#known.set(matched, found);
    }
    return found;
  }

  /** Why the objects cannot be converted; undefined when they can. Rejects with the reason of an aborted request. */
  async problem(matched: ResourceDefinition): Promise<string | undefined> {
    try {
      await this.of(matched);
      return undefined;
    } catch (error) {
      this.request.signal().throwIfAborted();
      return error instanceof Error ? error.message : String(error);
    }
  }
}
