/** Commits the change while everything that was checked is still true, and says where to go back to when it is not. */

import { alreadyExists, alreadyExistsDeleting, generateNameConflict } from '@listwatch/api';
import { type Change, type CommitResult, type Entry, isStorageError } from '@listwatch/storage';
import { endWithRequest } from '../stored/request-signal.ts';
import { storedObject } from '../stored/stored-object.ts';
import { GENERATED_NAME_ATTEMPTS } from './body/generated-name.ts';
import { fill } from './default.ts';
import { mutate } from './mutate.ts';
import { place } from './place.ts';
import type { Stage, Write } from './write.ts';

/** A lost compare goes back to the stage after `place`, a taken name to `fill`, a taken address to `mutate`. */
export async function commit(write: Write): Promise<Stage | undefined> {
  const { change, options, plan } = write;
  // A cached entry that needs no change may be an old one that does.
  if (change.type === 'none') return write.isCached && (await write.refresh()) ? place : undefined;
  if (options.dryRun) {
    const entry = plan.isCreate === true ? await write.read() : undefined;
    return entry === undefined ? undefined : takenName(write, entry);
  }
  const result = await guardedCommit(write, keyChange(write));
  if (result.committed) {
    write.revision = result.revision;
    write.settle({ type: 'committed', revision: result.revision });
    return undefined;
  }
  write.settle({ type: 'nothing' });
  // Another server gave the same address to its Service: the next allocation chooses another one, or says that it is taken.
  if (result.blockedBy?.type === 'alongside') return mutate;
  if (plan.isCreate === true) {
    // The client hears of a namespace that is terminating before it hears of a name that is taken.
    for (const { isEarlier, renew } of write.held) if (isEarlier) await renew();
    return takenName(write, result.current);
  }
  write.current = result.current;
  write.isCached = false;
  return place;
}

function keyChange({ change, key, plan, current, call }: Write): Change {
  const expected = plan.isCreate === true ? 0n : (current?.modRevision ?? 0n);
  if (change.type !== 'put') return { type: 'delete', key, expected };
  return { type: 'put', key, value: change.made.value, expected, ttlSeconds: call.definition.strategy.ttlSeconds };
}

/**
 * Commits with the guards of the write. When a guarded object has changed it is checked again and the commit repeated: the change
 * itself stays. Ends with the request at the latest.
 */
async function guardedCommit(write: Write, change: Change): Promise<CommitResult> {
  const { held, store, call } = write;
  const { engine } = store;
  let guards = held.map(({ guard }) => guard);
  try {
    for (;;) {
      const wanted = guards.length === 0 ? change : { ...change, guards };
      const result = await engine.commit(wanted, endWithRequest(engine, call.request));
      if (result.committed || result.blockedBy?.type !== 'guard') return result;
      const { key: lost } = result.blockedBy;
      const renewed = await Promise.all(held.filter(({ guard }) => guard.key === lost).map(({ renew }) => renew()));
      guards = guards.map((guard) => renewed.find(({ key }) => key === guard.key) ?? guard);
    }
  } catch (error) {
    write.settle({ type: isStorageError(error) && error.uncertain ? 'unknown' : 'nothing' });
    throw error;
  }
}

/** Another name is made unless the client chose this one: throws the 409. */
function takenName(write: Write, entry: Entry | undefined): Stage {
  const { call, asked, object } = write;
  const { resource } = call.definition;
  const { name = '' } = object.metadata;
  const isGenerated = (asked.metadata.name ?? '') === '' && (asked.metadata.generateName ?? '') !== '';
  if (isGenerated) {
    write.takenNames += 1;
    if (write.takenNames < GENERATED_NAME_ATTEMPTS) return fill;
    throw generateNameConflict(resource, name);
  }
  const isDeleting =
    entry !== undefined && storedObject(call.definition, entry).metadata.deletionTimestamp !== undefined;
  throw isDeleting ? alreadyExistsDeleting(resource, name) : alreadyExists(resource, name);
}
