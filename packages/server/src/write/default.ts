/** Fills what the client has left out: the metadata that the server sets or keeps, and the defaults of the kind. */

import { extended, isJsonNumber } from '@listwatch/api/values';
import { type KubeMetadata, type KubeObject, wholeSeconds } from '@listwatch/rules/internal';
import { generatedName } from './body/generated-name.ts';
import { isLarge, nextTurn, stepsBySize } from './event-loop-turn.ts';
import type { Write } from './write.ts';

/** Leaves the object in canonical form with the defaults of its kind. */
export async function fill(write: Write): Promise<undefined> {
  const { asked, bytes, old, store } = write;
  const { strategy } = write.call.definition;
  const isLong = isLarge(bytes);
  if (isLong) await nextTurn();
  const placed = old === undefined ? newObject(write) : { ...asked, metadata: keptMetadata(asked, old) };
  const canonical = isLong ? await stepsBySize(strategy.canonicalSteps(placed), bytes) : strategy.canonical(placed);
  if (isLong) await nextTurn();
  write.prepared = await stepsBySize(strategy.defaultSteps(canonical, store.clock.now(), isLong), bytes);
  if (isLong) await nextTurn();
}

/** The client's object with a name, a uid and a timestamp. */
function newObject({ asked, store, call, plan }: Write): KubeObject {
  const { name = '', generateName = '' } = asked.metadata;
  const isNamed = plan.isCreate !== true || name !== '' || generateName === '';
  const metadata = extended(withoutServerFields(asked.metadata), {
    ...(isNamed ? {} : { name: generatedName(generateName) }),
    uid: store.newUid(),
    creationTimestamp: wholeSeconds(store.clock.now()),
    ...(call.definition.strategy.raisesGeneration === undefined ? {} : { generation: 1 }),
  });
  return { ...asked, metadata };
}

const SERVER_FIELDS = ['deletionTimestamp', 'deletionGracePeriodSeconds', 'selfLink', 'managedFields'] as const;

/** Metadata without the fields that only the server sets. */
function withoutServerFields(metadata: KubeMetadata): KubeMetadata {
  // Clients rarely send them, and copying metadata costs more than validating it.
  if (!SERVER_FIELDS.some((name) => name in metadata)) return metadata;
  const kept = Object.entries(metadata).filter(([name]) => !SERVER_FIELDS.some((field) => field === name));
  return Object.fromEntries(kept);
}

/** The metadata of an update with what a client may not change. */
function keptMetadata({ metadata }: KubeObject, { metadata: old }: KubeObject): KubeMetadata {
  const { generation: _generation, selfLink: _link, managedFields: _managers, ...rest } = metadata;
  return {
    ...rest,
    ...(old.generation === undefined ? {} : { generation: old.generation }),
    ...(rest.uid || old.uid === undefined ? {} : { uid: old.uid }),
    ...(old.creationTimestamp === undefined ? {} : { creationTimestamp: old.creationTimestamp }),
    ...(old.deletionTimestamp === undefined ? {} : { deletionTimestamp: old.deletionTimestamp }),
    ...(old.deletionGracePeriodSeconds === undefined || isJsonNumber(rest.deletionGracePeriodSeconds)
      ? {}
      : { deletionGracePeriodSeconds: old.deletionGracePeriodSeconds }),
  };
}
