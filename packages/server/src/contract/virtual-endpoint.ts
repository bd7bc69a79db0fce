/** Endpoints of virtual resources (reviews, `eviction`, `log`): the server computes the answer and stores no object. */

import type { ResourceDefinition } from '../kinds/resource-definition.ts';
import type { Verb } from './verb.ts';

/** How an endpoint is served. Its verbs are those of discovery. */
export interface VirtualEndpoint {
  /** The resource of the path: a review, or the kind that the subresource belongs to. */
  readonly definition: ResourceDefinition;
  /** Answers a call, whatever its verb. */
  readonly answer: Verb;
  /** Can its answer be a Table? */
  readonly hasTable: boolean;
  /** May the path go on behind the subresource (`proxy`)? Default: no. */
  readonly takesRest?: boolean | undefined;
  /** Does it answer with something else than objects (`exec`), whatever the client accepts? Default: no. */
  readonly connects?: boolean | undefined;
}

/** Finds an endpoint by the resource and the subresource (`''` for none) of a path. */
export type VirtualEndpoints = (
  group: string,
  version: string,
  plural: string,
  subresource: string,
) => VirtualEndpoint | undefined;
