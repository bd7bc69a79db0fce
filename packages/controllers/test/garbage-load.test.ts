import type { ApiObject } from '@listwatch/api';
import { amount } from '@listwatch/conformance/parts';
import { describe, expect, it, vi } from 'vitest';
import { configMaps, eventually, GarbageServer, refer, secrets } from './garbage-fixture.ts';

// For the machine, not for the collector: nothing here is timed.
vi.setConfig({ testTimeout: 120_000 });

/** Dependents of one owner, where they are fast and where they are slow to go; and the links of a chain. */
const MANY = amount(2000, 10_000);
const SOME = amount(800, 3000);
const LINKS = amount(300, 1000);
const BLOCKS = { blockOwnerDeletion: true };

/** Creates many objects, some at a time. */
async function addMany(env: GarbageServer, count: number, owner: ApiObject): Promise<void> {
  const numbers = Array.from({ length: count }, (_, at) => at).values();
  const work = async (): Promise<void> => {
    for (const at of numbers) await env.add(secrets, `s${at}`, [refer(configMaps, owner, BLOCKS)]);
  };
  await Promise.all(Array.from({ length: 50 }, work));
}

async function ring(env: GarbageServer, size: number): Promise<void> {
  const made: ApiObject[] = [];
  for (let at = 0; at < size; at += 1) made.push(await env.add(configMaps, `c${at}`));
  for (const [at, object] of made.entries()) {
    const body = { metadata: { ownerReferences: [refer(configMaps, made[(at + 1) % size] ?? object, BLOCKS)] } };
    await env.cluster.patch(configMaps, { name: object.metadata.name }, { type: 'merge', body });
  }
}

describe('thousands of dependents of one owner', () => {
  it.each([
    ['Background', MANY],
    ['Foreground', SOME],
  ] as const)('go with it, %s', async (propagationPolicy, count) => {
    await using env = await GarbageServer.start();
    const { metrics } = env.collect().collector;
    const owner = await env.add(configMaps, 'owner');
    await addMany(env, count, owner);
    const before = env.collectorRequests.length;
    await env.delete(configMaps, 'owner', { propagationPolicy });
    // Lists of thousands would be most of the work.
    await eventually(() => expect(metrics.deletes).toBe(count));
    await eventually(async () => expect(await env.names(configMaps)).toEqual([]));
    expect(await env.names(secrets)).toEqual([]);
    // One read and one delete for each; the owner's own few.
    expect(env.collectorRequests.length - before).toBeLessThan(2 * count + 100);
    expect(metrics.failures).toBe(0);
    await eventually(() => expect(metrics.objects).toBe(0));
  });

  it('stay when they are orphaned', async () => {
    await using env = await GarbageServer.start();
    env.collect();
    const owner = await env.add(configMaps, 'owner');
    await addMany(env, MANY, owner);
    const before = env.collectorRequests.length;
    await env.delete(configMaps, 'owner', { propagationPolicy: 'Orphan' });
    await eventually(async () => expect(await env.names(configMaps)).toEqual([]));
    const { items } = await env.cluster.list(secrets);
    expect(items.filter(({ metadata }) => metadata.ownerReferences === undefined)).toHaveLength(MANY);
    // One read and one patch for each.
    expect(env.collectorRequests.length - before).toBeLessThan(2 * MANY + 100);
  });
});

it.each(['Background', 'Foreground'] as const)('a long chain goes with its first, %s', async (propagationPolicy) => {
  await using env = await GarbageServer.start();
  env.collect();
  let owner = await env.add(configMaps, 'c0');
  for (let at = 1; at < LINKS; at += 1) {
    owner = await env.add(configMaps, `c${at}`, [refer(configMaps, owner, BLOCKS)]);
  }
  await env.delete(configMaps, 'c0', { propagationPolicy });
  await eventually(async () => expect(await env.names(configMaps)).toHaveLength(0));
});

it.each(['Background', 'Foreground'] as const)('a long ring goes with one of it, %s', async (propagationPolicy) => {
  await using env = await GarbageServer.start();
  const { metrics } = env.collect().collector;
  await ring(env, LINKS);
  expect(await env.names(configMaps)).toHaveLength(LINKS);
  await env.delete(configMaps, 'c0', { propagationPolicy });
  await eventually(() => expect(metrics.deletes).toBe(LINKS - 1));
  await eventually(async () => expect(await env.names(configMaps)).toEqual([]));
  expect(metrics.failures).toBe(0);
});

it('an object with 100 owners loses them one by one and goes with the last', async () => {
  await using env = await GarbageServer.start();
  env.collect();
  const owners: ApiObject[] = [];
  for (let at = 0; at < 100; at += 1) owners.push(await env.add(configMaps, `c${at}`));
  await env.add(
    secrets,
    'shared',
    owners.map((owner) => refer(configMaps, owner)),
  );
  for (let at = 0; at < 99; at += 1) await env.delete(configMaps, `c${at}`);
  await eventually(async () => {
    const { metadata } = await env.cluster.get(secrets, { name: 'shared' });
    expect(metadata.ownerReferences?.map(({ name }) => name)).toEqual(['c99']);
  });
  await env.delete(configMaps, 'c99');
  await eventually(async () => expect(await env.names(secrets)).toEqual([]));
});
