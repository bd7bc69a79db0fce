// `npm run upgrade:fixture`: what this version leaves on a disk, for upgrade-fixtures.test.ts of all later versions. Run it once for each
// release, and commit the folder. A fixture that exists is never written again.

import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { startEtcd } from '@listwatch/conformance/parts';
import { configMaps, namespaces, secrets } from '@listwatch/kinds';
import { deleted, fileCheckpoint, informer, waitFor } from '@listwatch/runtime';
import { createMemoryEngine } from '@listwatch/storage';
import { createEtcdEngine } from '@listwatch/storage-etcd';
import { openLmdbEngine } from '@listwatch/storage-lmdb';
import { startTestServer } from '@listwatch/testing';
import { publicPackages } from '../bundle.mjs';
import { BACKUP_CRD, createObjects, dumpEtcd, ETCD_ROOT, readObjects } from './etcd-keys.ts';
import { JOURNALS, journalFile, relayedItems, withJournaledRelay } from './journaled-relay.ts';

const version = publicPackages()[0]?.manifest.version ?? '';
const target = fileURLToPath(new URL(`fixtures/${version}`, import.meta.url));
mkdirSync(target, { recursive: true });
/** A fixture that exists is what that version has really written: it stays. */
function isMissing(file: string): boolean {
  const exists = existsSync(join(target, file));
  if (exists) console.log(`${file} of ${version} exists: a fixture is written once`);
  return !exists;
}

if (isMissing('data.mdb.gz')) await writeStore();
if (isMissing('etcd.json.gz')) await writeEtcdKeys();
if (isMissing('relay.json')) await writeJournals();

async function writeStore(): Promise<void> {
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
    writeFileSync(join(target, 'data.mdb.gz'), gzipSync(readFileSync(join(store, 'data.mdb')), { level: 9 }));
    writeFileSync(join(target, 'config-maps.checkpoint.gz'), gzipSync(readFileSync(checkpoint), { level: 9 }));
    writeFileSync(join(target, 'expected.json'), `${JSON.stringify(items, null, 2)}\n`);
  } finally {
    rmSync(scratch, { recursive: true });
  }
}

async function writeJournals(): Promise<void> {
  const scratch = mkdtempSync(join(tmpdir(), 'listwatch-upgrade-'));
  try {
    await using engine = createMemoryEngine({ firstRevision: 1n });
    await using env = await startTestServer({ engine, listen: true });
    const write = async (kind: typeof configMaps | typeof secrets, name: string) =>
      env.cluster.create(kind, {
        metadata: { namespace: 'default', name },
        data: { by: Buffer.from(`${version} é`).toString('base64') },
      });
    for (const name of ['kept', 'removed']) await write(configMaps, name);
    await write(secrets, 'kept');
    const { metadata } = await env.cluster.get(namespaces, { name: 'kube-system' });
    const recorded = { release: '', cluster: metadata.uid ?? '', journals: {} as Record<string, unknown> };
    for (const { name, kinds, key } of JOURNALS) {
      const folder = join(scratch, name);
      await withJournaledRelay(env, { journal: { folder, key }, kinds }, async (relay) => {
        recorded.release = relay.state.upstream.version;
        // After the base: a record of each sort is in the file.
        await env.cluster.delete(configMaps, { namespace: 'default', name: 'removed' });
        const { resourceVersion: revision } = (await write(configMaps, 'removed')).metadata;
        const heard = () => relay.state.kinds.find(({ kind }) => kind === 'configmaps')?.resourceVersion;
        while (heard() !== revision) await setTimeout(10);
        const lists = await Promise.all(kinds.map(async (kind) => [kind, await relayedItems(relay, env, kind)]));
        recorded.journals[name] = Object.fromEntries(lists);
      });
      for (const kind of kinds) {
        const file = readFileSync(join(folder, journalFile(kind)));
        writeFileSync(join(target, `${name}-${kind}.journal.gz`), gzipSync(file, { level: 9 }));
      }
    }
    writeFileSync(join(target, 'relay.json'), `${JSON.stringify(recorded, null, 2)}\n`);
  } finally {
    rmSync(scratch, { recursive: true });
  }
}

async function writeEtcdKeys(): Promise<void> {
  const etcd = await startEtcd();
  try {
    await using engine = createEtcdEngine({ endpoints: [etcd.endpoint], root: ETCD_ROOT, compaction: 'off' });
    await using env = await startTestServer({ engine, crds: [BACKUP_CRD] });
    await createObjects(env.cluster);
    const recorded = { objects: await readObjects(env.cluster), keys: await dumpEtcd(etcd) };
    writeFileSync(join(target, 'etcd.json.gz'), gzipSync(JSON.stringify(recorded), { level: 9 }));
  } finally {
    await etcd.stop();
  }
}
