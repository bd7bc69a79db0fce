import { FakeClock } from '@listwatch/api/fake-clock';
import type { DeleteOptions } from '@listwatch/client';
import { createMemoryEngine, type StorageEngine } from '@listwatch/storage';
import { expect, it } from 'vitest';
import {
  type Answer,
  configMaps,
  eventually,
  GarbageServer,
  namespaces,
  nodes,
  refer,
  refusal,
  secrets,
} from './garbage-fixture.ts';

/** A promise that the test resolves. */
function gate(): { readonly promise: Promise<undefined>; readonly open: () => void } {
  let resolve: (() => void) | undefined;
  const promise = new Promise<undefined>((done) => {
    resolve = () => done(undefined);
  });
  return { promise, open: () => resolve?.() };
}

it('an owner stays until every kind that may hold dependents has been listed', async () => {
  await using env = await GarbageServer.start();
  const owner = await env.add(configMaps, 'owner');
  await env.add(secrets, 'a', [refer(configMaps, owner)]);
  await env.delete(configMaps, 'owner', { propagationPolicy: 'Orphan' });
  const { promise, open } = gate();
  env.intercept = async ({ path }) => (path.startsWith('/api/v1/secrets') ? promise : undefined);
  const { metrics } = env.collect().collector;
  await eventually(() => expect(metrics.objects).toBeGreaterThan(0));
  await eventually(() => expect(metrics.attemptToOrphan.processing).toBe(1));
  expect(await env.names(configMaps)).toEqual(['owner']);
  open();
  await eventually(async () => expect(await env.names(configMaps)).toEqual([]));
  expect(await env.names(secrets)).toEqual(['a']);
});

it('an owner stays until the watches have shown every dependent that was written before', async () => {
  await using env = await GarbageServer.start();
  let held: Promise<undefined> | undefined;
  const holding = async function* (body: Answer['body']): AsyncGenerator<Uint8Array, undefined> {
    for await (const chunk of body) {
      const own = Uint8Array.from(chunk);
      await held;
      yield own;
    }
    return undefined;
  };
  env.intercept = async ({ path }, forward) => {
    if (!path.startsWith('/api/v1/secrets?')) return undefined;
    const answer = await forward();
    return { ...answer, body: holding(answer.body) };
  };
  const { metrics } = env.collect().collector;
  const owner = await env.add(configMaps, 'owner');
  await env.add(secrets, 'early', [refer(configMaps, owner)]);
  await eventually(() => expect(metrics).toMatchObject({ isSynced: true, objects: 2 }));
  const { promise, open } = gate();
  held = promise;
  await env.add(secrets, 'late', [refer(configMaps, owner)]);
  await env.delete(configMaps, 'owner', { propagationPolicy: 'Orphan' });
  await eventually(() => expect(metrics.attemptToOrphan.processing).toBe(1));
  for (let turn = 0; turn < 100; turn += 1) await env.names(configMaps);
  expect(await env.names(configMaps)).toEqual(['owner']);
  open();
  await eventually(async () => expect(await env.names(configMaps)).toEqual([]));
  expect(await env.names(secrets)).toEqual(['early', 'late']);
});

it('an owner that goes before any watch has shown it takes its dependents along', async () => {
  const clock = new FakeClock();
  await using env = await GarbageServer.start({ clock });
  const owner = await env.add(nodes, 'owner');
  env.intercept = async ({ path }) => (path.startsWith('/api/v1/nodes?') ? refusal() : undefined);
  const { metrics } = env.collect().collector;
  await env.add(secrets, 'a', [refer(nodes, owner)]);
  await eventually(async () => {
    await clock.advance(1000);
    expect(metrics.attemptToDelete.retries).toBeGreaterThan(0);
  });
  expect(await env.names(secrets)).toEqual(['a']);
  await env.delete(nodes, 'owner');
  await eventually(async () => {
    await clock.advance(60_000);
    expect(await env.names(secrets)).toEqual([]);
  });
});

it('a delete that is refused is tried again with a growing wait, and others go on', async () => {
  const clock = new FakeClock();
  await using env = await GarbageServer.start({ clock });
  const owner = await env.add(configMaps, 'owner');
  for (const name of ['a', 'b']) await env.add(secrets, name, [refer(configMaps, owner)]);
  env.intercept = async ({ method, path }) => (method === 'DELETE' && path.endsWith('/a') ? refusal() : undefined);
  const { metrics } = env.collect().collector;
  await env.delete(configMaps, 'owner');
  await eventually(async () => {
    await clock.advance(0);
    expect(await env.names(secrets)).toEqual(['a']);
  });
  await clock.advance(3_600_000);
  const tries = env.collectorRequests.filter(({ method }) => method === 'DELETE').length;
  expect(tries).toBeGreaterThan(15);
  expect(tries).toBeLessThan(30);
  expect(metrics.failures).toBe(tries - 1);
  expect(metrics.attemptToDelete.delayed).toBe(1);
  env.intercept = undefined;
  await clock.advance(1_000_000);
  expect(await env.names(secrets)).toEqual([]);
});

