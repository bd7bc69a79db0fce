/** How an object comes to be: what the server sets, what the kind makes of it, and whether it may exist. */

import { invalid } from '@listwatch/api';
import type { VerbContext } from '../contract/verb.ts';
import type { KubeMetadata, KubeObject, ResourceDefinition } from '../kinds/resource-definition.ts';
import { extended } from '../kinds/shapes/json-value.ts';
import { validateMetadata } from './metadata-rules.ts';
import { timestamp } from './timestamp.ts';

/** The object of a client, made ready to be stored. Throws the 422 that lists what is wrong with it. */
export function newObject(
  { admit, clock, newUid }: Pick<VerbContext, 'admit' | 'clock' | 'newUid'>,
  definition: ResourceDefinition,
  object: KubeObject,
): KubeObject {
  const { strategy, resource } = definition;
  const metadata = extended(withoutServerFields(object.metadata), {
    uid: newUid(),
    creationTimestamp: timestamp(clock.now()),
    ...(strategy.raisesGeneration === undefined ? {} : { generation: 1 }),
  });
  const own = strategy.prepareForCreate({ ...object, metadata });
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
