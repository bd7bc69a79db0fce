import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { needs, startEtcd } from '@listwatch/conformance/parts';
import { type ConfigMap, configMaps, services } from '@listwatch/kinds';
import { fileCheckpoint, informer } from '@listwatch/runtime';
import { createEtcdEngine } from '@listwatch/storage-etcd';
import { openLmdbEngine } from '@listwatch/storage-lmdb';
import { startTestServer } from '@listwatch/testing';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ETCD_ROOT, type EtcdKeys, readObjects, restoreEtcd } from './etcd-keys.ts';
import {
  JOURNALS,
  journalFile,
  type RecordedRelay,
  recordedUpstream,
  relayedItems,
  withJournaledRelay,
} from './journaled-relay.ts';

const FIXTURES = fileURLToPath(new URL('fixtures', import.meta.url));

let scratch = '';
beforeEach(() => {
  scratch = mkdtempSync(join(tmpdir(), 'listwatch-upgrade-'));
});
afterEach(() => rmSync(scratch, { recursive: true }));

function unpack(version: string, name: string, target: string): void {
  writeFileSync(target, gunzipSync(readFileSync(join(FIXTURES, version, `${name}.gz`))));
}

describe.each(readdirSync(FIXTURES))('what %s has left in an etcd', needs('etcd'), (version) => {
  it('every object is as it was, a custom kind is served, an address stays taken, and writes are taken', async () => {
    const recorded: { readonly objects: readonly object[]; readonly keys: EtcdKeys } = JSON.parse(
      gunzipSync(readFileSync(join(FIXTURES, version, 'etcd.json.gz'))).toString(),
    );
    const etcd = await startEtcd();
    try {
      await restoreEtcd(etcd, recorded.keys);
      await using engine = createEtcdEngine({ endpoints: [etcd.endpoint], root: ETCD_ROOT, compaction: 'off' });
      await using env = await startTestServer({ engine });
      // Its kind is served when the server has read the CRD.
      await vi.waitFor(async () => expect(await readObjects(env.cluster)).toEqual(recorded.objects), {
        timeout: 20_000,
      });
      const { spec } = await env.cluster.get(services, { namespace: 'default', name: 'kept' });
      const second = env.cluster.create(services, {
        metadata: { namespace: 'default', name: 'second' },
        spec: { clusterIP: spec?.clusterIP ?? '', ports: [{ port: 80 }] },
      });
      await expect(second).rejects.toThrow('provided IP is already allocated');
      await env.cluster.create(configMaps, { metadata: { namespace: 'default', name: 'new' } });
    } finally {
      await etcd.stop();
    }
  });
});

describe.each(readdirSync(FIXTURES))('what %s has left on a disk', (version) => {
  const expected: readonly ConfigMap[] = JSON.parse(readFileSync(join(FIXTURES, version, 'expected.json'), 'utf8'));

  it('its store is sound, has every object as it was, and takes writes', async () => {
    mkdirSync(join(scratch, 'store'));
    unpack(version, 'data.mdb', join(scratch, 'store/data.mdb'));
    await using engine = await openLmdbEngine({ path: join(scratch, 'store') });
    expect(await engine.verify()).toEqual([]);
    await using env = await startTestServer({ engine });
    const { items } = await env.cluster.list(configMaps, { namespace: 'default' });
    expect(items).toEqual(expected);
    await env.cluster.create(configMaps, { metadata: { namespace: 'default', name: 'new' } });
    expect((await env.cluster.list(configMaps, { namespace: 'default' })).items).toHaveLength(expected.length + 1);
  });

  it('an informer begins with its checkpoint, and reports what has changed and what is gone', async () => {
    mkdirSync(join(scratch, 'store'));
    unpack(version, 'data.mdb', join(scratch, 'store/data.mdb'));
    unpack(version, 'config-maps.checkpoint', join(scratch, 'checkpoint'));
    await using engine = await openLmdbEngine({ path: join(scratch, 'store') });
    await using env = await startTestServer({ engine });
    const seen: string[] = [];
    await using cache = informer(env.cluster, configMaps, {
      namespace: 'default',
      checkpoint: fileCheckpoint(join(scratch, 'checkpoint')),
    });
    cache.on({ delete: ({ key }) => seen.push(`delete ${key}`) });
    await cache.synced;
    await vi.waitFor(() => expect(seen).toContain('delete default/removed'), { timeout: 20_000 });
    await vi.waitFor(() => expect(cache.store.get('default/changed')?.data?.['more']).toBe('x'), { timeout: 20_000 });
    expect(cache.store.list()).toHaveLength(expected.length);
  });
});

describe.each(readdirSync(FIXTURES))('what a relay of %s has left on a disk', (version) => {
  const recorded: RecordedRelay = JSON.parse(readFileSync(join(FIXTURES, version, 'relay.json'), 'utf8'));

  it.each(JOURNALS)('a relay goes on with its journals ($name), and lists nothing', async ({ name, kinds, key }) => {
    const items = recorded.journals[name] ?? {};
    mkdirSync(join(scratch, 'relay-journal'), { mode: 0o700 });
    for (const kind of kinds) {
      unpack(version, `${name}-${kind}.journal`, join(scratch, journalFile(kind)));
      chmodSync(join(scratch, journalFile(kind)), 0o600);
    }
    await using engine = await recordedUpstream(items);
    await using env = await startTestServer({ engine, listen: true });
    await withJournaledRelay(env, { recorded, kinds, journal: { folder: scratch, key } }, async (relay) => {
      for (const kind of kinds) expect(await relayedItems(relay, env, kind)).toEqual(items[kind]);
      const made = await env.cluster.create(configMaps, { metadata: { namespace: 'default', name: 'new' } });
      await vi.waitFor(async () => expect(await relayedItems(relay, env, 'configmaps')).toContainEqual(made), {
        timeout: 20_000,
      });
      for (const { feed, journal } of relay.state.kinds) {
        expect([feed.loads, feed.errors, journal?.failures]).toEqual([0, 0, 0]);
      }
    });
  });
});