it('an object that others hold is deleted once, and not asked for again', async () => {
  const clock = new FakeClock();
  await using env = await GarbageServer.start({ clock });
  const owner = await env.add(configMaps, 'owner');
  await env.add(secrets, 'held', [refer(configMaps, owner)], { finalizers: ['example.com/hold'] });
  const { metrics } = env.collect().collector;
  await env.delete(configMaps, 'owner');
  await eventually(async () => {
    await clock.advance(0);
    const { metadata } = await env.cluster.get(secrets, { name: 'held' });
    expect(metadata.deletionTimestamp).toBeDefined();
  });
  await clock.advance(3_600_000);
  expect(env.collectorRequests.filter(({ method }) => method === 'DELETE')).toHaveLength(1);
  expect(metrics.attemptToDelete.delayed + metrics.attemptToDelete.depth).toBe(0);
});

it.each([
  ['deleted and created again', 'recreate', ['a']],
  ['changed otherwise', 'label', []],
  ['given an owner that exists', 'adopt', ['a']],
] as const)('a dependent that is %s right before its deletion is judged anew', async (_, change, left) => {
  await using env = await GarbageServer.start();
  const [owner, other] = [await env.add(configMaps, 'owner'), await env.add(configMaps, 'other')];
  await env.add(secrets, 'a', [refer(configMaps, owner)]);
  let isChanged = false;
  env.intercept = async ({ method }) => {
    if (method !== 'DELETE' || isChanged) return undefined;
    isChanged = true;
    if (change === 'recreate') {
      await env.delete(secrets, 'a');
      await env.add(secrets, 'a', [refer(configMaps, other)]);
      return undefined;
    }
    const metadata = change === 'label' ? { labels: { a: 'b' } } : { ownerReferences: [refer(configMaps, other)] };
    await env.cluster.patch(secrets, { name: 'a' }, { type: 'merge', body: { metadata } });
    return undefined;
  };
  const { metrics } = env.collect().collector;
  await env.delete(configMaps, 'owner');
  await env.add(secrets, 'last', [refer(configMaps, owner)]);
  await eventually(async () => {
    expect(isChanged).toBe(true);
    expect(await env.names(secrets)).toEqual(left);
    expect(metrics.attemptToDelete.processing + metrics.attemptToDelete.depth + metrics.attemptToDelete.delayed).toBe(
      0,
    );
  });
  expect(await env.names(secrets)).toEqual(left);
});

it('a finalizer that another client adds meanwhile is not overwritten', async () => {
  await using env = await GarbageServer.start();
  await env.add(configMaps, 'owner', [], { finalizers: ['example.com/first', 'example.com/second'] });
  let isChanged = false;
  env.intercept = async ({ method }) => {
    if (method !== 'PATCH' || isChanged) return undefined;
    isChanged = true;
    const body = { metadata: { finalizers: ['example.com/second', 'foregroundDeletion'] } };
    await env.cluster.patch(configMaps, { name: 'owner' }, { type: 'merge', body });
    return undefined;
  };
  env.collect();
  await env.delete(configMaps, 'owner', { propagationPolicy: 'Foreground' });
  await eventually(async () => {
    const { metadata } = await env.cluster.get(configMaps, { name: 'owner' });
    expect(metadata.finalizers).toEqual(['example.com/second']);
  });
});

it('the watches of kinds that hold nothing any more end after a minute', async () => {
  const clock = new FakeClock();
  await using env = await GarbageServer.start({ clock });
  const { metrics } = env.collect().collector;
  const owner = await env.add(nodes, 'owner');
  await env.add(secrets, 'a', [refer(nodes, owner)]);
  await eventually(async () => {
    await clock.advance(0);
    expect(metrics.watchedKinds).toBe(2);
  });
  await env.delete(nodes, 'owner');
  await eventually(async () => {
    await clock.advance(0);
    expect(await env.names(secrets)).toEqual([]);
  });
  expect(metrics.watchedKinds).toBe(2);
  await clock.advance(61_000);
  expect(metrics.watchedKinds).toBe(0);
  expect(metrics.objects).toBe(0);
  const sent = env.collectorRequests.length;
  await clock.advance(3_600_000);
  expect(env.collectorRequests).toHaveLength(sent);
  // And it begins again.
  const next = await env.add(nodes, 'next');
  await env.add(secrets, 'b', [refer(nodes, next)]);
  await env.delete(nodes, 'next');
  await eventually(async () => {
    await clock.advance(0);
    expect(await env.names(secrets)).toEqual([]);
  });
});

