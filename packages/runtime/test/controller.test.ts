import { type ApiObject, resource } from '@listwatch/api';
import { FakeClock } from '@listwatch/api/fake-clock';
import { eventually } from '@listwatch/conformance/storage';
import { startTestServer, type TestEnvironment } from '@listwatch/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  type Controller,
  type ControllerOptions,
  controller,
  generationChanged,
  type Logger,
  ownerReference,
  TerminalError,
} from '../src/index.ts';

interface ConfigMap extends ApiObject {
  readonly data?: Readonly<Record<string, string>>;
}

const configMaps = resource<ConfigMap>({ version: 'v1', plural: 'configmaps', kind: 'ConfigMap', namespaced: true });
const secrets = resource({ version: 'v1', plural: 'secrets', kind: 'Secret', namespaced: true });
const namespaces = resource({ version: 'v1', plural: 'namespaces', kind: 'Namespace', namespaced: false });
const nodes = resource({ version: 'v1', plural: 'nodes', kind: 'Node', namespaced: false });

let env: TestEnvironment<FakeClock>;
let stop: AbortController;
let running: Promise<void>[];

beforeEach(async () => {
  env = await startTestServer({ clock: new FakeClock() });
  stop = new AbortController();
  running = [];
});

afterEach(async () => {
  stop.abort();
  await Promise.allSettled(running);
  await env.close();
});

function start(options: Omit<ControllerOptions<ConfigMap>, 'for'>): Controller {
  const started = controller<ConfigMap>(env.cluster, { for: configMaps, stopGraceMs: 0, ...options });
  running.push(started.run({ signal: stop.signal }));
  return started;
}

const write = (name: string, data: Readonly<Record<string, string>> = {}): Promise<unknown> =>
  env.apply({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data });

