/** Trouble: connections cut, the server restarted, history forgotten. */

import { expect } from 'vitest';
import type { RuntimeSection } from './runtime-suite.ts';

const WRITES = 120;
const CUT_EVERY = 15;

export const troubleCases: RuntimeSection = {
  title: 'trouble',
  calm: false,
  cases: [
    {
      title: 'a watch that was cut is resumed from its version: nothing is listed, missed or told twice',
      needs: ['network'],
      run: async (test) => {
        await test.add('a');
        const source = await test.synced();
        const story = test.follow(source);
        await story.atLeast(1);
        const [lists, watches] = [test.lists.length, test.watches.length];
        await test.cutOff(source);
        expect(source.status.reason).toMatch(/./u);
        await test.set('a', { value: '2' });
        await test.add('b');
        await test.remove('a');
        await test.network.accept();
        expect(await story.until('delete a=2')).toEqual(['add* a=1', 'update a=2 was 1', 'add b=1', 'delete a=2']);
        await test.reaches(source, 'live');
        expect(test.lists.length).toBe(lists);
        expect(test.watches.length).toBeGreaterThan(watches);
        expect(test.watches.slice(watches).every((path) => /resourceVersion=[1-9]/u.test(path))).toBe(true);
      },
    },
    {
      title: 'watches that are cut again and again while much is written miss nothing and repeat nothing',
      needs: ['network'],
      run: async (test) => {
        const source = await test.synced();
        const story = test.follow(source);
        const expected: string[] = [];
        for (let i = 0; i < WRITES; i += 1) {
          if (i % CUT_EVERY === 0) test.network.cut();
          await test.add(`n${i}`);
          expected.push(`add n${i}=1`);
          if (i % 2 === 0) continue;
          await test.remove(`n${i - 1}`);
          expected.push(`delete n${i - 1}=1`);
        }
        expect(await story.atLeast(expected.length)).toEqual(expected);
        await test.agrees(source);
      },
    },
    {
      title: 'a server that is restarted is followed again from where the watch stood, and status says so meanwhile',
      needs: ['power'],
      run: async (test) => {
        await test.add('a');
        const source = await test.synced();
        const story = test.follow(source);
        await story.atLeast(1);
        await test.power.stop();
        await test.reaches(source, 'degraded');
        expect(source.store.size, 'what is known stays').toBe(1);
        await test.power.start();
        await test.answers();
        await test.set('a', { value: '2' });
        await test.add('b');
        await test.remove('b');
        expect(await story.until('delete b=1')).toEqual(['add* a=1', 'update a=2 was 1', 'add b=1', 'delete b=1']);
        await test.reaches(source, 'live');
        await test.agrees(source);
      },
    },
    {
      title: 'an informer that begins while the server is away syncs when it comes',
      needs: ['power'],
      run: async (test) => {
        await test.add('a');
        await test.power.stop();
        const source = test.informer();
        await test.reaches(source, 'degraded');
        expect(source.hasSynced).toBe(false);
        await test.power.start();
        await source.synced;
        expect(Array.from(source.store.keys())).toEqual([`${test.namespace}/a`]);
      },
    },
    {
      title: 'after a 410 the state is fetched anew, and what vanished is told as deleted, with the last that was seen',
      needs: ['network', 'forget'],
      run: async (test) => {
        for (const name of ['gone', 'stays', 'changes', 'again']) await test.add(name);
        const source = await test.synced();
        const story = test.follow(source);
        const before = new Set(await story.atLeast(4));
        const known = Array.from(source.store.values()).find(({ metadata }) => metadata.name === 'gone');
        await test.cutOff(source);
        // Nobody saw this state: the delete must carry the one before.
        await test.set('gone', { value: 'unseen' });
        await test.remove('gone');
        await test.set('changes', { value: '2' });
        await test.remove('again');
        await test.add('again', { value: '2' });
        await test.add('new');
        await test.forget();
        await test.network.accept();
        await story.atLeast(9);
        const after = story.told.slice(before.size);
        expect(after.toSorted()).toEqual(
          ['add again=2', 'add new=1', 'delete? again=1', 'delete? gone=1', 'update changes=2 was 1'].toSorted(),
        );
        expect(after.indexOf('delete? again=1')).toBeLessThan(after.indexOf('add again=2'));
        const removed = story.changes.find(({ type, object }) => type === 'delete' && object.metadata.name === 'gone');
        expect(removed?.object).toEqual(known);
        await test.agrees(source);
        await test.reaches(source, 'live');
      },
    },
    {
      title: 'after a 410 a list by pages is as good as a stream',
      needs: ['network', 'forget'],
      run: async (test) => {
        await test.addAll(['a', 'b', 'c', 'd']);
        const source = await test.synced({ initialStrategy: 'listWatch', pageSize: 2 });
        const story = test.follow(source);
        await story.atLeast(4);
        await test.cutOff(source);
        await test.remove('b');
        await test.add('e');
        await test.forget();
        await test.network.accept();
        await story.atLeast(6);
        expect(story.told.slice(4).toSorted()).toEqual(['add e=1', 'delete? b=1']);
        await test.agrees(source);
      },
    },
  ],
};
