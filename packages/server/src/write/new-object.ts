/** How an object comes to be: what the server sets, what the kind makes of it, and whether it may exist. */

import { invalid } from '@listwatch/api';
import type { VerbContext } from '../contract/verb.ts';
import type { KubeMetadata, KubeObject, ResourceDefinition } from '../kinds/resource-definition.ts';
import { extended } from '../kinds/shapes/json-value.ts';
import { validateMetadata } from './metadata-rules.ts';
import { timestamp } from './timestamp.ts';

/** The object of a client, made ready to be stored. Throws the 422 that lists what is wrong with it. */
export function newObject(
  context: Pick<VerbContext, 'admit' | 'clock' | 'newUid'>,
  definition: ResourceDefinition,
  object: KubeObject,
): KubeObject {
  return admittedObject(context, definition, preparedObject(context, definition, object));
}

/** The first half of it: the object with what the server and its kind add. */
export function preparedObject(
  { clock, newUid }: Pick<VerbContext, 'clock' | 'newUid'>,
  { strategy }: ResourceDefinition,
  object: KubeObject,
): KubeObject {
  const metadata = extended(withoutServerFields(object.metadata), {
    uid: newUid(),
    creationTimestamp: timestamp(clock.now()),
    ...(strategy.raisesGeneration === undefined ? {} : { generation: 1 }),
  });
  return strategy.prepareForCreate({ ...object, metadata });
}

/** The second half: admitted and checked. Commit in the same turn, or another object may get the same address. */
export function admittedObject(
  { admit }: Pick<VerbContext, 'admit'>,
  definition: ResourceDefinition,
  own: KubeObject,
): KubeObject {
  const { strategy, resource } = definition;
  const prepared = admit?.(definition, own) ?? own;
  const errors = [...validateMetadata(definition, prepared.metadata), ...strategy.validate(prepared)];
  if (errors.length > 0) throw invalid(resource, prepared.metadata.name ?? '', errors);
  return prepared;
}

const SERVER_FIELDS = ['deletionTimestamp', 'deletionGracePeriodSeconds', 'selfLink', 'managedFields'] as const;

/** Metadata without what only the server may set. Who manages which field is not tracked, so nobody may claim to. */
function withoutServerFields(metadata: KubeMetadata): KubeMetadata {
  // Hardly anyone sends them, and to leave fields out costs more than to check the rest.
  if (!SERVER_FIELDS.some((name) => name in metadata)) return metadata;
  const kept = Object.entries(metadata).filter(([name]) => !SERVER_FIELDS.some((field) => field === name));
  return Object.fromEntries(kept);
}