describe('a controller', () => {
  it('reconciles what is there once its caches are complete, and then what changes', async () => {
    await write('a');
    await write('b');
    const seen: string[] = [];
    const sizes: number[] = [];
    start({
      reconcile: ({ key, object }, context) => {
        sizes.push(context.store(configMaps).size);
        seen.push(`${key.toString()} ${object?.data?.['v'] ?? '-'}`);
      },
    });
    await eventually('the first two', () => seen.length === 2);
    expect(seen.toSorted()).toEqual(['default/a -', 'default/b -']);
    expect(sizes).toEqual([2, 2]);
    await write('a', { v: '1' });
    await eventually('the change', () => seen.includes('default/a 1'));
    await env.cluster.delete(configMaps, { namespace: 'default', name: 'b' });
    await eventually('the delete, without an object', () => seen.length === 4 && seen[3] === 'default/b -');
  });

  it('never runs a key twice at once, and runs it once more for all changes meanwhile', async () => {
    const gates: (() => void)[] = [];
    let active = 0;
    let most = 0;
    start({
      concurrency: 4,
      reconcile: async () => {
        active++;
        most = Math.max(most, active);
        await new Promise<void>((resolve) => gates.push(resolve));
        active--;
      },
    });
    await write('a');
    await eventually('the first run', () => gates.length === 1);
    for (const v of ['1', '2', '3']) await write('a', { v });
    await env.clock.advance(0);
    expect(gates).toHaveLength(1);
    gates[0]?.();
    await eventually('one more run', () => gates.length === 2);
    gates[1]?.();
    await eventually('rest', () => active === 0);
    await env.clock.advance(1000);
    expect([gates.length, most]).toEqual([2, 1]);
  });

  it('reconciles the owner when an owned object changes, goes, or changes its owner', async () => {
    await write('owner');
    await write('other');
    const [owner] = await env.cluster
      .list(configMaps, { fieldSelector: 'metadata.name=owner' })
      .then(({ items }) => items);
    if (owner === undefined) throw new Error('no owner');
    const seen: string[] = [];
    start({ owns: [secrets], reconcile: ({ key }) => void seen.push(String(key)) });
    await eventually('the first two', () => seen.length === 2);
    const ownerReferences = [ownerReference(configMaps, owner)];
    await env.cluster.create(secrets, { metadata: { name: 's', namespace: 'default', ownerReferences } });
    await eventually('the owner', () => seen.length === 3);
    await env.cluster.patch(
      secrets,
      { namespace: 'default', name: 's' },
      { type: 'merge', body: { metadata: { ownerReferences: null } } },
    );
    await eventually('the owner that it had', () => seen.length === 4);
    expect(seen.slice(2)).toEqual(['default/owner', 'default/owner']);
    expect(ownerReferences[0]).toMatchObject({ apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', controller: true });
  });

  it('reconciles the owner of an object that was created and deleted before the controller heard of it', async () => {
    let runs = 0;
    const name = { namespace: 'default', name: 's' };
    start({
      owns: [secrets],
      reconcile: async ({ object }, { applyManifest, store }) => {
        if (object?.data?.['secret'] !== 'yes') return;
        runs += 1;
        if (store(secrets).get(name) === undefined)
          await applyManifest({ apiVersion: 'v1', kind: 'Secret', metadata: { name: 's' } });
      },
    });
    await write('a');
    await eventually('the caches', () => env.faults.watches >= 2);
    const watch = env.faults.stall({ match: isWatchOfSecrets });
    await write('a', { secret: 'yes' });
    await eventually('the first run', () => runs === 1);
    await eventually('the secret', async () => (await env.cluster.list(secrets)).items.length === 1);
    await env.cluster.delete(secrets, name);
    watch.restore();
    await eventually('the secret, again', async () => (await env.cluster.list(secrets)).items.length === 1);
  });

  it('maps other objects to keys, by their old and their new state', async () => {
    const seen: string[] = [];
    start({
      watches: [
        { resource: secrets, map: ({ metadata }) => [{ namespace: 'x', name: metadata.labels?.['for'] ?? 'none' }] },
      ],
      reconcile: ({ key }) => void seen.push(`${key.namespace} ${key.name}`),
    });
    await env.cluster.create(secrets, { metadata: { name: 's', namespace: 'default', labels: { for: 'a' } } });
    await eventually('a', () => seen.length === 1);
    await env.cluster.patch(
      secrets,
      { namespace: 'default', name: 's' },
      { type: 'merge', body: { metadata: { labels: { for: 'b' } } } },
    );
    await eventually('a and b', () => seen.length === 3);
    expect(seen.toSorted()).toEqual(['x a', 'x a', 'x b']);
  });

  it('keys of the cluster have no namespace, and a predicate keeps changes out', async () => {
    const seen: unknown[] = [];
    const node = controller(env.cluster, {
      for: nodes,
      stopGraceMs: 0,
      predicate: generationChanged,
      reconcile: ({ key }) => void seen.push([key.namespace, key.name, key.toString()]),
    });
    running.push(node.run({ signal: stop.signal }));
    await env.apply({ apiVersion: 'v1', kind: 'Node', metadata: { name: 'n' } });
    await eventually('the node', () => seen.length === 1);
    await env.apply({ apiVersion: 'v1', kind: 'Node', metadata: { name: 'n', labels: { a: 'b' } } });
    await env.apply({ apiVersion: 'v1', kind: 'Node', metadata: { name: 'last' } });
    await eventually('the other node', () => seen.length === 2);
    expect(seen).toEqual([
      [undefined, 'n', 'n'],
      [undefined, 'last', 'last'],
    ]);
  });
});

describe('a reconcile that fails', () => {
  it('is tried again after 5, 10, 20 ms, and counted; a TerminalError is not tried again', async () => {
    const lines: string[] = [];
    const line = (_facts: object, message: string): void => void lines.push(message);
    const logger: Logger = { debug: line, info: line, warn: line, error: line };
    const failures: number[] = [];
    const { metrics } = start({
      logger,
      reconcile: (_request, context) => {
        failures.push(context.failures);
        if (failures.length < 4) throw new Error('not yet');
        throw new TerminalError('never');
      },
    });
    await write('a');
    for (const [runs, ms] of [
      [1, 5],
      [2, 10],
      [3, 20],
    ] as const) {
      await eventually(`run ${runs}`, () => failures.length === runs);
      await env.clock.advance(ms - 1);
      expect(failures).toHaveLength(runs);
      await env.clock.advance(1);
    }
    await eventually('the last run', () => failures.length === 4 && metrics.active === 0);
    await env.clock.advance(2_000_000);
    expect(failures).toEqual([0, 1, 2, 3]);
    expect(metrics.reconciles).toMatchObject({ error: 3, terminal_error: 1 });
    expect(lines).toContain('the reconcile failed for good; it is not retried until the object changes');
  });

  it('by taking too long has its signal aborted, and its key stays locked until it ends', async () => {
    let runs = 0;
    const { metrics } = start({
      reconcileTimeoutMs: 100,
      reconcile: (_request, { signal }) => {
        runs++;
        if (runs > 1) return undefined;
        return new Promise((_, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason));
        });
      },
    });
    await write('a');
    await eventually('the run', () => runs === 1);
    await write('a', { v: '1' });
    await env.clock.advance(99);
    expect([runs, metrics.queue.longestRunningMs]).toEqual([1, 99]);
    await env.clock.advance(1);
    await eventually('the next run', () => runs === 2);
    expect(metrics.reconciles).toMatchObject({ timeout: 1 });
  });
});

