/** Changes: each once, in order, with what was before. */

import { objectKey } from '@listwatch/runtime';
import { expect } from 'vitest';
import { eventually } from '../storage/eventually.ts';
import { changeText } from './change-story.ts';
import type { RuntimeSection } from './runtime-suite.ts';
import { secretValue } from './secret-fixture.ts';

const ROUNDS = 15;

export const changeCases: RuntimeSection = {
  title: 'changes',
  calm: true,
  cases: [
    {
      title: 'are told once each and in the order of the server: adds, updates with the old object, deletes',
      run: async (test) => {
        const story = test.follow(await test.synced());
        const expected: string[] = [];
        for (let i = 0; i < ROUNDS; i += 1) {
          await test.add(`n${i}`);
          await test.set(`n${i}`, { value: '2' });
          expected.push(`add n${i}=1`, `update n${i}=2 was 1`);
          if (i % 3 !== 0) continue;
          await test.remove(`n${i}`);
          expected.push(`delete n${i}=2`);
        }
        await test.add('last');
        expect(await story.until('add last=1')).toEqual([...expected, 'add last=1']);
        const versions = story.changes.map(({ object }) => Number(object.metadata.resourceVersion));
        expect(versions).toEqual(versions.toSorted((a, b) => a - b));
      },
    },
    {
      title: 'reach handlers too, and the store has them by then',
      run: async (test) => {
        const source = await test.synced();
        const told: string[] = [];
        const stored: (string | undefined)[] = [];
        const note = (change: Parameters<typeof changeText>[0]): void => {
          told.push(changeText(change));
          stored.push(source.store.get(change.key)?.metadata.name);
        };
        const off = source.on({ add: note, update: note, delete: note }, { policy: 'fail' });
        await test.add('a');
        await test.set('a', { value: '2' });
        await eventually('the update is handled', () => told.length === 2);
        await test.remove('a');
        await eventually('the delete is handled', () => told.length === 3);
        expect(told).toEqual(['add a=1', 'update a=2 was 1', 'delete a=2']);
        expect(stored).toEqual(['a', 'a', undefined]);
        await off();
        await test.add('b');
        await eventually('the store has it', () => source.store.size === 1);
        expect(told).toHaveLength(3);
      },
    },
    {
      title: 'to an object that is deleted and made again are a delete of the one and an add of the other',
      run: async (test) => {
        const story = test.follow(await test.synced());
        const first = await test.add('a');
        await test.remove('a');
        const second = await test.add('a', { value: '2' });
        expect(await story.atLeast(3)).toEqual(['add a=1', 'delete a=1', 'add a=2']);
        const uids = story.changes.map(({ object }) => object.metadata.uid);
        expect(uids).toEqual([first.metadata.uid, first.metadata.uid, second.metadata.uid]);
      },
    },
    {
      title: 'of one’s own are read after waiting for the version that the write was answered with',
      run: async (test) => {
        const { store } = await test.synced();
        for (let i = 0; i < ROUNDS; i += 1) {
          const added = await test.add(`n${i}`);
          await store.waitFor(added.metadata.resourceVersion ?? '');
          expect(store.get(objectKey(added)), 'what was made').toEqual(added);
          const { metadata } = await test.set(`n${i}`, { value: String(i) });
          await store.waitFor(metadata.resourceVersion ?? '');
          expect(secretValue(store.get(objectKey(added)) ?? added), 'what was changed').toBe(String(i));
        }
      },
    },
  ],
};