it.each(['Background', 'Foreground', 'Orphan'] as const)(
  'a server that is stopped in the middle of a %s deletion ends it after its restart',
  async (propagationPolicy) => {
    await using engine = createMemoryEngine();
    await stopInTheMiddle(engine, propagationPolicy);
    await using env = await GarbageServer.start({ engine });
    const { items } = await env.cluster.list(secrets);
    expect(items.filter(({ metadata }) => metadata.ownerReferences !== undefined)).toHaveLength(80);
    env.collect();
    const left = propagationPolicy === 'Orphan' ? 100 : 0;
    await eventually(async () => {
      expect(await env.names(configMaps)).toEqual([]);
      expect(await env.names(secrets)).toHaveLength(left);
    });
  },
);

/** Deletes an owner of 100, and stops when 20 of them have been dealt with. */
async function stopInTheMiddle(
  engine: StorageEngine,
  propagationPolicy: DeleteOptions['propagationPolicy'],
): Promise<void> {
  await using env = await GarbageServer.start({ engine });
  const owner = await env.add(configMaps, 'owner');
  const reference = refer(configMaps, owner, { blockOwnerDeletion: true });
  for (let at = 0; at < 100; at += 1) await env.add(secrets, `s${at}`, [reference]);
  let writes = 0;
  env.intercept = async ({ method }) => {
    if (method === 'GET') return undefined;
    writes += 1;
    return writes > 20 ? new Promise<Answer>(() => {}) : undefined;
  };
  const { metrics } = env.collect().collector;
  await env.delete(configMaps, 'owner', { propagationPolicy });
  await eventually(() => expect(metrics.deletes + metrics.patches).toBe(20));
}

it('a collector that is stopped has no timers, watches or requests left', async () => {
  const clock = new FakeClock();
  await using env = await GarbageServer.start({ clock });
  const before = clock.pending;
  const owner = await env.add(configMaps, 'owner');
  await env.add(secrets, 'a', [refer(configMaps, owner)]);
  const running = env.collect();
  await eventually(() => expect(running.collector.metrics.isSynced).toBe(true));
  await expect(running.runAgain()).rejects.toThrow('running already');
  await env.delete(configMaps, 'owner');
  await running.stop();
  // The server looks for watchers that have left once in a second.
  await clock.advance(2000);
  expect(clock.pending).toBe(before);
  expect(running.collector.metrics).toMatchObject({ isSynced: false, watchedKinds: 0, objects: 0 });
});

it('a collector that is stopped while it looks up the kind of an owner leaves nothing behind', async () => {
  const clock = new FakeClock();
  await using env = await GarbageServer.start({ clock });
  const owner = await env.add(nodes, 'owner');
  await env.add(secrets, 'a', [refer(nodes, owner)]);
  const before = clock.pending;
  const { promise, open } = gate();
  env.intercept = async ({ path }) => (path === '/api' || path === '/apis' ? promise : undefined);
  const running = env.collect();
  await eventually(() => expect(env.collectorRequests.some(({ path }) => path === '/apis')).toBe(true));
  const stopped = running.stop();
  open();
  await stopped;
  await clock.advance(2000);
  expect(clock.pending).toBe(before);
  const sent = env.collectorRequests.length;
  await clock.advance(60_000);
  expect(env.collectorRequests).toHaveLength(sent);
});

it('1 000 owners in other namespaces do not become 1 000 Events at once', async () => {
  await using env = await GarbageServer.start();
  await env.add(namespaces, 'far');
  const owner = await env.add(configMaps, 'owner', [], { namespace: 'far' });
  for (let at = 0; at < 1000; at += 1) await env.add(secrets, `s${at}`, [refer(configMaps, owner)]);
  let writing = 0;
  let most = 0;
  env.intercept = async ({ method }, forward) => {
    if (method !== 'POST') return undefined;
    writing += 1;
    most = Math.max(most, writing);
    return forward().finally(() => {
      writing -= 1;
    });
  };
  const { metrics } = env.collect().collector;
  await eventually(() => expect(metrics.deletes).toBe(1000));
  expect(metrics.invalidReferences).toBe(1000);
  expect(most).toBeGreaterThan(0);
  expect(most).toBeLessThanOrEqual(100);
}, 60_000);