it('a reconcile may ask for another after a time, which a change comes before', async () => {
  let runs = 0;
  const { metrics } = start({
    reconcile: () => {
      runs++;
      return { requeueAfterMs: 30_000 };
    },
  });
  await write('a');
  await eventually('the first', () => runs === 1 && metrics.active === 0);
  await env.clock.advance(29_999);
  expect(runs).toBe(1);
  await env.clock.advance(1);
  await eventually('the second', () => runs === 2 && metrics.active === 0);
  await write('a', { v: '1' });
  await eventually('the third', () => runs === 3 && metrics.active === 0);
  await env.clock.advance(29_999);
  expect(runs).toBe(3);
});

const isWatchOfSecrets = ({ path }: { readonly path: string }): boolean =>
  path.includes('/secrets') && path.includes('watch=');

describe('read your writes', () => {
  it('the next reconcile waits until the cache shows what the last one wrote', async () => {
    const counts: number[] = [];
    let synced = false;
    start({
      watches: [{ resource: secrets, map: () => [] }],
      reconcile: async ({ key }, { cluster, store }) => {
        if (key.name === 'sync') {
          synced = true;
          return undefined;
        }
        counts.push(store(secrets).size);
        if (counts.length > 1) return undefined;
        await cluster.create(secrets, { metadata: { name: key.name, namespace: 'default' } });
        return { requeueAfterMs: 1 };
      },
    });
    await write('sync');
    await eventually('the caches', () => synced);
    const watch = env.faults.stall({ match: isWatchOfSecrets });
    await write('a');
    await eventually('the first run', () => counts.length === 1);
    await env.clock.advance(10);
    expect(counts).toEqual([0]);
    watch.restore();
    await eventually('the second run', () => counts.length === 2);
    expect(counts).toEqual([0, 1]);
  });

  it('waits for deletes too, and no longer than its limit', async () => {
    await env.cluster.create(secrets, { metadata: { name: 's', namespace: 'default' } });
    const counts: number[] = [];
    let synced = false;
    const { metrics } = start({
      readYourWritesMs: 500,
      watches: [{ resource: secrets, map: () => [] }],
      reconcile: async ({ key }, { cluster, store }) => {
        if (key.name === 'sync') {
          synced = true;
          return undefined;
        }
        counts.push(store(secrets).size);
        if (counts.length > 1) return undefined;
        await cluster.delete(secrets, { namespace: 'default', name: 's' });
        return { requeueAfterMs: 1 };
      },
    });
    await write('sync');
    await eventually('the caches', () => synced);
    env.faults.stall({ match: isWatchOfSecrets });
    await write('a');
    await eventually('the first run', () => counts.length === 1 && metrics.active === 0);
    await env.clock.advance(1);
    await env.clock.advance(499);
    expect(counts).toEqual([1]);
    await env.clock.advance(1);
    await eventually('the second run', () => counts.length === 2);
    expect([counts, metrics.staleStarts]).toEqual([[1, 1], 1]);
  });
});

