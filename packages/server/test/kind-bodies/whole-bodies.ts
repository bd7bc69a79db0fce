/** A whole object of every kind that can be created, with nearly all of its fields. */

import { RICH_ADMISSION_BODIES, RICH_DEFINITION_BODIES } from '../rich-bodies/rich-admission-bodies.ts';
import { RICH_CORE_BODIES, RICH_VOLUME_BODIES } from '../rich-bodies/rich-core-bodies.ts';
import { RICH_DEVICE_BODIES } from '../rich-bodies/rich-device-bodies.ts';
import { RICH_ACCESS_BODIES, RICH_NETWORKING_BODIES, RICH_STORAGE_BODIES } from '../rich-bodies/rich-other-bodies.ts';
import { RICH_SCALING_BODIES } from '../rich-bodies/rich-scaling-bodies.ts';
import { RICH_WORKLOAD_BODIES } from '../rich-bodies/rich-workload-bodies.ts';
import type { OwnedBody } from './owned-body.ts';
import { OWNED_ACCESS_BODIES, OWNED_NETWORKING_BODIES, OWNED_STORAGE_BODIES } from './owned-cluster-bodies.ts';
import { OWNED_CORE_BODIES, OWNED_WORKLOAD_BODIES } from './owned-workload-bodies.ts';

/** With nearly every field; several may be of one kind. */
export const RICH_BODIES: readonly OwnedBody[] = [
  ...RICH_CORE_BODIES,
  ...RICH_VOLUME_BODIES,
  ...RICH_WORKLOAD_BODIES,
  ...RICH_SCALING_BODIES,
  ...RICH_ACCESS_BODIES,
  ...RICH_NETWORKING_BODIES,
  ...RICH_STORAGE_BODIES,
  ...RICH_ADMISSION_BODIES,
  ...RICH_DEFINITION_BODIES,
  ...RICH_DEVICE_BODIES,
];

/** Smaller ones of all kinds. */
const OWNED_BODIES: readonly OwnedBody[] = [
  ...OWNED_ACCESS_BODIES,
  ...OWNED_NETWORKING_BODIES,
  ...OWNED_STORAGE_BODIES,
  ...OWNED_CORE_BODIES,
  ...OWNED_WORKLOAD_BODIES,
];

/** One object of each kind that is small. */
export const SMALL_BODIES: readonly OwnedBody[] = [
  // The event of the core group is about another namespace.
  ...OWNED_BODIES.filter(({ apiVersion, kind }) => apiVersion !== 'v1' || kind !== 'Event'),
  ...RICH_BODIES,
].filter(
  ({ apiVersion, kind }, index, all) =>
    all.findIndex((first) => first.apiVersion === apiVersion && first.kind === kind) === index,
);

/** Each kind has one at least: the rich ones, and for kinds without one a smaller one. */
export const WHOLE_BODIES: readonly OwnedBody[] = [
  ...RICH_BODIES,
  ...OWNED_BODIES.filter(
    ({ apiVersion, kind }) => !RICH_BODIES.some((rich) => rich.apiVersion === apiVersion && rich.kind === kind),
  ),
];
