import { resourceVersion } from '@listwatch/api';
import { expect, it } from 'vitest';
import { thing } from '../../test/model-object.ts';
import { failure, STATES } from '../../test/watcher-table.ts';
import { IDLE, observed, told, type WatcherProgress } from './watcher-progress.ts';

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

it('a phase is as old as its first state: a page or another watch does not begin it anew', () => {
  const idle: WatcherProgress = { ...IDLE, since: 0 };
  const first = observed(idle, { ...STATES.listing, page: 1 }, 10);
  expect(first).toMatchObject({ phase: 'listing', since: 10, page: 1, watches: 0 });
  const second = observed(first, { ...STATES.listing, page: 2 }, 20);
  expect(second).toMatchObject({ phase: 'listing', since: 10, page: 2 });
  const watching = observed(second, STATES.watching, 30);
  expect(watching).toMatchObject({ phase: 'watching', since: 30, page: 2, watches: 1 });
  // The question about the history is part of watching, and opens none.
  expect(observed(watching, STATES.checking, 40)).toMatchObject({ phase: 'watching', since: 30, watches: 1 });
  expect(observed(watching, STATES.watching, 50)).toMatchObject({ phase: 'watching', since: 30, watches: 2 });
  expect(observed(watching, STATES.streaming, 60)).toMatchObject({ phase: 'streaming', since: 60, watches: 2 });
});

it('a pause says when it ends, and how often it has failed; the next state knows of no pause', () => {
  const waiting = observed(before, STATES.waiting, 100, 250);
  expect(waiting).toMatchObject({ phase: 'waiting', since: 100, retryAt: 350, failures: 1, watches: 0 });
  expect(observed(waiting, STATES.listing, 350).retryAt).toBeUndefined();
});

it('an error stays until the next one, and a steady watch changes nothing', () => {
  const { error } = failure;
  const failed = told(before, { type: 'error', error }, 30);
  expect(failed).toEqual({ ...before, lastError: error });
  expect(told(failed, { type: 'steady' }, 40)).toBe(failed);
});

it('objects that come together are all counted', () => {
  expect(told(before, { type: 'initBatch', objects: [object, object] }, 40)).toMatchObject({
    items: 5,
    lastEventAt: 40,
  });
});
