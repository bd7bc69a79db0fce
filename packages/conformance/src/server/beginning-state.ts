/** Finds the state that a stream began with, when changes up to its end follow it. */

import { byBytes, keyOfObject, type LoadedObject, type StoredChange } from './stored-change.ts';
import type { SeenEvent } from './watcher-record.ts';

/** The state of `version` is what the first `size` events show. */
export interface BeginningState {
  readonly version: bigint;
  readonly size: number;
}

/**
 * The newest version not after `end` whose selected objects are what the events begin with, in the order of their
 * keys. Undefined: there is none.
 */
export function beginningState(
  truth: readonly StoredChange[],
  selects: (object: LoadedObject) => boolean,
  end: bigint,
  events: readonly SeenEvent[],
): BeginningState | undefined {
  const firstOther = events.findIndex(({ type }) => type !== 'ADDED');
  const first = firstOther === -1 ? events : events.slice(0, firstOther);
  // Whole states are compared only where the sums of their versions fit: there are as many states as changes.
  const sums = [0n];
  for (const { version } of first) sums.push((sums.at(-1) ?? 0n) + version);
  const selected = new Map<string, bigint>();
  let sum = 0n;
  let version = 0n;
  let found: BeginningState | undefined;
  const look = (): void => {
    const next = events[selected.size];
    // What follows a state is newer: a state that was so twice is not taken for the later one.
    if (next !== undefined && next.version <= version) return;
    if (sums[selected.size] === sum && isState(first, selected)) found = { version, size: selected.size };
  };
  for (const change of truth) {
    if (change.revision > end) break;
    // Several changes can have one version: the state is whole after the last of them.
    if (change.revision !== version) look();
    version = change.revision;
    sum -= selected.get(change.key) ?? 0n;
    selected.delete(change.key);
    if (change.object === undefined || !selects(change.object)) continue;
    selected.set(change.key, change.revision);
    sum += change.revision;
  }
  look();
  return found;
}

function isState(events: readonly SeenEvent[], selected: ReadonlyMap<string, bigint>): boolean {
  const keys = [...selected.keys()].toSorted(byBytes);
  return keys.every((key, index) => {
    const event = events[index];
    return event?.type === 'ADDED' && keyOfObject(event.object) === key && event.version === selected.get(key);
  });
}
