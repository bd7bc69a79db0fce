/** Prepares and validates a new object. */

import { type FieldError, invalid } from '@listwatch/api';
import { finishInTurns } from '@listwatch/schema';
import type { ResourceCall, VerbContext } from '../contract/verb.ts';
import { extended } from '../kinds/json/json-value.ts';
import type { KubeMetadata, KubeObject, ResourceDefinition } from '../kinds/resource-definition.ts';
import { withRequestor } from './certificate-requestor.ts';
import { isLarge, nextTurn } from './event-loop-turn.ts';
import { type ManagedFields, type OwnersOf, withManagedFields } from './managers/field-owners.ts';
import { validateManagedFields } from './managers/managed-fields-rules.ts';
import { finalizerWarnings, validateMetadata } from './metadata-rules.ts';
import { timestamp } from './timestamp.ts';
import { addWarnings } from './warning-header.ts';

/** A new object before admission, with its owners. */
export interface PreparedObject {
  readonly object: KubeObject;
  readonly owners: ManagedFields;
  /** What is wrong with the owners that a client has sent. */
  readonly errors: readonly FieldError[];
}

/** Prepares the client's object for storage; a large one in several turns of the event loop. */
export async function preparedNew(
  context: Pick<VerbContext, 'clock' | 'newUid'>,
  { definition, request }: Pick<ResourceCall, 'definition' | 'request'>,
  object: KubeObject,
  { owners: ownersOf, bytes }: { readonly owners: OwnersOf; readonly bytes: number },
): Promise<PreparedObject> {
  const { strategy } = definition;
  const sent = object.metadata['managedFields'];
  const canonical = canonicalNew(context, definition, object);
  if (isLarge(bytes)) await nextTurn();
  const next = strategy.defaulted(canonical);
  if (isLarge(bytes)) await nextTurn();
  const owners = ownersOf({ old: undefined, next, sent });
  if (isLarge(bytes)) await nextTurn();
  const prepared = withRequestor(definition, strategy.prepareForCreate(next), request.user);
  if (isLarge(bytes)) await nextTurn();
  return { object: prepared, owners, errors: sent === undefined ? [] : validateManagedFields(owners) };
}

/** The client's object with a uid and a timestamp, in canonical form: the first step, before the defaults. */
function canonicalNew(
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

/**
 * The object admitted and validated, ready to be stored. Throws the 422 with all errors. Commit in the same turn: later another
 * Service may get the same address.
 */
export function admittedNew(
  context: Pick<VerbContext, 'admit' | 'review'>,
  call: Pick<ResourceCall, 'definition' | 'warn'>,
  prepared: PreparedObject,
): KubeObject {
  return acceptedNew(context, call, prepared, context.admit?.(call.definition, prepared.object) ?? prepared.object);
}

/** The same for a kind with rules that a client brought: those take several turns of the event loop. */
export async function judgedNew(
  context: Pick<VerbContext, 'admit' | 'review'>,
  call: Pick<ResourceCall, 'definition' | 'warn'>,
  prepared: PreparedObject,
): Promise<KubeObject> {
  const { definition } = call;
  const { judge } = definition.strategy;
  if (judge === undefined) return admittedNew(context, call, prepared);
  const admitted = context.admit?.(definition, prepared.object) ?? prepared.object;
  const verdict = await finishInTurns(judge(admitted, undefined, ''), nextTurn);
  const object = acceptedNew(context, call, prepared, admitted, verdict.errors);
  addWarnings(call, [...finalizerWarnings(definition, object.metadata), ...verdict.warnings]);
  return object;
}

function acceptedNew(
  { review }: Pick<VerbContext, 'review'>,
  { definition, warn }: Pick<ResourceCall, 'definition' | 'warn'>,
  { owners, errors: ownerErrors }: PreparedObject,
  object: KubeObject,
  judged: readonly FieldError[] = [],
): KubeObject {
  const { strategy, resource } = definition;
  const errors = [
    ...validateMetadata(definition, object.metadata),
    ...ownerErrors,
    ...strategy.validate(object),
    ...judged,
  ];
  if (errors.length > 0) throw invalid(resource, object.metadata.name ?? '', errors);
  addWarnings({ warn }, strategy.warnings?.(object));
  review?.(definition, object);
  return withManagedFields(object, owners);
}

const SERVER_FIELDS = ['deletionTimestamp', 'deletionGracePeriodSeconds', 'selfLink', 'managedFields'] as const;

/** Metadata without the fields that only the server sets. */
function withoutServerFields(metadata: KubeMetadata): KubeMetadata {
  // Clients rarely send them, and copying metadata costs more than validating it.
  if (!SERVER_FIELDS.some((name) => name in metadata)) return metadata;
  const kept = Object.entries(metadata).filter(([name]) => !SERVER_FIELDS.some((field) => field === name));
  return Object.fromEntries(kept);
}
