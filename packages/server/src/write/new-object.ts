/** Prepares and validates a new object. */

import { invalid } from '@listwatch/api';
import type { Warn } from '../contract/admitted-write.ts';
import type { VerbContext } from '../contract/verb.ts';
import { extended } from '../kinds/json/json-value.ts';
import type { KubeMetadata, KubeObject, ResourceDefinition } from '../kinds/resource-definition.ts';
import { validateMetadata } from './metadata-rules.ts';
import { timestamp } from './timestamp.ts';
import { addWarnings } from './warning-header.ts';

/** The client's object, prepared for storage. Throws the 422 with all errors. */
export function newObject(
  context: Pick<VerbContext, 'admit' | 'clock' | 'newUid' | 'review'>,
  definition: ResourceDefinition,
  object: KubeObject,
  warn?: Warn,
): KubeObject {
  const prepared = definition.strategy.prepareForCreate(canonicalNew(context, definition, object));
  return admittedObject(context, definition, prepared, warn);
}

/** The client's object with a uid and a timestamp, in canonical form: the first step, before `prepareForCreate`. */
export function canonicalNew(
  { clock, newUid }: Pick<VerbContext, 'clock' | 'newUid'>,
  { strategy }: ResourceDefinition,
  object: KubeObject,
): KubeObject {
  const metadata = extended(withoutServerFields(object.metadata), {
    uid: newUid(),
    creationTimestamp: timestamp(clock.now()),
    ...(strategy.raisesGeneration === undefined ? {} : { generation: 1 }),
  });
  return strategy.canonical({ ...object, metadata });
}

/** The last step: admitted and validated. Commit in the same turn: later another Service may get the same address. */
export function admittedObject(
  { admit, review }: Pick<VerbContext, 'admit' | 'review'>,
  definition: ResourceDefinition,
  own: KubeObject,
  warn?: Warn,
): KubeObject {
  const { strategy, resource } = definition;
  const prepared = admit?.(definition, own) ?? own;
  const errors = [...validateMetadata(definition, prepared.metadata), ...strategy.validate(prepared)];
  if (errors.length > 0) throw invalid(resource, prepared.metadata.name ?? '', errors);
  addWarnings({ warn }, strategy.warnings?.(prepared));
  review?.(definition, prepared);
  return prepared;
}

const SERVER_FIELDS = ['deletionTimestamp', 'deletionGracePeriodSeconds', 'selfLink', 'managedFields'] as const;

/** Metadata without the fields that only the server sets. Field managers are not tracked, so `managedFields` is dropped. */
function withoutServerFields(metadata: KubeMetadata): KubeMetadata {
  // Clients rarely send them, and copying metadata costs more than validating it.
  if (!SERVER_FIELDS.some((name) => name in metadata)) return metadata;
  const kept = Object.entries(metadata).filter(([name]) => !SERVER_FIELDS.some((field) => field === name));
  return Object.fromEntries(kept);
}
