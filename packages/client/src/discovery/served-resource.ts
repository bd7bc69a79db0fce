/** A resource as discovery describes it. */

import type { ResourceCoordinates } from '@listwatch/api';

/** A subresource, such as `status` or `scale`. */
export interface ServedSubresource {
  /** As in the path: `scale`. */
  readonly name: string;
  /** The kind of its objects, which may be of another group: a Scale of `autoscaling/v1`. */
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly verbs: readonly string[];
}

/** A resource in one version. It is a `Resource`: requests take it as it is. */
export interface ServedResource extends ResourceCoordinates {
  /** `''` when the server does not say. */
  readonly singular: string;
  readonly shortNames: readonly string[];
  /** Such as `all`. */
  readonly categories: readonly string[];
  readonly verbs: readonly string[];
  readonly subresources: readonly ServedSubresource[];
  /** Is this the version to use when the caller does not name one? */
  readonly isPreferred: boolean;
}
