/** The first state: how it is fetched, that it is whole, and who comes late. */

import { objectKey } from '@listwatch/runtime';
import { expect } from 'vitest';
import type { RuntimeSection } from './runtime-suite.ts';
import type { RuntimeTest } from './runtime-test.ts';
import { stateText } from './secret-fixture.ts';

const NAMES = ['a', 'b', 'c'];
/** More than a page of 500. */
const MANY = 620;

/** The names in the store, sorted, and the version up to which it knows everything. */
async function firstState(test: RuntimeTest, initialStrategy: 'auto' | 'listWatch' | 'streamingList'): Promise<void> {
  await test.addAll(NAMES.slice(0, 2));
  const last = await test.add('c');
  const { store, status } = await test.synced({ initialStrategy });
  expect(Array.from(store.keys()).toSorted()).toEqual(NAMES.map((name) => `${test.namespace}/${name}`));
  expect(store.get(objectKey(last))).toEqual(last);
  expect(Number(store.resourceVersion)).toBeGreaterThanOrEqual(Number(last.metadata.resourceVersion));
  expect(status.phase).toBe('live');
}

export const syncCases: RuntimeSection = {
  title: 'the first state',
  calm: true,
  cases: [
    {
      title: 'is whole when synced, by a list and then a watch from its version',
      run: async (test) => {
        await firstState(test, 'listWatch');
        expect(test.lists).toHaveLength(1);
      },
    },
    {
      title: 'is whole when synced, by one stream without a list',
      run: async (test) => {
        await firstState(test, 'streamingList');
        expect([test.lists, test.watches.length]).toEqual([[], 1]);
      },
    },
    {
      title: 'is whole when synced, however the server lets itself be asked',
      run: (test) => firstState(test, 'auto'),
    },
    {
      title: 'of nothing is empty, and has a version',
      run: async (test) => {
        const { store } = await test.synced();
        expect([store.size, Number(store.resourceVersion) > 0]).toEqual([0, true]);
      },
    },
    {
      title: 'of more objects than fit on a page is listed page by page, and none is missing',
      run: async (test) => {
        const names = Array.from({ length: MANY }, (_, i) => `n${i}`);
        await test.addAll(names);
        const listed = await test.synced({ initialStrategy: 'listWatch' });
        const pages = test.lists.map((path) => path.includes('continue='));
        expect(pages).toEqual([false, true]);
        await test.agrees(listed);
        const streamed = await test.synced({ initialStrategy: 'streamingList' });
        expect(stateText(streamed.store.values())).toEqual(stateText(listed.store.values()));
        expect(streamed.store.size).toBe(MANY);
      },
    },
    {
      title: 'is told to a handler that comes late, and then only what is new',
      run: async (test) => {
        await test.addAll(NAMES);
        const source = await test.synced();
        const early = test.follow(source);
        await early.atLeast(3);
        await test.set('a', { value: '2' });
        await early.until('update a=2 was 1');
        const late = test.follow(source);
        await test.add('d');
        await late.until('add d=1');
        expect(late.told.slice(0, 3).toSorted()).toEqual(['add* a=2', 'add* b=1', 'add* c=1']);
        expect(late.told.slice(3)).toEqual(['add d=1']);
        expect(early.told.slice(3)).toEqual(['update a=2 was 1', 'add d=1']);
      },
    },
  ],
};
