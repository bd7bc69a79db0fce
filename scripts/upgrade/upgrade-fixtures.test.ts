import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { type ConfigMap, configMaps } from '@listwatch/kinds';
import { fileCheckpoint, informer } from '@listwatch/runtime';
import { openLmdbEngine } from '@listwatch/storage-lmdb';
import { startTestServer } from '@listwatch/testing';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

const FIXTURES = fileURLToPath(new URL('fixtures', import.meta.url));

let scratch = '';
beforeEach(() => {
  scratch = mkdtempSync(join(tmpdir(), 'listwatch-upgrade-'));
});
afterEach(() => rmSync(scratch, { recursive: true }));

function unpack(version: string, name: string, target: string): void {
  writeFileSync(target, gunzipSync(readFileSync(join(FIXTURES, version, `${name}.gz`))));
}

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
