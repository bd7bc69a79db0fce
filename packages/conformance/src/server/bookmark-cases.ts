/** Bookmarks: when they come, and what they promise. */

import { expect } from 'vitest';
import { WATCH_TRANSPORTS } from './api-client.ts';
import type { ServerCase, ServerSection } from './server-suite.ts';
import { eventText } from './watch-lines.ts';

/** The last bookmark is due two seconds before the deadline. */
const TIMEOUT_SECONDS = 4;

const beforeTheEnd: readonly ServerCase[] = WATCH_TRANSPORTS.map((transport) => ({
  title: `before its timeout a watch over ${transport} gets a bookmark from which it can be resumed`,
  run: async (test) => {
    const start = await test.add('a');
    const stream = await test.watch(
      { resourceVersion: start, allowWatchBookmarks: true, timeoutSeconds: TIMEOUT_SECONDS },
      { transport },
    );
    const last = await test.set('a', { value: '2' });
    const events = await stream.untilEnd();
    // kube-apiserver looks once a second who is due, and may find one twice.
    expect([...new Set(events.map(eventText))]).toEqual(['MODIFIED a', 'BOOKMARK']);
    const bookmark = events.at(-1)?.object;
    expect(bookmark).toMatchObject({ kind: 'Secret', apiVersion: 'v1' });
    expect(Object.keys(bookmark?.metadata ?? {})).toEqual(['resourceVersion']);
    expect(BigInt(bookmark?.metadata.resourceVersion ?? '0')).toBeGreaterThanOrEqual(BigInt(last));
    const resumed = await test.watch({ resourceVersion: bookmark?.metadata.resourceVersion }, { transport });
    await test.add('b');
    expect((await resumed.take(1)).map(eventText)).toEqual(['ADDED b']);
  },
}));

export const bookmarkCases: ServerSection = {
  title: 'bookmarks',
  cases: [
    ...beforeTheEnd,
    {
      title: 'a watch that does not allow bookmarks gets none',
      run: async (test) => {
        const start = await test.add('a');
        const stream = await test.watch({ resourceVersion: start, timeoutSeconds: TIMEOUT_SECONDS });
        await test.set('a', { value: '2' });
        expect((await stream.untilEnd()).map(eventText)).toEqual(['MODIFIED a']);
      },
    },
    {
      title: 'a watch that selects nothing still gets a bookmark, at a version that others wrote',
      run: async (test) => {
        const start = await test.add('a');
        const query = { labelSelector: 'none', allowWatchBookmarks: true, timeoutSeconds: TIMEOUT_SECONDS };
        const stream = await test.watch({ resourceVersion: start, ...query });
        const last = await test.set('a', { value: '2' });
        const events = await stream.untilEnd();
        // kube-apiserver looks once a second who is due, and may find one twice.
        expect(new Set(events.map(eventText))).toEqual(new Set(['BOOKMARK']));
        expect(BigInt(events.at(-1)?.object.metadata.resourceVersion ?? '0')).toBeGreaterThanOrEqual(BigInt(last));
      },
    },
  ],
};
