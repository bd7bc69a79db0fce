import { resource } from '@listwatch/api';
import { FakeClock } from '@listwatch/api/fake-clock';
import { createCluster, createLoopbackTransport } from '@listwatch/client';
import { expect, test } from 'vitest';
import { PlainKeeper } from '../store/object-keeper.ts';
import { StoreWriter } from '../store/store-writer.ts';
import { TrackedCluster } from './tracked-cluster.ts';
import { WriteTracker } from './write-tracker.ts';

const configMaps = resource({ version: 'v1', plural: 'configmaps', kind: 'ConfigMap', namespaced: true });
const answer = JSON.stringify({ kind: 'ConfigMap', metadata: { name: 'a', namespace: 'n', resourceVersion: '7' } });

test.each([
  ['an apply', {}, false],
  ['a dry run of an apply', { dryRun: true }, true],
])('%s: does the next reconcile go on without the cache?', async (_, options, settled) => {
  const transport = createLoopbackTransport({
    handle: async () => ({ status: 200, headers: { 'content-type': 'application/json' }, body: bytes() }),
  });
  const clock = new FakeClock();
  const tracker = new WriteTracker(clock, 1000);
  const { store } = new StoreWriter(new PlainKeeper('none'));
  const log = { key: 'k', signal: new AbortController().signal, tracker, storesOf: () => [store] };
  const cluster = new TrackedCluster(createCluster(transport, { server: 'test' }), log);
  await cluster.apply(configMaps, { metadata: { name: 'a', namespace: 'n' } }, options);
  const waiting = tracker.settled('k', log.signal);
  await clock.advance(1000);
  expect(await waiting).toBe(settled);
});

async function* bytes(): AsyncGenerator<Uint8Array> {
  yield new TextEncoder().encode(answer);
}
