import { type ObjectMeta, resourceVersion } from '@listwatch/api';
import { describe, expect, it } from 'vitest';
import { thing } from '../../test/model-object.ts';
import { isSeenAgain, judgeHistory, type LastSeen, newerSeen, newestOf, seenAt } from './seen-history.ts';

const known = resourceVersion('10');

function seen(version: number, isDeleted = false): LastSeen {
  return newerSeen(undefined, thing('a/x', version), isDeleted) ?? expect.unreachable();
}

function meta(version: number, uid = 'uid-a/x'): ObjectMeta {
  return thing('a/x', version, 0, uid).metadata;
}

function written(time: string): ObjectMeta {
  return { ...meta(8), managedFields: [{ manager: 'a', time }] };
}

describe('the history is', () => {
  it.each<[string, string, LastSeen | undefined, string, ObjectMeta | undefined]>([
    ['other', 'a server behind the known version', undefined, '9', undefined],
    ['same', 'a version alone that the server has', undefined, '10', undefined],
    ['same', 'the object as it was seen', seen(8), '12', meta(8)],
    ['other', 'the object in an older version', seen(8), '12', meta(7)],
    ['other', 'the object in a version that would have been seen', seen(8), '12', meta(9)],
    ['other', 'another object of the same name', seen(8), '12', meta(8, 'uid-2')],
    ['unsure', 'the object in a later version', seen(8), '12', meta(11)],
    ['unsure', 'no object', seen(8), '12', undefined],
    ['other', 'an object that was deleted, in an old version', seen(9, true), '12', meta(8)],
    ['unsure', 'no object where it was deleted', seen(9, true), '12', undefined],
    ['same', 'nothing where there was nothing', { type: 'nothing' }, '12', undefined],
    ['other', 'an old object where there was nothing', { type: 'nothing' }, '12', meta(8)],
    ['unsure', 'a new object where there was nothing', { type: 'nothing' }, '12', meta(11)],
  ])('%s: %s', (verdict, _, last, version, object) => {
    expect(judgeHistory(known, last, { resourceVersion: version, object })).toBe(verdict);
  });
});

describe('the version in which it must be seen again', () => {
  it('is its own, before its delete, or the known one', () => {
    expect([seenAt(known, seen(8)), seenAt(known, seen(9, true)), seenAt(known, { type: 'nothing' })]).toEqual([
      '8',
      '8',
      '10',
    ]);
    expect(seenAt(known, seen(1, true))).toBe('1');
  });

  it('has the same object, written at the same time', () => {
    const last = newerSeen(undefined, { ...thing('a/x', 8), metadata: written('now') }, false);
    if (last === undefined) return expect.unreachable();
    expect(isSeenAgain(last, written('now'))).toBe(true);
    expect(isSeenAgain(last, written('later'))).toBe(false);
    expect(isSeenAgain(last, undefined)).toBe(false);
  });
});

it('the newest of a list is kept, and a delete without a version of its own leaves nothing to ask for', () => {
  const newest = newestOf({ type: 'nothing' }, [thing('a/x', 5), thing('a/y', 9), thing('a/z', 7)]);
  expect(newest).toMatchObject({ name: 'y', resourceVersion: '9' });
  expect(newerSeen(newest, thing('a/z', 8), false)).toBe(newest);
  expect(newerSeen(newest, thing('a/y', 9), true)).toBeUndefined();
});

it('metadata that is not what its type says does no harm', () => {
  for (const managedFields of [null, {}, [null], 'x']) {
    const object = { ...thing('a/x', 5), metadata: { ...meta(5), managedFields } };
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as a broken server sends it
    expect(newerSeen(undefined, object as unknown as ReturnType<typeof thing>, false)).toMatchObject({ name: 'x' });
  }
});
