/** Prepares and validates a new object. */

import { type FieldError, invalid } from '@listwatch/api';
import { finishInTurns } from '@listwatch/schema';
import type { ResourceCall, VerbContext } from '../contract/verb.ts';
import { extended } from '../kinds/json/json-value.ts';
import type { KubeMetadata, KubeObject, ResourceDefinition } from '../kinds/resource-definition.ts';
import { type AdmissionSteps, type AdmittedObject, admitObject } from './admitted-object.ts';
import { withRequestor } from './certificate-requestor.ts';
import { isLarge, nextTurn, stepsBySize } from './event-loop-turn.ts';
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
  const now = context.clock.now();
  const sent = object.metadata['managedFields'];
  const placed = withServerFields(context, definition, object);
  const canonical = isLarge(bytes)
    ? await finishInTurns(strategy.canonicalSteps(placed), nextTurn)
    : strategy.canonical(placed);
  if (isLarge(bytes)) await nextTurn();
  const defaulting = stepsBySize(strategy.defaultSteps(canonical, now, isLarge(bytes)), bytes);
  const next = defaulting instanceof Promise ? await defaulting : defaulting;
  if (isLarge(bytes)) await nextTurn();
  const owning = stepsBySize(ownersOf({ old: undefined, next, sent, isLarge: isLarge(bytes) }), bytes);
  const owners = owning instanceof Promise ? await owning : owning;
  if (isLarge(bytes)) await nextTurn();
  const prepared = withRequestor(definition, strategy.prepareForCreate(next, now), request.user);
  if (isLarge(bytes)) await nextTurn();
  return { object: prepared, owners, errors: sent === undefined ? [] : validateManagedFields(owners) };
}

/** The client's object with a uid and a timestamp. */
function withServerFields(
  { clock, newUid }: Pick<VerbContext, 'clock' | 'newUid'>,
  { strategy }: ResourceDefinition,
  object: KubeObject,
): KubeObject {
  const metadata = extended(withoutServerFields(object.metadata), {
    uid: newUid(),
    creationTimestamp: timestamp(clock.now()),
    ...(strategy.raisesGeneration === undefined ? {} : { generation: 1 }),
  });
  return { ...object, metadata };
}

/** The object admitted and validated, with its owners. Throws the 422 with all errors. */
export function admittedNew(
  context: Pick<VerbContext, 'admit' | 'reserve' | 'review'>,
  { definition, warn }: Pick<ResourceCall, 'definition' | 'warn'>,
  { object: prepared, owners, errors: ownerErrors }: PreparedObject,
  how: { readonly bytes: number; readonly dryRun: boolean },
): AdmittedObject | Promise<AdmittedObject> {
  const { strategy } = definition;
  const { judge } = strategy;
  const steps: AdmissionSteps = {
    admit: () => withManagedFields(context.admit?.(definition, prepared) ?? prepared, owners),
    judge: judge && ((object) => judge(object, undefined, '')),
    validate: strategy.validate,
    check: (object, found, verdict) => {
      const errors = [
        ...validateMetadata(definition, object.metadata),
        ...ownerErrors,
        ...found,
        ...(verdict?.errors ?? []),
      ];
      if (errors.length > 0) throw invalid(definition.reportedKind, object.metadata.name ?? '', errors);
    },
    warnings: (object) => strategy.warnings?.(object),
    heed: (verdict) => addWarnings({ warn }, verdict.warnings),
    review: (object, verdict, warnings) => {
      if (verdict !== undefined) addWarnings({ warn }, finalizerWarnings(definition, object.metadata));
      addWarnings({ warn }, warnings);
      context.review?.(definition, object);
    },
  };
  return admitObject(context, definition, steps, how);
}

const SERVER_FIELDS = ['deletionTimestamp', 'deletionGracePeriodSeconds', 'selfLink', 'managedFields'] as const;

/** Metadata without the fields that only the server sets. */
function withoutServerFields(metadata: KubeMetadata): KubeMetadata {
  // Clients rarely send them, and copying metadata costs more than validating it.
  if (!SERVER_FIELDS.some((name) => name in metadata)) return metadata;
  const kept = Object.entries(metadata).filter(([name]) => !SERVER_FIELDS.some((field) => field === name));
  return Object.fromEntries(kept);
}
