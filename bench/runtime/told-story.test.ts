import type { ApiObject } from '@listwatch/api';
import type { StoreChange } from '@listwatch/runtime';
import { describe, expect, it } from 'vitest';
import { ToldStory } from './told-story.ts';

const object = (resourceVersion: string, uid = 'u'): ApiObject => ({ metadata: { name: 'a', resourceVersion, uid } });
const add = (of: ApiObject): StoreChange => ({ type: 'add', key: 'a', object: of, initial: false });
const update = (of: ApiObject): StoreChange => ({ type: 'update', key: 'a', object: of, old: of, initial: false });
const remove = (of: ApiObject, finalStateKnown = true): StoreChange => {
  return { type: 'delete', key: 'a', object: of, finalStateKnown, initial: false };
};

function problems(...changes: readonly StoreChange[]): readonly string[] {
  const story = new ToldStory();
  for (const change of changes) story.note(change);
  return story.problems;
}

describe('a story that an informer tells', () => {
  it('is legal as an add, updates forward, a delete, and so on', () => {
    expect(problems(add(object('1')), update(object('2')), remove(object('3')), add(object('4', 'v')))).toEqual([]);
  });

  it.each<[string, readonly StoreChange[]]>([
    ['a second add', [add(object('1')), add(object('2'))]],
    ['an update of nothing', [update(object('1'))]],
    ['a delete of nothing', [remove(object('1'))]],
    ['an update to what was before', [add(object('2')), update(object('1'))]],
    ['an update to another object', [add(object('1')), update(object('2', 'v'))]],
  ])('is not legal with %s', (_, changes) => {
    expect(problems(...changes)).toHaveLength(1);
  });

  it('counts the deletes that nobody saw', () => {
    const story = new ToldStory();
    for (const change of [add(object('1')), remove(object('1'), false)]) story.note(change);
    expect([story.changes, story.missed, story.known.size]).toEqual([2, 1, 0]);
  });
});
