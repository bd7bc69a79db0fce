/** Part of a collection: selectors, namespaces, and metadata alone. */

import { expect } from 'vitest';
import type { RuntimeSection } from './runtime-suite.ts';
import type { RuntimeTest } from './runtime-test.ts';

const WEB = { app: 'web' };
const OTHER = { app: 'other' };
/** More than the ten listeners on one signal after which Node warns of a leak. */
const NAMESPACES = 12;

export const selectionCases: RuntimeSection = {
  title: 'a selection',
  calm: true,
  cases: [
    ...(['listWatch', 'streamingList'] as const).map((initialStrategy) => ({
      title: `by labels: coming into it is an add, leaving it a delete (${initialStrategy})`,
      run: async (test: RuntimeTest) => {
        await test.add('in', { labels: WEB });
        await test.add('out', { labels: OTHER });
        const source = await test.synced({ labelSelector: 'app=web', initialStrategy });
        const story = test.follow(source);
        await story.atLeast(1);
        await test.set('out', { labels: WEB });
        await test.set('in', { labels: OTHER, value: '2' });
        await test.set('in', { value: '3' });
        await test.remove('in');
        await test.remove('out');
        // It leaves in the state that it had within: what it became is not for those who do not see it.
        expect(await story.until('delete out=1')).toEqual(['add* in=1', 'add out=1', 'delete in=1', 'delete out=1']);
        expect(source.store.size).toBe(0);
      },
    })),
    {
      title: 'by a field is that object alone',
      run: async (test) => {
        await test.addAll(['a', 'b']);
        const story = test.follow(await test.synced({ fieldSelector: 'metadata.name=a' }));
        await story.atLeast(1);
        await test.set('b', { value: '2' });
        await test.set('a', { value: '2' });
        await test.remove('b');
        await test.remove('a');
        expect(await story.until('delete a=2')).toEqual(['add* a=1', 'update a=2 was 1', 'delete a=2']);
      },
    },
    {
      title: 'of several namespaces is those and no other, each with its objects',
      run: async (test) => {
        const chosen = await Promise.all(Array.from({ length: NAMESPACES }, () => test.createNamespace()));
        const [first = ''] = chosen;
        for (const namespace of [test.namespace, ...chosen]) await test.add('a', { namespace });
        const source = await test.synced({ namespaces: chosen });
        const story = test.follow(source);
        await story.atLeast(NAMESPACES);
        await test.add('b');
        await test.add('c', { namespace: first });
        await story.until('add c=1');
        const keys = [...chosen.map((namespace) => `${namespace}/a`), `${first}/c`];
        expect(Array.from(source.store.keys()).toSorted()).toEqual(keys.toSorted());
        expect(source.store.keysByIndex('namespace', first)).toEqual([`${first}/a`, `${first}/c`]);
      },
    },
    {
      title: 'of all namespaces sees each of them',
      run: async (test) => {
        const second = await test.createNamespace();
        const labels = { run: test.namespace };
        await test.add('a', { labels });
        const source = await test.synced({ namespace: undefined, labelSelector: `run=${test.namespace}` });
        const story = test.follow(source);
        await test.add('b', { labels, namespace: second });
        expect(await story.atLeast(2)).toEqual(['add* a=1', 'add b=1']);
      },
    },
    ...(['listWatch', 'streamingList'] as const).map((initialStrategy) => ({
      title: `of metadata has no more than that, in the first state and in changes (${initialStrategy})`,
      run: async (test: RuntimeTest) => {
        const { metadata } = await test.add('a', { labels: WEB });
        const source = await test.synced({ projection: 'metadata', initialStrategy });
        const story = test.follow(source);
        await story.atLeast(1);
        await test.set('a', { labels: OTHER });
        await test.add('b');
        await test.remove('a');
        await story.atLeast(4);
        expect(story.changes.map(({ type }) => type)).toEqual(['add', 'update', 'add', 'delete']);
        for (const { object } of story.changes) {
          expect([object.kind, Object.keys(object).toSorted()]).toEqual([
            'PartialObjectMetadata',
            ['apiVersion', 'kind', 'metadata'],
          ]);
        }
        expect(story.changes[0]?.object.metadata).toMatchObject({ uid: metadata.uid, labels: WEB });
        expect(story.changes[1]?.object.metadata.labels).toEqual(OTHER);
      },
    })),
  ],
};
