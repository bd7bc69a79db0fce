import { describe, expect, it } from 'vitest';
import type { StoredChange } from '../server/stored-change.ts';
import { checkLists, type RecordedList } from './check-lists.ts';

function change(revision: bigint, name: string, content: string | undefined): StoredChange {
  const object = content === undefined ? undefined : { namespace: 'n', name, labels: {}, content };
  return { revision, key: `n/${name}`, object, previous: undefined };
}

const truth = [change(1n, 'a', '1'), change(2n, 'b', '1'), change(3n, 'a', '2'), change(4n, 'b', undefined)];

/** Called and answered in one unit of time. */
function list(server: number, calledAt: number, revision: bigint, objects: Record<string, string>): RecordedList {
  return { server, calledAt, returnedAt: calledAt + 1, revision, objects: new Map(Object.entries(objects)) };
}

const first = list(0, 10, 2n, { 'n/a': '1', 'n/b': '1' });
const last = list(1, 20, 4n, { 'n/a': '2' });

describe('the check of consistent lists', () => {
  it('finds nothing wrong with lists that show what was committed, each at its time', () => {
    expect(checkLists([first, last], truth, [{ returnedAt: 15, revision: 4n }])).toEqual([]);
  });

  it('finds nothing wrong with lists that overlap, whichever of them is older', () => {
    const slow = { ...first, calledAt: 19, returnedAt: 30 };
    expect(checkLists([slow, last], truth, [])).toEqual([]);
  });

  it('finds a list of another server that is older than one that was answered before', () => {
    expect(checkLists([last, { ...first, server: 2, calledAt: 30, returnedAt: 31 }], truth, [])).toEqual([
      'a list of server 2 is at 2, after 4 was known',
    ]);
  });

  it('finds a list from a stale cache: it lacks a write that was acknowledged before', () => {
    expect(checkLists([first], truth, [{ returnedAt: 9, revision: 3n }])).toEqual([
      'a list of server 0 is at 2, after 3 was known',
    ]);
  });

  it.each([
    ['lacks an object', { 'n/a': '1' }, 'n/b as undefined, the store had 1'],
    ['has one that is gone', { 'n/a': '1', 'n/b': '1', 'n/c': '1' }, 'n/c as 1, the store had undefined'],
    ['has another content', { 'n/a': '2', 'n/b': '1' }, 'n/a as 2, the store had 1'],
  ])('finds a list that %s', (_, objects, what) => {
    expect(checkLists([list(0, 10, 2n, objects)], truth, [])).toEqual([`a list of server 0 at 2 has ${what}`]);
  });
});
