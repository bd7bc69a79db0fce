/** Objects of any kind. */

import type { ObjectMeta } from '@listwatch/api';

/** An object of any kind, as JSON gives it. Never changed in place by what receives it. */
export interface KubeObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: KubeMetadata;
  readonly [field: string]: unknown;
}

/** The metadata of a {@link KubeObject}; what is not named here is kept as it is. */
export interface KubeMetadata extends Partial<Omit<ObjectMeta, 'managedFields' | 'ownerReferences'>> {
  readonly [field: string]: unknown;
}
