/** WATCH: where it begins, for which version and which wish for initial events. */

import { expect } from 'vitest';
import { WATCH_TRANSPORTS } from './api-client.ts';
import { type ServerCase, type ServerSection, withoutHistory } from './server-suite.ts';
import { FORGOTTEN_VERSION, FUTURE_VERSION } from './server-test.ts';
import { eventText } from './watch-lines.ts';

const WATCH_LIST = {
  sendInitialEvents: true,
  resourceVersionMatch: 'NotOlderThan',
  allowWatchBookmarks: true,
} as const;

const overTransports: readonly ServerCase[] = WATCH_TRANSPORTS.flatMap((transport) => [
  {
    title: `a watch over ${transport} without a version begins with the objects in the order of names, then goes on live`,
    run: async (test) => {
      await test.addAll(['b', 'a']);
      const stream = await test.watch({}, { transport });
      expect((await stream.take(2)).map(eventText)).toEqual(['ADDED a', 'ADDED b']);
      const version = await test.set('a', { value: '2' });
      await test.remove('b');
      const [changed, removed] = await stream.take(2);
      expect(changed).toMatchObject({
        type: 'MODIFIED',
        object: { kind: 'Secret', apiVersion: 'v1', metadata: { name: 'a', resourceVersion: version } },
      });
      expect(removed).toMatchObject({ type: 'DELETED', object: { kind: 'Secret', metadata: { name: 'b' } } });
    },
  },
  {
    title: `a watch-list over ${transport} sends the state, one bookmark that ends it, and then what changes`,
    run: async (test) => {
      await test.addAll(['b', 'a']);
      const stream = await test.watch(WATCH_LIST, { transport });
      const initial = await stream.take(3);
      expect(initial.map(eventText)).toEqual(['ADDED a', 'ADDED b', 'BOOKMARK end of initial events']);
      const bookmark = initial.at(-1)?.object.metadata.resourceVersion ?? '0';
      const versions = initial.slice(0, 2).map(({ object }) => BigInt(object.metadata.resourceVersion ?? '0'));
      for (const version of versions) expect(BigInt(bookmark)).toBeGreaterThanOrEqual(version);
      const later = await test.add('c');
      const [event] = await stream.take(1);
      expect(event).toMatchObject({ type: 'ADDED', object: { metadata: { name: 'c', resourceVersion: later } } });
    },
  },
]);

