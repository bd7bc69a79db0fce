/** Commits the change if everything that was checked still holds; otherwise returns the stage to retry from. */

import { alreadyExists, alreadyExistsDeleting, generateNameConflict } from '@listwatch/api';
import { extended } from '@listwatch/api/values';
import {
  type AbortOptions,
  type AlongsidePut,
  type Change,
  type CommitGuard,
  type CommitResult,
  type Entry,
  isStorageError,
} from '@listwatch/storage';
import type { HeldClaim } from '../contract/admission.ts';
import { endWithRequest } from '../stored/request-signal.ts';
import { storedObject } from '../stored/stored-object.ts';
import { complete } from './complete.ts';
import { place } from './place.ts';
import type { Stage, Write } from './write.ts';

/** How often a create tries another generated name before it gives up. */
const GENERATED_NAME_ATTEMPTS = 8;

/** A lost compare retries from the stage after `place`, a taken name or address from `complete`. */
export async function commit(write: Write): Promise<Stage | undefined> {
  const { change, options, plan } = write;
  // The cached entry may be stale: the stored object may need the change.
  if (change.type === 'none') return write.isCached && (await write.refresh()) ? place : undefined;
  if (options.dryRun) {
    const entry = plan.isCreate === true ? await write.read() : undefined;
    return entry === undefined ? undefined : takenName(write, entry);
  }
  const result = await guardedCommit(write, keyChange(write));
  if (result?.committed === true) {
    const { revision } = result;
    const { allocation } = write;
    write.revision = revision;
    write.settle({ type: 'committed', revision });
    if (allocation !== undefined) await allocation.publish();
    if (change.type === 'delete' && write.current !== undefined)
      await write.context.admission.removed(write.call.definition, write.current, revision);
    return undefined;
  }
  write.settle({ type: 'nothing' });
  // Another Service has the address: the next allocation chooses another one, or reports that it is taken.
  if (result === undefined) return complete;
  if (plan.isCreate === true) {
    // Report a terminating namespace before a taken name.
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
 * Commits under all conditions of the write: the expected revision of the key, the guards and the claims. When a
 * guarded object has changed, it is checked again and the same change is committed again. Undefined when another object
 * has one of the claims. Stops when the request ends.
 */
async function guardedCommit(write: Write, change: Change): Promise<CommitResult | undefined> {
  const { held, store, call } = write;
  const { engine } = store;
  call.request.writes?.(write.key, store.watchers?.(call.definition) ?? 0);
  const claims = write.allocation?.claims ?? [];
  let guards = held.map(({ guard }) => guard);
  try {
    for (;;) {
      const options = endWithRequest(engine, call.request);
      const alongside = claims.length === 0 ? [] : await takenClaims(claims, write.key, options);
      if (alongside === undefined) return undefined;
      const result = await engine.commit(withOtherKeys(change, guards, alongside), options);
      if (result.committed || result.blockedBy === undefined) return result;
      const { type, key: lost } = result.blockedBy;
      if (type === 'alongside') {
        claims.find((claim) => claim.key === lost)?.lost();
        return undefined;
      }
      const renewed = await Promise.all(held.filter(({ guard }) => guard.key === lost).map(({ renew }) => renew()));
      guards = guards.map((guard) => renewed.find(({ key }) => key === guard.key) ?? guard);
    }
  } catch (error) {
    write.settle({ type: isStorageError(error) && error.uncertain ? 'unknown' : 'nothing' });
    throw error;
  }
}

function withOtherKeys(change: Change, guards: readonly CommitGuard[], alongside: readonly AlongsidePut[]): Change {
  const guarded = guards.length === 0 ? change : extended(change, { guards });
  return alongside.length === 0 || guarded.type !== 'put' ? guarded : { ...guarded, alongside };
}

/** The puts that write the claims; undefined when another object has one of the claims. */
async function takenClaims(
  claims: readonly HeldClaim[],
  owner: string,
  options: AbortOptions,
): Promise<readonly AlongsidePut[] | undefined> {
  const puts: AlongsidePut[] = [];
  for (const claim of claims) {
    const put = await claim.take(owner, options);
    if (put === undefined) {
      claim.lost();
      return undefined;
    }
    puts.push(put);
  }
  return puts;
}

/** Retries with another generated name. Throws the 409 when the client chose the name, or after too many retries. */
function takenName(write: Write, entry: Entry | undefined): Stage {
  const { call, isNameMade, object } = write;
  const { resource } = call.definition;
  const { name = '' } = object.metadata;
  if (isNameMade) {
    write.takenNames += 1;
    if (write.takenNames < GENERATED_NAME_ATTEMPTS) return complete;
    throw generateNameConflict(resource, name);
  }
  const isDeleting =
    entry !== undefined && storedObject(call.definition, entry).metadata.deletionTimestamp !== undefined;
  throw isDeleting ? alreadyExistsDeleting(resource, name) : alreadyExists(resource, name);
}
