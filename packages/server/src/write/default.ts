/** Fills what the client has left out: the metadata that the server sets or keeps, and the defaults of the kind. */

import { extended } from '@listwatch/api/values';
import { type KubeObject, keptMetadata, wholeSeconds, withoutServerFields } from '@listwatch/rules/internal';
import { generatedName } from './body/generated-name.ts';
import { isLarge, nextTurn, stepsBySize } from './event-loop-turn.ts';
import type { Write } from './write.ts';

/** Leaves the object in canonical form with the defaults of its kind. */
export async function fill(write: Write): Promise<undefined> {
  const { asked, bytes, old, store } = write;
  const { strategy } = write.call.definition;
  const isLong = isLarge(bytes);
  if (isLong) await nextTurn();
  const placed =
    old === undefined ? newObject(write) : { ...asked, metadata: keptMetadata(asked.metadata, old.metadata) };
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