export const watchStartCases: ServerSection = {
  title: 'WATCH: where it begins',
  cases: [
    ...overTransports,
    {
      title: 'a watch at version 0 that allows bookmarks gets the bookmark that ends the initial events',
      run: async (test) => {
        const version = await test.add('a');
        await test.list({ resourceVersion: version });
        const stream = await test.watch({ resourceVersion: 0, allowWatchBookmarks: true });
        const [event, bookmark] = await stream.take(2);
        expect([event, bookmark].map((one) => one && eventText(one))).toEqual([
          'ADDED a',
          'BOOKMARK end of initial events',
        ]);
        expect(bookmark?.object).toMatchObject({
          kind: 'Secret',
          apiVersion: 'v1',
          metadata: {
            resourceVersion: expect.stringMatching(/^\d+$/u),
            annotations: { 'k8s.io/initial-events-end': 'true' },
          },
        });
        expect(bookmark?.object.metadata).not.toHaveProperty('name');
      },
    },
    {
      title: 'a watch at another spelling of 0 begins with the objects too',
      run: async (test) => {
        await test.add('a');
        const stream = await test.watch({ resourceVersion: '00' });
        expect((await stream.take(1)).map(eventText)).toEqual(['ADDED a']);
      },
    },
    {
      title: 'without bookmarks allowed nothing marks the end of the initial events',
      run: async (test) => {
        await test.add('a');
        const query = { sendInitialEvents: true, resourceVersionMatch: 'NotOlderThan', timeoutSeconds: 1 };
        const stream = await test.watch(query);
        expect((await stream.untilEnd()).map(eventText)).toEqual(['ADDED a']);
      },
    },
    {
      title: 'a watch-list at a version shows at least that state',
      run: async (test) => {
        const [, b = ''] = await test.addAll(['a', 'b']);
        const stream = await test.watch({ ...WATCH_LIST, resourceVersion: b });
        const initial = await stream.take(3);
        expect(initial.map(eventText)).toEqual(['ADDED a', 'ADDED b', 'BOOKMARK end of initial events']);
        expect(BigInt(initial.at(-1)?.object.metadata.resourceVersion ?? '0')).toBeGreaterThanOrEqual(BigInt(b));
      },
    },
    {
      title: 'a watch-list of nothing sends only the bookmark',
      run: async (test) => {
        await test.open();
        const stream = await test.watch(WATCH_LIST);
        expect((await stream.take(1)).map(eventText)).toEqual(['BOOKMARK end of initial events']);
      },
    },
    {
      title: 'a watch-list at a version that is far ahead is one ERROR event with 504, and the end',
      run: async (test) => {
        const stream = await test.watch({ ...WATCH_LIST, resourceVersion: FUTURE_VERSION });
        const events = await stream.untilEnd();
        expect(events).toHaveLength(1);
        expect(events[0]).toMatchObject({
          type: 'ERROR',
          object: {
            kind: 'Status',
            apiVersion: 'v1',
            status: 'Failure',
            reason: 'Timeout',
            code: 504,
            details: { causes: [{ reason: 'ResourceVersionTooLarge' }] },
          },
        });
        expect(stream.end?.clean).toBe(true);
      },
    },
    {
      title: 'a watch without initial events begins with what changes from now on',
      run: async (test) => {
        const a = await test.add('a');
        await test.list({ resourceVersion: a });
        for (const resourceVersion of [undefined, 0]) {
          const query = { sendInitialEvents: false, resourceVersionMatch: 'NotOlderThan', resourceVersion };
          const stream = await test.watch(query);
          const version = await test.set('a', { value: String(resourceVersion) });
          const [event] = await stream.take(1);
          expect(event).toMatchObject({ type: 'MODIFIED', object: { metadata: { resourceVersion: version } } });
        }
      },
    },
    {
      title: 'a watch from a version shows every change after it, and none before',
      run: async (test) => {
        const [a = ''] = await test.addAll(['a', 'b']);
        await test.set('a', { value: '2' });
        await test.remove('b');
        const stream = await test.watch({ resourceVersion: a });
        expect((await stream.take(3)).map(eventText)).toEqual(['ADDED b', 'MODIFIED a', 'DELETED b']);
      },
    },
    {
      title: 'a watch from a version that is far ahead waits without a word',
      run: async (test) => {
        await test.open();
        const stream = await test.watch({ resourceVersion: FUTURE_VERSION, timeoutSeconds: 1 });
        await test.add('a');
        expect(await stream.untilEnd()).toEqual([]);
        expect(stream.end?.clean).toBe(true);
      },
    },
    {
      title: 'a watch from a forgotten version answers 200, one ERROR event with 410 Expired, and the end',
      run: async (test) => {
        for (const transport of WATCH_TRANSPORTS) {
          const stream = await test.watch({ resourceVersion: FORGOTTEN_VERSION }, { transport });
          const events = await stream.untilEnd();
          expect(events).toHaveLength(1);
          expect(events[0]).toMatchObject({
            type: 'ERROR',
            object: {
              kind: 'Status',
              apiVersion: 'v1',
              metadata: {},
              status: 'Failure',
              message: expect.stringMatching(/too old/u),
              reason: 'Expired',
              code: 410,
            },
          });
          expect(stream.end?.clean).toBe(true);
        }
      },
    },
    {
      title: 'a watch from a version that left the memory but not the history is served',
      unless: withoutHistory,
      run: async (test) => {
        const { collection, resourceVersion, events } = test.requirePast();
        const stream = await test.watch({ resourceVersion }, { path: collection });
        expect((await stream.take(events.length)).map(eventText)).toEqual(events);
      },
    },
    {
      title: 'a watch that is served from the history ends on time as well',
      unless: withoutHistory,
      run: async (test) => {
        const { collection, resourceVersion, events } = test.requirePast();
        const stream = await test.watch({ resourceVersion, timeoutSeconds: 1 }, { path: collection });
        expect((await stream.untilEnd()).map(eventText)).toEqual(events);
        expect(stream.end?.clean).toBe(true);
      },
    },
    {
      title: 'an old /watch/ path shows the current objects and then what changes',
      run: async (test) => {
        const version = await test.add('a');
        await test.list({ resourceVersion: version });
        const path = test.secrets.replace('/api/v1/', '/api/v1/watch/');
        const stream = await test.watch({ watch: undefined }, { path });
        expect((await stream.take(1)).map(eventText)).toEqual(['ADDED a']);
        await test.add('b');
        expect((await stream.take(1)).map(eventText)).toEqual(['ADDED b']);
        const from = await test.watch({ watch: undefined, resourceVersion: version }, { path });
        expect((await from.take(1)).map(eventText)).toEqual(['ADDED b']);
      },
    },
  ],
};
