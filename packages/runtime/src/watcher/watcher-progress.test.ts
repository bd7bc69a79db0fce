import { resourceVersion } from '@listwatch/api';
import { expect, it } from 'vitest';
import { thing } from '../../test/model-object.ts';
import { IDLE, told, type WatcherProgress } from './watcher-progress.ts';

const before: WatcherProgress = { ...IDLE, phase: 'streaming', since: 10, items: 3, failures: 2 };
const object = thing('a/x', 8);
const version = resourceVersion('8');

it('the end of the initial events makes a stream a watch, and leaves a list what it is', () => {
  const done = { type: 'initDone', resourceVersion: version } as const;
  expect(told(before, done, 50)).toMatchObject({ phase: 'watching', since: 50, resourceVersion: '8', lastEventAt: 50 });
  expect(told({ ...before, phase: 'listing' }, done, 50)).toMatchObject({
    phase: 'listing',
    since: 10,
    lastEventAt: 50,
  });
});

it('objects of a list are counted from its beginning', () => {
  const begun = told(before, { type: 'init' }, 20);
  expect(begun.items).toBe(0);
  const two = told(told(begun, { type: 'initApply', object }, 30), { type: 'initApply', object }, 40);
  expect(two).toMatchObject({ items: 2, lastEventAt: 40, failures: 2 });
});

it('a change or a bookmark proves that it works: failures are forgotten', () => {
  expect(told(before, { type: 'apply', object }, 30)).toMatchObject({ failures: 0, lastEventAt: 30, items: 3 });
  const marked = told(before, { type: 'bookmark', resourceVersion: version }, 30);
  expect(marked).toMatchObject({ failures: 0, lastBookmarkAt: 30, resourceVersion: '8' });
  expect(marked.lastEventAt).toBeUndefined();
});
