/** Consistent lists, through whichever server: they never go back in time, and show what was committed. */

import type { StoredChange } from '../server/stored-change.ts';

/** A list that was answered. */
export interface RecordedList {
  readonly server: number;
  readonly calledAt: number;
  readonly returnedAt: number;
  readonly revision: bigint;
  /** The content by key. */
  readonly objects: ReadonlyMap<string, string>;
}

/** An acknowledged write. */
export interface KnownWrite {
  readonly returnedAt: number;
  readonly revision: bigint;
}

/** What is wrong with the lists; empty when nothing is. */
export function checkLists(
  lists: readonly RecordedList[],
  truth: readonly StoredChange[],
  written: readonly KnownWrite[],
): readonly string[] {
  return [...backInTime(lists, written), ...wrongContents(lists, truth)];
}

/** What was known when a list was called: the newest list and the newest write that had returned by then. */
function backInTime(lists: readonly RecordedList[], written: readonly KnownWrite[]): readonly string[] {
  const known = [...lists, ...written].toSorted((a, b) => a.returnedAt - b.returnedAt);
  const calls = lists.toSorted((a, b) => a.calledAt - b.calledAt);
  const violations: string[] = [];
  let newest = 0n;
  let at = 0;
  for (const { calledAt, revision, server } of calls) {
    for (let one = known[at]; one !== undefined && one.returnedAt < calledAt; one = known[at]) {
      if (one.revision > newest) newest = one.revision;
      at += 1;
    }
    if (revision < newest) violations.push(`a list of server ${server} is at ${revision}, after ${newest} was known`);
  }
  return violations;
}

function wrongContents(lists: readonly RecordedList[], truth: readonly StoredChange[]): readonly string[] {
  const violations: string[] = [];
  const state = new Map<string, string>();
  let at = 0;
  for (const { revision, objects, server } of lists.toSorted((a, b) => (a.revision < b.revision ? -1 : 1))) {
    for (let change = truth[at]; change !== undefined && change.revision <= revision; change = truth[at]) {
      if (change.object === undefined) state.delete(change.key);
      else state.set(change.key, change.object.content);
      at += 1;
    }
    const wrong = [...new Set([...state.keys(), ...objects.keys()])].find((key) => objects.get(key) !== state.get(key));
    if (wrong !== undefined)
      violations.push(
        `a list of server ${server} at ${revision} has ${wrong} as ${objects.get(wrong)}, the store had ${state.get(wrong)}`,
      );
  }
  return violations;
}
