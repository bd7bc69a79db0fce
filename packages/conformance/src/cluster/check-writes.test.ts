import { describe, expect, it } from 'vitest';
import type { StoredChange } from '../server/stored-change.ts';
import { checkWrites } from './check-writes.ts';
import type { ObjectInput } from './object-register.ts';
import type { RecordedOperation } from './recorded-writer.ts';

function change(revision: bigint, token: string | undefined): StoredChange {
  const content = JSON.stringify(['uid', { token }]);
  const object = token === undefined ? undefined : { namespace: 'a', name: 'x', labels: {}, content };
  return { revision, key: 'a/x', object, previous: undefined };
}

let time = 0;
function done(input: ObjectInput, revision?: bigint): RecordedOperation {
  time += 2;
  return { key: 'a/x', input, output: { type: 'done' }, revision, calledAt: time, returnedAt: time + 1 };
}

const create: ObjectInput = { type: 'create', token: 't1' };
const update: ObjectInput = { type: 'update', token: 't2', expected: 't1' };

describe('the check of writes', () => {
  it('finds nothing wrong with writes that are in the store', () => {
    const operations = [done(create, 5n), done(update, 6n), done({ type: 'delete' })];
    expect(checkWrites(operations, [change(5n, 't1'), change(6n, 't2'), change(7n, undefined)])).toEqual([]);
  });

  it('finds an acknowledged write that is not in the store', () => {
    const operations = [done(create, 5n), done(update, 6n)];
    expect(checkWrites(operations, [change(5n, 't1')])).toEqual([
      expect.stringContaining('(t2) at 6 is not in the store'),
    ]);
  });

  it('finds a write that nobody asked for, and one that was done twice', () => {
    const changes = [change(5n, 't1'), change(6n, 'x'), change(7n, 't1')];
    expect(checkWrites([done(create, 5n)], changes)).toEqual([
      expect.stringContaining('x of a/x at 6 was never asked for'),
      expect.stringContaining('t1 of a/x was done twice, again at 7'),
    ]);
  });

  it('finds operations that fit no order, and shows them', () => {
    const operations = [done(create, 5n), done({ type: 'create', token: 't2' }, 6n)];
    expect(checkWrites(operations, [change(5n, 't1'), change(6n, 't2')])).toEqual([
      expect.stringMatching(/are not linearizable: 0-1 create t1: done 5; 2-3 create t2: done 6/u),
    ]);
  });
});
