/** WATCH: what becomes of a change on its way to a watcher. */

import { expect } from 'vitest';
import { WATCH_TRANSPORTS } from './api-client.ts';
import type { ServerSection } from './server-suite.ts';
import { configMap, expectStatus, valueOf } from './server-test.ts';
import { eventText, type WatchedEvent } from './watch-lines.ts';

export const watchEventCases: ServerSection = {
  title: 'WATCH: events',
  cases: [
    {
      title: 'an object that enters a selection is ADDED, leaves it as DELETED, and is silent outside of it',
      run: async (test) => {
        const version = await test.add('a', { labels: { app: 'db' }, value: '1' });
        const stream = await test.watch({ resourceVersion: version, labelSelector: 'app=web' });
        await test.set('a', { labels: { app: 'db' }, value: '2' });
        const entered = await test.set('a', { labels: { app: 'web' }, value: '3' });
        const changed = await test.set('a', { labels: { app: 'web' }, value: '4' });
        const left = await test.set('a', { labels: { app: 'db' }, value: '5' });
        await test.remove('a');
        await test.add('last', { labels: { app: 'web' } });
        const events = await stream.take(4);
        expect(events.map(summary)).toEqual([
          ['ADDED', 'a', entered, '3'],
          ['MODIFIED', 'a', changed, '4'],
          // The content that was selected, at the version of the change that ended it.
          ['DELETED', 'a', left, '4'],
          ['ADDED', 'last', expect.any(String), '1'],
        ]);
        expect(events[2]?.object.metadata.labels).toEqual({ app: 'web' });
      },
    },
    {
      title: 'a selection by field follows the same rule',
      run: async (test) => {
        await test.open();
        const name = test.namespace;
        const fieldSelector = `metadata.name=${name},status.phase=Active`;
        const stream = await test.watch({ fieldSelector }, { path: '/api/v1/namespaces' });
        expect((await stream.take(1)).map(eventText)).toEqual([`ADDED ${name}`]);
        expectStatus(await test.client.request('DELETE', `/api/v1/namespaces/${name}`), 200);
        const [gone] = await stream.take(1);
        expect(gone).toMatchObject({ type: 'DELETED', object: { kind: 'Namespace', status: { phase: 'Active' } } });
      },
    },
    {
      title: 'a deletion shows the last state at the version of the deletion',
      run: async (test) => {
        const version = await test.add('a', { value: 'last' });
        const stream = await test.watch({ resourceVersion: version });
        await test.remove('a');
        const after = await test.add('a', { value: 'next' });
        const [removed, added] = await stream.take(2);
        expect([removed && eventText(removed), removed && valueOf(removed.object)]).toEqual(['DELETED a', 'last']);
        const deletion = BigInt(removed?.object.metadata.resourceVersion ?? '0');
        expect(deletion).toBeGreaterThan(BigInt(version));
        expect(deletion).toBeLessThan(BigInt(after));
        expect(added).toMatchObject({ type: 'ADDED', object: { metadata: { resourceVersion: after } } });
      },
    },
    {
      title: 'a write that changes nothing and a dry run are no events',
      run: async (test) => {
        await test.create('a', { data: { k: 'v' } });
        const { version } = await test.client.get(`${test.configMaps}/a`);
        const stream = await test.watch({ resourceVersion: version }, { path: test.configMaps });
        const write = (body: unknown, query = {}): Promise<unknown> =>
          test.client.request('PUT', `${test.configMaps}/a`, { body, query });
        await write(configMap('a', { data: { k: 'v' } }));
        await write(configMap('a', { data: { k: 'dry' } }), { dryRun: 'All' });
        await test.client.request('DELETE', `${test.configMaps}/a`, { query: { dryRun: 'All' } });
        await write(configMap('a', { data: { k: 'wet' } }));
        const events = await takeOf(stream, 'a', 1);
        expect(events[0]).toMatchObject({ type: 'MODIFIED', object: { data: { k: 'wet' } } });
      },
    },
    {
      title: 'a deletion that waits for a finalizer is MODIFIED first and DELETED when the finalizer is gone',
      run: async (test) => {
        const version = await test.add('a', { finalizers: ['example.com/wait'] });
        const stream = await test.watch({ resourceVersion: version });
        await test.remove('a');
        await test.set('a', { finalizers: [] });
        const [marked, removed] = await stream.take(2);
        expect(marked).toMatchObject({
          type: 'MODIFIED',
          object: { metadata: { name: 'a', deletionTimestamp: expect.any(String), finalizers: ['example.com/wait'] } },
        });
        expect(removed && eventText(removed)).toBe('DELETED a');
      },
    },
    {
      title: 'a burst reaches every transport whole, in order and with the same words',
      run: async (test) => {
        const start = await test.add('a');
        const streams = await Promise.all(
          WATCH_TRANSPORTS.map((transport) => test.watch({ resourceVersion: start }, { transport })),
        );
        const versions: string[] = [];
        for (let round = 0; round < 25; round += 1) {
          versions.push(await test.set('a', { value: `${round}` }), await test.add(`n${round}`));
        }
        for (const stream of streams) {
          const events = await stream.take(versions.length);
          expect(events.map(({ object }) => object.metadata.resourceVersion)).toEqual(versions);
          expect(events).toEqual(streams[0]?.events);
        }
      },
    },
    {
      title: 'a watch resumed after any event goes on without a gap and without a repetition',
      run: async (test) => {
        let version = await test.add('a');
        const expected: string[] = [];
        for (let round = 0; round < 10; round += 1) expected.push(await test.set('a', { value: `${round}` }));
        const seen: string[] = [];
        for (let turn = 0; seen.length < expected.length; turn += 1) {
          const transport = WATCH_TRANSPORTS[turn % WATCH_TRANSPORTS.length];
          const stream = await test.watch({ resourceVersion: version }, { transport });
          const taken = await stream.take(Math.min(1 + (turn % 3), expected.length - seen.length));
          stream.close();
          for (const { object } of taken) seen.push(object.metadata.resourceVersion ?? '');
          version = seen.at(-1) ?? version;
        }
        expect(seen).toEqual(expected);
      },
    },
    {
      title: 'the object of an event is the object that the write was answered with',
      run: async (test) => {
        await test.open();
        const { version } = await test.client.get(test.configMaps);
        const stream = await test.watch({ resourceVersion: version }, { path: test.configMaps });
        const created = expectStatus(await test.create('a', { data: { k: 'ü "€" \u2028' } }), 201).document;
        const [event] = await takeOf(stream, 'a', 1);
        expect(event?.object).toEqual(created);
      },
    },
  ],
};

function summary({ type, object }: WatchedEvent): readonly unknown[] {
  return [type, object.metadata.name, object.metadata.resourceVersion, valueOf(object)];
}

/** The next events of one object: in a new namespace a real cluster writes ConfigMaps of its own. */
async function takeOf(
  stream: { next(): Promise<WatchedEvent | undefined> },
  name: string,
  count: number,
): Promise<readonly WatchedEvent[]> {
  const taken: WatchedEvent[] = [];
  while (taken.length < count) {
    const event = await stream.next();
    if (event === undefined) break;
    if (event.object.metadata.name === name) taken.push(event);
  }
  return taken;
}
