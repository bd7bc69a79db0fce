/** Checkpoints: what an informer knew in its last life, and what happened since. */

import { fileCheckpoint } from '@listwatch/runtime';
import { expect } from 'vitest';
import type { ChangeStory } from './change-story.ts';
import type { RuntimeSection } from './runtime-suite.ts';
import type { RuntimeTest } from './runtime-test.ts';

/** An informer lives and ends; then one object goes, one changes, one comes. Resolves to the file that it left. */
async function livedBefore(test: RuntimeTest): Promise<string> {
  const path = test.scratchFile('secrets.checkpoint');
  for (const name of ['gone', 'stays', 'changes']) await test.add(name);
  const before = await test.synced({ checkpoint: fileCheckpoint(path) });
  await before.close();
  await test.remove('gone');
  await test.set('changes', { value: '2' });
  await test.add('new');
  test.requests.length = 0;
  return path;
}

/** Begins anew from the file: it must be ready with what it knew. */
async function restored(test: RuntimeTest, path: string): Promise<ChangeStory> {
  const source = test.informer({ checkpoint: fileCheckpoint(path) });
  // Before anything is awaited: nothing of what is told may be missed.
  const story = test.follow(source);
  await source.synced;
  await story.atLeast(6);
  expect(story.told.slice(0, 3).toSorted()).toEqual(['add* changes=1', 'add* gone=1', 'add* stays=1']);
  await test.agrees(source);
  return story;
}

export const checkpointCases: RuntimeSection = {
  title: 'a checkpoint',
  calm: false,
  cases: [
    {
      title: 'is gone on from: nothing is listed, and what was deleted meanwhile is told',
      run: async (test) => {
        const story = await restored(test, await livedBefore(test));
        expect(story.told.slice(3)).toEqual(['delete gone=1', 'update changes=2 was 1', 'add new=1']);
        expect(test.lists).toEqual([]);
        expect(test.watches.some((path) => path.includes('sendInitialEvents'))).toBe(false);
      },
    },
    {
      title: 'whose version is forgotten costs a list, and what was deleted meanwhile is told all the same',
      needs: ['forget'],
      run: async (test) => {
        const path = await livedBefore(test);
        await test.forget();
        const story = await restored(test, path);
        const since = story.told.slice(3).toSorted();
        expect(since).toEqual(['add new=1', 'delete? gone=1', 'update changes=2 was 1']);
      },
    },
    {
      title: 'is good for a server that was restarted too',
      needs: ['power'],
      run: async (test) => {
        const path = await livedBefore(test);
        await test.power.stop();
        await test.power.start();
        await test.answers();
        const story = await restored(test, path);
        expect(story.told.slice(3)).toEqual(['delete gone=1', 'update changes=2 was 1', 'add new=1']);
        expect(test.lists).toEqual([]);
      },
    },
  ],
};
