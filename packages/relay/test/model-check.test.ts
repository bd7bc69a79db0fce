import { expect, it } from 'vitest';
import { findLies, type Rights, type Seen, type SeenEvent, type TrueChange } from './model-check.fixture.ts';

const ALL = { namespace: '', blue: false };
const BLUE = { namespace: '', blue: true };

function change(version: number, type: TrueChange['type'], key: string, blue = false, wasBlue = blue): TrueChange {
  return { version, type, key, blue, wasBlue };
}

/** Four objects; `a/y` becomes blue, `b/x` ends. */
const TRUTH = [
  change(3, 'ADDED', 'a/x', true),
  change(4, 'ADDED', 'b/x'),
  change(6, 'ADDED', 'a/y'),
  change(7, 'MODIFIED', 'a/y', true, false),
  change(9, 'DELETED', 'b/x'),
  change(10, 'MODIFIED', 'a/x', false, true),
];

const rightsOf = (client: string): Rights => ({ namespaces: client === 'narrow' ? ['a'] : 'all' });

function lies(...seen: Seen[]): readonly string[] {
  return findLies(TRUTH, seen, rightsOf);
}

function list(version: number, objects: Readonly<Record<string, number>>, atLeast = 0, scope = ALL): Seen {
  return { type: 'list', client: 'c', scope, version, atLeast, objects: new Map(Object.entries(objects)) };
}

function watch(from: number, events: readonly SeenEvent[], scope = ALL, client = 'c'): Seen {
  return { type: 'watch', client, scope, from, events };
}

const event = (type: string, key: string, version: number): SeenEvent => ({ type, key, version });
const REST = [event('MODIFIED', 'a/y', 7), event('DELETED', 'b/x', 9), event('MODIFIED', 'a/x', 10)];

it('finds nothing wrong with what was so', () => {
  expect(
    lies(
      list(5, { 'a/x': 3, 'b/x': 4 }),
      list(8, { 'a/x': 3, 'a/y': 7 }, 7, BLUE),
      list(10, { 'a/y': 7 }, 10, BLUE),
      watch(6, REST),
      watch(6, REST.slice(0, 2)),
      watch(6, [event('ADDED', 'a/y', 7), event('BOOKMARK', '', 9), event('DELETED', 'a/x', 10)], BLUE),
      { type: 'answer', client: 'narrow', scope: ALL, status: 403 },
    ),
  ).toEqual([]);
});

it.each<readonly [string, Seen, string]>([
  ['a change that is missing', watch(6, REST.slice(1)), 'where MODIFIED a/y at 7 was due'],
  ['a change that comes twice', watch(6, [...REST.slice(0, 1), ...REST]), 'where DELETED b/x at 9 was due'],
  ['changes in another order', watch(6, REST.toReversed()), 'where MODIFIED a/y at 7 was due'],
  ['a change from before the watch', watch(7, REST), 'where DELETED b/x at 9 was due'],
  ['a change that never was', watch(10, [event('ADDED', 'a/z', 11)]), 'where nothing was due'],
  ['a bookmark beyond what was sent', watch(6, [event('BOOKMARK', '', 9)]), 'before MODIFIED a/y at 7'],
  ['a bookmark that goes back', watch(6, [event('BOOKMARK', '', 5)]), 'time went back'],
  ['a list without an object', list(5, { 'a/x': 3 }), 'has b/x at undefined, not 4'],
  ['a list with an old object', list(8, { 'a/x': 3, 'b/x': 4, 'a/y': 6 }), 'has a/y at 6, not 7'],
  ['a list with an object that has gone', list(9, { 'a/x': 3, 'b/x': 4, 'a/y': 7 }), 'has b/x, which is not there'],
  ['a list from before the last write', list(5, { 'a/x': 3, 'b/x': 4 }, 6), 'time went back'],
  ['a list with an object that does not match', list(6, { 'a/x': 3, 'a/y': 6 }, 0, BLUE), 'which is not there'],
  ['a watch of what one may not see', watch(6, [], ALL, 'narrow'), 'may not see'],
  ['an answer that one may not see', { type: 'answer', client: 'narrow', scope: ALL, status: 200 }, 'may not see'],
])('finds %s', (_what, seen, lie) => {
  expect(lies(seen)).toEqual([expect.stringContaining(lie)]);
});
