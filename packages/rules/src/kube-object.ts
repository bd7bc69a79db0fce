/** Objects of any kind. */

import type { ObjectMeta } from '@listwatch/api';

/** An object of any kind, as JSON gives it. Functions never change it in place. */
export interface KubeObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: KubeMetadata;
  readonly [field: string]: unknown;
}

/** The metadata of a {@link KubeObject}. Fields that are not named here are kept. */
export interface KubeMetadata extends Partial<Omit<ObjectMeta, 'managedFields' | 'ownerReferences'>> {
  readonly [field: string]: unknown;
}
