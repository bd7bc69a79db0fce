/** Holds the recorded operations against what was committed, and against the sequential model. */

import type { StoredChange } from '../server/stored-change.ts';
import { checkLinearizable } from './linearizability.ts';
import { objectRegister } from './object-register.ts';
import type { RecordedOperation } from './recorded-writer.ts';

/** What is wrong with them; empty when nothing is. */
export function checkWrites(
  operations: readonly RecordedOperation[],
  changes: readonly StoredChange[],
): readonly string[] {
  return [...lostWrites(operations, changes), ...strangeWrites(operations, changes), ...disorder(operations)];
}

/** Every acknowledged write is in the store, at the revision that was told. */
function lostWrites(operations: readonly RecordedOperation[], changes: readonly StoredChange[]): readonly string[] {
  const byRevision = new Map(changes.map((change) => [change.revision, change]));
  return operations.flatMap(({ key, input, revision }) => {
    if (revision === undefined || !('token' in input)) return [];
    const change = byRevision.get(revision);
    if (change?.key === key && tokenOf(change) === input.token) return [];
    return [`the acknowledged ${input.type} of ${key} (${input.token}) at ${revision} is not in the store`];
  });
}

/** Every committed write was asked for, and none was done twice. */
function strangeWrites(operations: readonly RecordedOperation[], changes: readonly StoredChange[]): readonly string[] {
  const asked = new Set(operations.flatMap(({ input }) => ('token' in input ? [input.token] : [])));
  const done = new Set<string>();
  return changes.flatMap((change) => {
    const token = tokenOf(change);
    if (token === undefined) return [];
    if (!asked.has(token)) return [`the write ${token} of ${change.key} at ${change.revision} was never asked for`];
    if (done.has(token)) return [`the write ${token} of ${change.key} was done twice, again at ${change.revision}`];
    done.add(token);
    return [];
  });
}

function tokenOf({ object }: StoredChange): string | undefined {
  if (object === undefined) return undefined;
  const content: unknown = JSON.parse(object.content);
  const data: unknown = Array.isArray(content) ? content[1] : undefined;
  if (typeof data !== 'object' || data === null || !('token' in data)) return undefined;
  return String(data.token);
}

function disorder(operations: readonly RecordedOperation[]): readonly string[] {
  const byKey = new Map<string, RecordedOperation[]>();
  for (const operation of operations) {
    const list = byKey.get(operation.key) ?? [];
    list.push(operation);
    byKey.set(operation.key, list);
  }
  return [...byKey].flatMap(([key, list]) => {
    const verdict = checkLinearizable(objectRegister, list);
    return verdict === 'linearizable'
      ? []
      : [`the ${list.length} operations on ${key} are ${verdict}: ${historyText(list)}`];
  });
}

/** For people: `0-12 create w1-1 done`, in milliseconds since the first call. */
function historyText(operations: readonly RecordedOperation[]): string {
  const sorted = operations.toSorted((a, b) => a.calledAt - b.calledAt);
  const start = sorted[0]?.calledAt ?? 0;
  const lines = sorted.map(({ input, output, revision, calledAt, returnedAt }) => {
    const { type, ...facts } = input;
    const asked = [type, ...Object.values(facts)].join(' ');
    const answer = output === undefined ? 'no answer' : Object.values(output).join(' ');
    return `${Math.round(calledAt - start)}-${Math.round(returnedAt - start)} ${asked}: ${answer} ${revision ?? ''}`;
  });
  return lines.join('; ').slice(0, 20_000);
}
