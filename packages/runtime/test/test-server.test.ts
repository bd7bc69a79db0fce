import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ApiObject, resource } from '@listwatch/api';
import { eventually } from '@listwatch/conformance/storage';
import { startTestServer, type TestEnvironment } from '@listwatch/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  fileCheckpoint,
  type Informer,
  type InformerOptions,
  informer,
  type StoreChange,
  sharedInformers,
  watcher,
} from '../src/node.ts';

interface ConfigMap extends ApiObject {
  readonly data?: Readonly<Record<string, string>>;
}

const configMaps = resource<ConfigMap>({ version: 'v1', plural: 'configmaps', kind: 'ConfigMap', namespaced: true });

let env: TestEnvironment;
let open: Informer<ConfigMap>[];

beforeEach(async () => {
  env = await startTestServer();
  open = [];
});

afterEach(async () => {
  env.faults.restoreAll();
  for (const one of open) await one.close();
  await eventually('no watch is left open', () => env.faults.watches === 0);
  await env.close();
});

function start(options: InformerOptions<ConfigMap> = {}): Informer<ConfigMap> {
  const made = informer(env.cluster, configMaps, {
    namespace: 'default',
    backoff: { initialMs: 5, maxMs: 50 },
    onWarning: ({ message }) => expect.fail(message),
    ...options,
  });
  open.push(made);
  return made;
}

/** Writes one, and answers with its version. */
async function put(name: string, value = ''): Promise<string> {
  const [written] = await env.apply({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data: { value } });
  return written?.metadata.resourceVersion ?? '';
}

async function remove(name: string): Promise<void> {
  await env.cluster.delete(configMaps, { namespace: 'default', name });
}

function isWatch({ path }: { readonly path: string }): boolean {
  return path.includes('watch=true');
}

function record(source: Informer<ConfigMap>): string[] {
  const said: string[] = [];
  const note = (change: StoreChange<ConfigMap>): void => {
    const missed = change.type === 'delete' && !change.finalStateKnown ? '?' : '';
    said.push(`${change.type}${missed} ${change.object.metadata.name}${change.object.data?.['value'] ?? ''}`);
  };
  source.on({ add: note, update: note, delete: note });
  return said;
}

for (const initialStrategy of ['auto', 'listWatch'] as const) {
  for (const compact of [false, true]) {
    describe(`against our server (${initialStrategy}, ${compact ? 'compact' : 'plain'})`, () => {
      const options = { initialStrategy, compact, pageSize: 2 } as const;

      it('fills, follows, and lets a writer read its write', async () => {
        for (const name of ['a', 'b', 'c', 'd', 'e']) await put(name);
        const web = start(options);
        await web.synced;
        expect(web.store.size).toBe(5);
        await web.store.waitFor(await put('a', '1'));
        expect(web.store.get('default/a')).toMatchObject({ kind: 'ConfigMap', data: { value: '1' } });
        await remove('b');
        await eventually('the delete arrives', () => !web.store.has('default/b'));
      });

      it('survives cuts, torn frames and 429, and resumes without a list', async () => {
        await put('a');
        const web = start(options);
        const said = record(web);
        await web.synced;
        env.faults.cutWatches();
        await web.store.waitFor(await put('a', '1'));
        env.faults.tearFrame();
        await web.store.waitFor(await put('a', '2'));
        env.faults.tooManyRequests(2);
        env.faults.cutWatches({ how: 'clean' });
        await web.store.waitFor(await put('a', '3'));
        await eventually('all of it was told', () => said.length === 4);
        expect(said).toEqual(['add a', 'update a1', 'update a2', 'update a3']);
      });

      it('after a real 410 reports what was deleted meanwhile', async () => {
        for (const name of ['a', 'b', 'c']) await put(name);
        const web = start(options);
        const said = record(web);
        await web.synced;
        await eventually('it is live', () => said.length === 3 && env.faults.watches === 1);
        const silence = env.faults.halfOpen({ match: isWatch });
        await remove('a');
        await put('b', '2');
        await remove('c');
        await put('c', '3');
        await env.faults.compactNow();
        silence.restore();
        env.faults.cutWatches();
        await eventually('all of it was told', () => said.length === 7);
        expect(said.slice(3).toSorted()).toEqual(['add c3', 'delete? a', 'delete? c', 'update b2']);
        expect(web.status.phase).toBe('live');
      });
    });
  }
}

describe('against our server', () => {
  it('a marker that is lost on the way: pages, once', async () => {
    await put('a');
    env.faults.dropInitialEventsEnd();
    const web = start({ markerQuietMs: 50 });
    await web.synced;
    expect(web.store.size).toBe(1);
  });

  it('a watcher tells the state and the changes, and break closes its watch', async () => {
    await put('a');
    const said: string[] = [];
    for await (const event of watcher(env.cluster, configMaps, { namespace: 'default' })) {
      said.push(event.type);
      if (event.type === 'initDone') await put('b');
      if (event.type === 'apply') break;
    }
    expect(said).toEqual(['init', 'initApply', 'initDone', 'apply']);
  });

  it('only the metadata, only what matches', async () => {
    await env.apply({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'a', labels: { app: 'web' } },
      data: { k: 'v' },
    });
    await put('b');
    const web = start({ projection: 'metadata', labelSelector: 'app=web' });
    const said = record(web);
    await web.synced;
    expect(web.store.list()).toMatchObject([{ kind: 'PartialObjectMetadata', metadata: { name: 'a' } }]);
    expect(web.store.get('default/a')?.data).toBeUndefined();
    await put('a');
    await eventually('it has left the selection', () => said.at(-1) === 'delete a');
  });

  it('shared informers keep one watch for many', async () => {
    await using shared = sharedInformers(env.cluster);
    const all = Array.from({ length: 20 }, () => shared.informer(configMaps));
    await Promise.all(all.map(({ synced }) => synced));
    expect([shared.size, env.faults.watches]).toEqual([1, 1]);
  });

  it('a restart is ready from its checkpoint and resumes its watch; deletes of the meantime are reported', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'listwatch-runtime-'));
    try {
      const checkpoint = fileCheckpoint(join(folder, 'maps'));
      for (const name of ['a', 'b']) await put(name);
      const first = start({ checkpoint });
      await first.synced;
      await first.close();
      await remove('a');
      await put('b', '2');
      const second = start({ checkpoint });
      const said = record(second);
      await eventually('it has caught up', () => said.length >= 4);
      expect(said).toEqual(['add a', 'add b', 'delete a', 'update b2']);
      await second.close();
      await remove('b');
      await env.faults.compactNow();
      const third = start({ checkpoint });
      const later = record(third);
      await eventually('it has listed', () => later.length >= 2);
      expect(later).toEqual(['add b2', 'delete? b2']);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
