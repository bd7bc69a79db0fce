// `npm run upgrade:fixture`: what this version leaves on a disk, for upgrade-fixtures.test.ts of all later versions. Run it once for each
// release, and commit the folder. A fixture that exists is never written again: it is what that version has really written.

import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { configMaps } from '@listwatch/kinds';
import { deleted, fileCheckpoint, informer, waitFor } from '@listwatch/runtime';
import { openLmdbEngine } from '@listwatch/storage-lmdb';
import { startTestServer } from '@listwatch/testing';
import { publicPackages } from '../bundle.mjs';

const version = publicPackages()[0]?.manifest.version ?? '';
const target = fileURLToPath(new URL(`fixtures/${version}`, import.meta.url));
if (existsSync(target)) throw new Error(`${target} exists: a fixture is written once`);
const scratch = mkdtempSync(join(tmpdir(), 'listwatch-upgrade-'));
const store = join(scratch, 'store');
const checkpoint = join(scratch, 'config-maps.checkpoint');
try {
  const engine = await openLmdbEngine({ path: store });
  const env = await startTestServer({ engine });
  for (const name of ['kept', 'changed', 'removed']) {
    await env.cluster.create(configMaps, {
      metadata: { namespace: 'default', name },
      data: { by: version, text: 'é'.repeat(300) },
    });
  }
  const cache = informer(env.cluster, configMaps, { namespace: 'default', checkpoint: fileCheckpoint(checkpoint) });
  await cache.synced;
  await cache.close(); // writes the checkpoint
  // After it: what an informer of a later version must report.
  const merge = (name: string) =>
    env.cluster.patch(configMaps, { namespace: 'default', name }, { type: 'merge', body: { data: { more: 'x' } } });
  await merge('changed');
  await env.cluster.delete(configMaps, { namespace: 'default', name: 'removed' });
  await waitFor(env.cluster, configMaps, { namespace: 'default', name: 'removed' }, deleted);
  const { items } = await env.cluster.list(configMaps, { namespace: 'default' });
  await env.close();
  await engine.close();
  mkdirSync(target, { recursive: true });
  writeFileSync(join(target, 'data.mdb.gz'), gzipSync(readFileSync(join(store, 'data.mdb')), { level: 9 }));
  writeFileSync(join(target, 'config-maps.checkpoint.gz'), gzipSync(readFileSync(checkpoint), { level: 9 }));
  writeFileSync(join(target, 'expected.json'), `${JSON.stringify(items, null, 2)}\n`);
} finally {
  rmSync(scratch, { recursive: true });
}
