/** Prepares and validates a new object. */

import { invalid } from '@listwatch/api';
import { finishInTurns } from '@listwatch/schema';
import type { VerbContext } from '../contract/verb.ts';
import { extended } from '../kinds/json/json-value.ts';
import type { KubeMetadata, KubeObject, ResourceDefinition } from '../kinds/resource-definition.ts';
import { nextTurn } from './event-loop-turn.ts';
import { finalizerWarnings, validateMetadata } from './metadata-rules.ts';
import { timestamp } from './timestamp.ts';

/** The client's object, prepared for storage, with warnings. Throws the 422 with all errors. */
export async function newObject(
  context: Pick<VerbContext, 'admit' | 'clock' | 'newUid' | 'review'>,
  definition: ResourceDefinition,
  object: KubeObject,
): Promise<JudgedObject> {
  const prepared = definition.strategy.prepareForCreate(canonicalNew(context, definition, object));
  return judgedObject(context, definition, prepared);
}

/** An object that may be stored. */
export interface JudgedObject {
  readonly object: KubeObject;
  readonly warnings: readonly string[];
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
): KubeObject {
  const { strategy, resource } = definition;
  const prepared = admit?.(definition, own) ?? own;
  const errors = [...validateMetadata(definition, prepared.metadata), ...strategy.validate(prepared)];
  if (errors.length > 0) throw invalid(resource, prepared.metadata.name ?? '', errors);
  review?.(definition, prepared);
  return prepared;
}

/** The same for every kind, with the rules that a client brought: those take several turns of the event loop. */
export async function judgedObject(
  context: Pick<VerbContext, 'admit' | 'review'>,
  definition: ResourceDefinition,
  own: KubeObject,
): Promise<JudgedObject> {
  const { strategy, resource } = definition;
  if (strategy.judge === undefined) return { object: admittedObject(context, definition, own), warnings: [] };
  const prepared = context.admit?.(definition, own) ?? own;
  const verdict = await finishInTurns(strategy.judge(prepared, undefined, ''), nextTurn);
  const errors = [
    ...validateMetadata(definition, prepared.metadata),
    ...strategy.validate(prepared),
    ...verdict.errors,
  ];
  if (errors.length > 0) throw invalid(resource, prepared.metadata.name ?? '', errors);
  context.review?.(definition, prepared);
  return { object: prepared, warnings: [...finalizerWarnings(definition, prepared.metadata), ...verdict.warnings] };
}

const SERVER_FIELDS = ['deletionTimestamp', 'deletionGracePeriodSeconds', 'selfLink', 'managedFields'] as const;

/** Metadata without the fields that only the server sets. Field managers are not tracked, so `managedFields` is dropped. */
function withoutServerFields(metadata: KubeMetadata): KubeMetadata {
  // Clients rarely send them, and copying metadata costs more than validating it.
  if (!SERVER_FIELDS.some((name) => name in metadata)) return metadata;
  const kept = Object.entries(metadata).filter(([name]) => !SERVER_FIELDS.some((field) => field === name));
  return Object.fromEntries(kept);
}
