import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ChangeRecord, versionsOf } from '../../test/change-record.ts';
import { type Thing, thing } from '../../test/model-object.ts';
import { addChange, deleteChange, type StoreChange, updateChange } from '../reflector/store-change.ts';
import { EveryChange, LatestChanges, type PendingChanges } from './pending-changes.ts';

const x = (version: number, uid?: string): Thing => thing('a/x', version, 0, uid);
const add = (version: number, uid?: string): StoreChange<Thing> => addChange('a/x', x(version, uid), false);
const update = (from: number, version: number): StoreChange<Thing> => updateChange('a/x', x(from), x(version));
const remove = (version: number): StoreChange<Thing> => deleteChange('a/x', x(version), true);

function takeAll(pending: PendingChanges<Thing>): readonly string[] {
  const taken: string[] = [];
  for (let change = pending.take(); change !== undefined; change = pending.take()) {
    const from = change.type === 'update' ? `${change.old.metadata.resourceVersion}>` : '';
    taken.push(`${change.type} ${from}${change.object.metadata.resourceVersion}`);
  }
  return taken;
}

function merged(...changes: readonly StoreChange<Thing>[]): readonly string[] {
  const pending = new LatestChanges<Thing>();
  for (const change of changes) pending.push(change);
  return takeAll(pending);
}

describe('the latest of each object', () => {
  it('joins what has not been read', () => {
    expect(merged(add(1), update(1, 2), update(2, 3))).toEqual(['add 3']);
    expect(merged(update(1, 2), update(2, 3))).toEqual(['update 1>3']);
    expect(merged(update(1, 2), remove(3))).toEqual(['delete 3']);
    expect(merged(add(1), remove(2))).toEqual([]);
  });

  it('never hides that an object went and another came', () => {
    expect(merged(remove(2), add(3, 'other'), update(3, 4))).toEqual(['delete 2', 'add 4']);
    expect(merged(remove(2), add(3, 'other'), remove(4))).toEqual(['delete 2']);
  });

  it('an object that changes all the time keeps its place', () => {
    const pending = new LatestChanges<Thing>();
    pending.push(update(1, 2));
    pending.push(addChange('a/y', thing('a/y', 3), false));
    pending.push(update(2, 4));
    expect(takeAll(pending)).toEqual(['update 1>4', 'add 3']);
  });
});

describe('every change', () => {
  it('keeps all in their order, and refuses one too many', () => {
    const pending = new EveryChange<Thing>(3);
    for (const change of [add(1), update(1, 2), remove(3)]) pending.push(change);
    expect(() => pending.push(add(4))).toThrow(expect.objectContaining({ code: 'OVERFLOW' }));
    expect(takeAll(pending)).toEqual(['add 1', 'update 1>2', 'delete 3']);
    expect(pending.depth).toBe(0);
  });

  it('goes on for ever when it is read', () => {
    const pending = new EveryChange<Thing>(2);
    for (let n = 1; n < 5_000; n += 1) {
      pending.push(update(n, n + 1));
      expect(pending.take()?.object.metadata.resourceVersion).toBe(String(n + 1));
    }
    expect(pending.take()).toBeUndefined();
  });
});

for (const [name, create] of [
  ['the latest of each object', () => new LatestChanges<Thing>()],
  ['every change', () => new EveryChange<Thing>(1_000)],
] as const) {
  it(`${name}: a mark is reached after what stood before it, and not before`, () => {
    const pending = create();
    const reached: string[] = [];
    pending.push(add(1));
    pending.mark(() => reached.push('first'));
    pending.push(addChange('a/y', thing('a/y', 2), false));
    expect([pending.depth, pending.take()?.key, reached]).toEqual([2, 'a/x', []]);
    expect([pending.take()?.key, reached]).toEqual(['a/y', ['first']]);
  });

  it(`${name}: whenever it is read, the reader ends with the truth by a legal way`, () => {
    const action = fc.tuple(fc.constantFrom('1', '2', '3'), fc.nat(5));
    fc.assert(
      fc.property(fc.array(action, { maxLength: 120 }), (actions) => {
        const pending = create();
        const record = new ChangeRecord();
        const truth = new Map<string, Thing>();
        for (const [index, [nameOf, kind]] of actions.entries()) {
          const key = `a/${nameOf}`;
          const before = truth.get(key);
          if (kind === 0) {
            const change = pending.take();
            if (change !== undefined) record.note(change);
          } else if (kind === 1 && before !== undefined) {
            pending.push(deleteChange(key, before, true));
            truth.delete(key);
          } else {
            const object = thing(key, index + 1, 0, before?.metadata.uid ?? `uid-${index}`);
            pending.push(before === undefined ? addChange(key, object, false) : updateChange(key, before, object));
            truth.set(key, object);
          }
        }
        for (let change = pending.take(); change !== undefined; change = pending.take()) record.note(change);
        expect(record.problems).toEqual([]);
        expect(versionsOf(record.known)).toEqual(versionsOf(truth));
      }),
      { numRuns: 300 },
    );
  });
}
