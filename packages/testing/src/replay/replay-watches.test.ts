import type { WatchRecording } from '@listwatch/api/console';
import { FakeClock } from '@listwatch/api/fake-clock';
import { decorateCluster } from '@listwatch/client';
import { configMaps } from '@listwatch/kinds';
import { expect, it } from 'vitest';
import { startTestServer } from '../start-test-server.ts';
import { replayWatches } from './replay-watches.ts';

function frame(type: string, name: string, resourceVersion: string): readonly [number, string] {
  const object = { kind: 'ConfigMap', apiVersion: 'v1', metadata: { name, namespace: 'default', resourceVersion } };
  return [0, JSON.stringify({ type, object })];
}

const path = '/api/v1/namespaces/default/configmaps?watch=true&resourceVersion=1';
const recording: WatchRecording = {
  format: 'listwatch-recording/v1',
  recordedAt: '2026-11-16T10:00:00Z',
  server: 'https://127.0.0.1:6443',
  watches: [
    { path, accept: 'application/json', status: 200, end: 'broken', frames: [frame('ADDED', 'a', '100')] },
    { path, accept: 'application/json', status: 0, end: 'broken', frames: [] },
    { path, accept: 'application/json', status: 200, end: 'clean', frames: [frame('MODIFIED', 'a', '101')] },
  ],
};

it('answers watches with what was recorded, ends included, and then with the server', async () => {
  await using env = await startTestServer();
  await env.cluster.create(configMaps, { metadata: { namespace: 'default', name: 'real' } });
  const replayed = decorateCluster(env.cluster, replayWatches(recording));
  const query = { namespace: 'default', resourceVersion: '1' };
  const names = async (): Promise<string[]> => {
    const seen: string[] = [];
    try {
      for await (const event of replayed.watch(configMaps, query)) {
        if (event.type !== 'BOOKMARK' && event.type !== 'ERROR')
          seen.push(`${event.type} ${event.object.metadata.name}`);
      }
      seen.push('end');
    } catch (error) {
      seen.push(error instanceof Error && 'code' in error ? String(error.code) : 'unknown');
    }
    return seen;
  };
  expect(await names()).toEqual(['ADDED a', 'CLOSED']);
  expect(await names()).toEqual(['CLOSED']);
  expect(await names()).toEqual(['MODIFIED a', 'end']);
  // Lists were never replayed, and neither is what comes after the last recorded watch.
  expect(
    (await replayed.list(configMaps, { namespace: 'default' })).items.map(({ metadata }) => metadata.name),
  ).toEqual(['real']);
  for await (const event of replayed.watch(configMaps, { namespace: 'default' })) {
    expect(event.type === 'ADDED' && event.object.metadata.name).toBe('real');
    break;
  }
});

it('keeps the times of the recording when it is told to', async () => {
  const clock = new FakeClock();
  await using env = await startTestServer({ clock });
  const late = {
    ...recording,
    watches: [
      { path, accept: '', status: 200, end: 'open' as const, frames: [[500, frame('ADDED', 'a', '1')[1]] as const] },
    ],
  };
  const replayed = decorateCluster(env.cluster, replayWatches(late, { timing: 'recorded', clock }));
  const events = replayed.watch(configMaps, { namespace: 'default', heartbeatMs: 0 })[Symbol.asyncIterator]();
  let arrived = false;
  const first = events.next().then(() => {
    arrived = true;
    return undefined;
  });
  await clock.advance(499);
  expect(arrived).toBe(false);
  await clock.advance(1);
  await first;
  await events.return?.();
});

it('refuses what is no recording', () => {
  // @ts-expect-error: the file of something else
  expect(() => replayWatches({ format: 'har' })).toThrow(/not a recording of watches: its format is "har"/u);
});