describe('a stop', () => {
  it('lets a running reconcile end, starts no other, and then resolves', async () => {
    const gates: (() => void)[] = [];
    let ended = 0;
    let isOver = false;
    const started = controller<ConfigMap>(env.cluster, {
      for: configMaps,
      reconcile: async () => {
        await new Promise<void>((resolve) => gates.push(resolve));
        expect(isOver).toBe(false);
        ended++;
      },
    });
    await write('a');
    await write('b');
    const run = async (): Promise<void> => {
      await started.run({ signal: stop.signal });
      isOver = true;
    };
    const ran = run();
    await eventually('the first run', () => gates.length === 1);
    stop.abort();
    await env.clock.advance(9999);
    expect(isOver).toBe(false);
    gates[0]?.();
    await ran;
    expect([ended, gates.length, env.faults.watches]).toEqual([1, 1, 0]);
    await expect(started.run()).rejects.toMatchObject({ code: 'ALREADY_RUN' });
  });

  it('aborts the signal of a reconcile that does not end within its grace', async () => {
    let reason: unknown;
    const started = controller<ConfigMap>(env.cluster, {
      for: configMaps,
      stopGraceMs: 1000,
      reconcile: (_request, { signal }) =>
        new Promise((resolve) => {
          signal.addEventListener('abort', () => {
            reason = signal.reason;
            resolve();
          });
        }),
    });
    await write('a');
    const ran = started.run({ signal: stop.signal });
    await eventually('the run', () => started.metrics.active === 1);
    stop.abort();
    await env.clock.advance(999);
    expect(reason).toBeUndefined();
    await env.clock.advance(1);
    await ran;
    expect(reason).toMatchObject({ code: 'STOPPED' });
  });

  it('before the caches are complete is a stop like any other', async () => {
    env.faults.stall();
    const started = controller(env.cluster, { for: configMaps, reconcile: () => undefined });
    const ran = started.run({ signal: stop.signal });
    await env.clock.advance(10);
    stop.abort();
    await ran;
    expect(env.faults.watches).toBe(0);
  });
});

it('a cache that is never complete makes run reject, with the resource and the reason', async () => {
  const nope = resource({ group: 'example.com', version: 'v1', plural: 'nopes', kind: 'Nope', namespaced: true });
  const started = controller(env.cluster, {
    for: namespaces,
    owns: [nope],
    syncTimeoutMs: 1000,
    reconcile: () => undefined,
  });
  const ran = started.run({ signal: stop.signal });
  const refused = expect(ran).rejects.toMatchObject({
    code: 'SYNC_TIMEOUT',
    message: expect.stringContaining('nopes.example.com'),
  });
  await env.clock.advance(1000);
  await refused;
});

it.each([
  [{ concurrency: 0 }, 'concurrency must be a whole number from 1, not 0'],
  [{ reconcileTimeoutMs: -1 }, 'reconcileTimeoutMs must be 0 or more milliseconds, not -1'],
  [{ stopGraceMs: Number.NaN }, 'stopGraceMs must be 0 or more milliseconds, not NaN'],
])('options that make no sense are refused at once: %j', (options, message) => {
  const make = (): unknown => controller(env.cluster, { for: configMaps, reconcile: () => undefined, ...options });
  expect(make).toThrow(message);
});
