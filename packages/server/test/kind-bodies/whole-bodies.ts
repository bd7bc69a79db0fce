/** A whole object of every kind that can be created, with nearly all of its fields. */

import { RICH_CORE_BODIES, RICH_VOLUME_BODIES } from '../rich-bodies/rich-core-bodies.ts';
import { RICH_WORKLOAD_BODIES } from '../rich-bodies/rich-workload-bodies.ts';
import type { OwnedBody } from './owned-body.ts';
import { OWNED_ACCESS_BODIES, OWNED_NETWORKING_BODIES, OWNED_STORAGE_BODIES } from './owned-cluster-bodies.ts';
import { OWNED_CORE_BODIES, OWNED_WORKLOAD_BODIES } from './owned-workload-bodies.ts';

/** The rich ones first: several may be of one kind. */
export const WHOLE_BODIES: readonly OwnedBody[] = [
  ...RICH_CORE_BODIES,
  ...RICH_VOLUME_BODIES,
  ...RICH_WORKLOAD_BODIES,
  ...OWNED_ACCESS_BODIES,
  ...OWNED_NETWORKING_BODIES,
  ...OWNED_STORAGE_BODIES,
  ...OWNED_CORE_BODIES,
  ...OWNED_WORKLOAD_BODIES,
];
