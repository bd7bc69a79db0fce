import { FINALIZER, type OwnerReference } from '@listwatch/api';
import { describe, expect, it } from 'vitest';
import { garbageCollector } from '../src/garbage/garbage-collector.ts';
import { configMaps, eventually, GarbageServer, namespaces, nodes, refer, secrets } from './garbage-fixture.ts';

const BLOCKS = { blockOwnerDeletion: true };
const NEVER: OwnerReference = { apiVersion: 'v1', kind: 'ConfigMap', name: 'never', uid: 'no-such-uid' };

/** Objects that own each other in a ring, of which the first is deleted. */
async function circle(env: GarbageServer, size: number, policy: 'Background' | 'Foreground'): Promise<void> {
  const made = [];
  for (let at = 0; at < size; at += 1) made.push(await env.add(configMaps, `c${at}`));
  for (const [at, object] of made.entries()) {
    const owner = made[(at + 1) % size] ?? object;
    const body = { metadata: { ownerReferences: [refer(configMaps, owner, BLOCKS)] } };
    await env.cluster.patch(configMaps, { name: object.metadata.name }, { type: 'merge', body });
  }
  await env.delete(configMaps, 'c0', { propagationPolicy: policy });
}

describe('background deletion', () => {
  it('deletes the dependents of an owner that is gone, and theirs', async () => {
    await using env = await GarbageServer.start();
    env.collect();
    const top = await env.add(configMaps, 'top');
    const middle = await env.add(secrets, 'middle', [refer(configMaps, top)]);
    await env.add(configMaps, 'bottom', [refer(secrets, middle)]);
    await env.add(configMaps, 'other');
    await env.delete(configMaps, 'top');
    await eventually(async () => {
      expect(await env.names(configMaps)).toEqual(['other']);
      expect(await env.names(secrets)).toEqual([]);
    });
  });

  it('keeps a dependent that has another owner, without its reference to the one that is gone', async () => {
    await using env = await GarbageServer.start();
    env.collect();
    const [a, b] = [await env.add(configMaps, 'a'), await env.add(configMaps, 'b')];
    await env.add(secrets, 'shared', [refer(configMaps, a), refer(configMaps, b)]);
    await env.delete(configMaps, 'a');
    await eventually(async () => {
      const { metadata } = await env.cluster.get(secrets, { name: 'shared' });
      expect(metadata.ownerReferences?.map(({ name }) => name)).toEqual(['b']);
    });
    await env.delete(configMaps, 'b');
    await eventually(async () => expect(await env.names(secrets)).toEqual([]));
  });

  it('leaves an object alone that was created under the name of a deleted dependent', async () => {
    await using env = await GarbageServer.start();
    const owner = await env.add(configMaps, 'owner');
    await env.add(secrets, 'a', [refer(configMaps, owner)]);
    await env.delete(configMaps, 'owner');
    await env.delete(secrets, 'a');
    await env.add(secrets, 'a');
    await env.add(secrets, 'b', [refer(configMaps, owner)]);
    env.collect();
    await eventually(async () => expect(await env.names(secrets)).toEqual(['a']));
  });
});

describe('owners that do not exist', () => {
  it.each([
    ['never existed', NEVER],
    ['has another uid now', { ...NEVER, name: 'there' }],
  ])('a dependent whose only owner %s is deleted', async (_, reference) => {
    await using env = await GarbageServer.start();
    env.collect();
    await env.add(configMaps, 'there');
    await env.add(secrets, 'a', [reference]);
    await eventually(async () => expect(await env.names(secrets)).toEqual([]));
    expect(await env.names(configMaps)).toEqual(['there']);
  });

  it.each(['../../x', '..', 'a/b', 'a%2fb'])(
    'a dependent whose owner has a name that no path can have (%s) stays, and is not tried again',
    async (name) => {
      await using env = await GarbageServer.start();
      const { metrics } = env.collect().collector;
      await env.add(secrets, 'a', [{ ...NEVER, name }]);
      await env.add(secrets, 'b', [NEVER]);
      await eventually(async () => expect(await env.names(secrets)).toEqual(['a']));
      await eventually(() => expect(metrics.attemptToDelete).toMatchObject({ depth: 0, delayed: 0, processing: 0 }));
      expect(metrics.failures).toBe(0);
    },
  );

  it('a dependent with an owner of a kind that is not served stays, and the kind is reported once', async () => {
    await using env = await GarbageServer.start();
    const warnings: string[] = [];
    const logger = { debug() {}, info() {}, error() {}, warn: (_: unknown, message: string) => warnings.push(message) };
    const running = env.collect({ ownedKinds: env.server.ownedKinds }, logger);
    const widget = { ...NEVER, apiVersion: 'example.com/v1', kind: 'Widget' };
    for (const name of ['a', 'b', 'c']) await env.add(secrets, name, [widget]);
    const { metrics } = running.collector;
    await eventually(() => expect(metrics.attemptToDelete.delayed).toBe(3));
    expect(await env.names(secrets)).toEqual(['a', 'b', 'c']);
    expect(warnings).toEqual(['the kind of an owner is not served: example.com/v1, Kind=Widget. Its dependents stay']);
    expect(metrics.failures).toBe(0);
  });
});

describe('scopes', () => {
  it('an owner of the cluster owns objects in namespaces and in the cluster', async () => {
    await using env = await GarbageServer.start();
    env.collect();
    const node = await env.add(nodes, 'owner');
    await env.add(nodes, 'owned', [refer(nodes, node)]);
    await env.add(secrets, 'a', [refer(nodes, node)]);
    await env.delete(nodes, 'owner');
    await eventually(async () => {
      expect(await env.names(nodes)).toEqual([]);
      expect(await env.names(secrets)).toEqual([]);
    });
  });

  it('an owner in another namespace is reported by an Event and does not keep its dependent', async () => {
    await using env = await GarbageServer.start();
    const running = env.collect();
    await env.add(namespaces, 'far');
    const owner = await env.add(configMaps, 'owner', [], { namespace: 'far' });
    // Brings the owner into the graph.
    await env.add(secrets, 'near', [refer(configMaps, owner)], { namespace: 'far' });
    await eventually(() => expect(running.collector.metrics.watchedKinds).toBe(2));
    const misplaced = await env.add(secrets, 'misplaced', [refer(configMaps, owner)]);
    await eventually(async () => expect(await env.names(secrets)).toEqual(['near']));
    const events = { version: 'v1', plural: 'events', kind: 'Event', namespaced: true, group: '' };
    const written = await eventually(async () => {
      const { items } = await env.cluster.list(events, { namespace: 'default' });
      expect(items).toHaveLength(1);
      return items[0];
    });
    const uid = owner.metadata.uid ?? '';
    expect(written).toMatchObject({
      involvedObject: { apiVersion: 'v1', kind: 'Secret', name: 'misplaced', uid: misplaced.metadata.uid },
      type: 'Warning',
      reason: 'OwnerRefInvalidNamespace',
      message: `ownerRef [v1/ConfigMap, namespace: default, name: owner, uid: ${uid}] does not exist in namespace "default"`,
      source: { component: 'garbage-collector-controller' },
    });
    expect(running.collector.metrics.invalidReferences).toBe(1);
  });

  it('an object of the cluster with an owner in a namespace is never deleted', async () => {
    await using env = await GarbageServer.start();
    const running = env.collect();
    const owner = await env.add(configMaps, 'owner');
    await env.add(nodes, 'misplaced', [refer(configMaps, owner)]);
    await env.delete(configMaps, 'owner');
    await env.add(secrets, 'marker', [NEVER]);
    await eventually(async () => expect(await env.names(secrets)).toEqual([]));
    expect(await env.names(nodes)).toEqual(['misplaced']);
    expect(running.collector.metrics.failures).toBe(0);
  });
});

describe('foreground deletion', () => {
  it('keeps the owner until no dependent blocks it', async () => {
    await using env = await GarbageServer.start();
    env.collect();
    const owner = await env.add(configMaps, 'owner');
    const held = { finalizers: ['example.com/hold'] };
    await env.add(secrets, 'blocking', [refer(configMaps, owner, BLOCKS)], held);
    await env.add(secrets, 'loose', [refer(configMaps, owner)], held);
    await env.delete(configMaps, 'owner', { propagationPolicy: 'Foreground' });
    await eventually(async () => {
      const { items } = await env.cluster.list(secrets);
      expect(items.filter(({ metadata }) => metadata.deletionTimestamp !== undefined)).toHaveLength(2);
    });
    expect(await env.names(configMaps)).toEqual(['owner']);
    const release = { type: 'merge', body: { metadata: { finalizers: null } } } as const;
    await env.cluster.patch(secrets, { name: 'blocking' }, release);
    await eventually(async () => expect(await env.names(configMaps)).toEqual([]));
    expect(await env.names(secrets)).toEqual(['loose']);
  });

  it('removes the finalizer of an owner without dependents', async () => {
    await using env = await GarbageServer.start();
    env.collect();
    await env.add(configMaps, 'alone');
    await env.delete(configMaps, 'alone', { propagationPolicy: 'Foreground' });
    await eventually(async () => expect(await env.names(configMaps)).toEqual([]));
  });

  it('goes from the leaves to the root', async () => {
    await using env = await GarbageServer.start();
    env.collect();
    let owner = await env.add(configMaps, 'c0');
    for (let depth = 1; depth < 5; depth += 1) {
      owner = await env.add(configMaps, `c${depth}`, [refer(configMaps, owner, BLOCKS)]);
    }
    const gone: string[] = [];
    const followed = (async () => {
      const { resourceVersion } = (await env.cluster.list(configMaps)).metadata;
      await env.delete(configMaps, 'c0', { propagationPolicy: 'Foreground' });
      for await (const event of env.cluster.watch(configMaps, { resourceVersion })) {
        if (event.type === 'DELETED') gone.push(event.object.metadata.name);
        if (gone.length === 5) break;
      }
    })();
    await followed;
    expect(gone).toEqual(['c4', 'c3', 'c2', 'c1', 'c0']);
  });

  it('lets a dependent with another owner stay, and the owner go', async () => {
    await using env = await GarbageServer.start();
    env.collect();
    const [a, b] = [await env.add(configMaps, 'a'), await env.add(configMaps, 'b')];
    await env.add(secrets, 'shared', [refer(configMaps, a, BLOCKS), refer(configMaps, b, BLOCKS)]);
    await env.delete(configMaps, 'a', { propagationPolicy: 'Foreground' });
    await eventually(async () => expect(await env.names(configMaps)).toEqual(['b']));
    expect(await env.names(secrets)).toEqual(['shared']);
  });
});

describe('orphan deletion', () => {
  it('removes the references and then the owner', async () => {
    await using env = await GarbageServer.start();
    env.collect();
    const owner = await env.add(configMaps, 'owner');
    for (const name of ['a', 'b', 'c']) await env.add(secrets, name, [refer(configMaps, owner)]);
    await env.delete(configMaps, 'owner', { propagationPolicy: 'Orphan' });
    await eventually(async () => expect(await env.names(configMaps)).toEqual([]));
    const { items } = await env.cluster.list(secrets);
    expect(items.map(({ metadata }) => [metadata.name, metadata.ownerReferences])).toEqual([
      ['a', undefined],
      ['b', undefined],
      ['c', undefined],
    ]);
  });

  it('is carried out by a collector that starts afterwards', async () => {
    await using env = await GarbageServer.start();
    const owner = await env.add(configMaps, 'owner');
    await env.add(secrets, 'a', [refer(configMaps, owner)]);
    await env.delete(configMaps, 'owner', { propagationPolicy: 'Orphan' });
    expect(await env.names(configMaps)).toEqual(['owner']);
    env.collect();
    await eventually(async () => expect(await env.names(configMaps)).toEqual([]));
    expect(await env.names(secrets)).toEqual(['a']);
  });

  it('of a dependent that carries the finalizer is honoured when its owner goes', async () => {
    await using env = await GarbageServer.start();
    env.collect();
    const top = await env.add(configMaps, 'top');
    const middle = await env.add(configMaps, 'middle', [refer(configMaps, top)], { finalizers: [FINALIZER.orphan] });
    await env.add(secrets, 'bottom', [refer(configMaps, middle)]);
    await env.delete(configMaps, 'top');
    await eventually(async () => expect(await env.names(configMaps)).toEqual([]));
    expect(await env.names(secrets)).toEqual(['bottom']);
  });
});

describe('circles', () => {
  it.each([
    [1, 'Background'],
    [2, 'Background'],
    [1, 'Foreground'],
    [2, 'Foreground'],
    [3, 'Foreground'],
    [10, 'Foreground'],
  ] as const)('of %s objects goes with one of them, %s', async (size, policy) => {
    await using env = await GarbageServer.start();
    env.collect();
    await circle(env, size, policy);
    await eventually(async () => expect(await env.names(configMaps)).toEqual([]));
  });

  it('goes when all of it is deleted in the foreground at once', async () => {
    await using env = await GarbageServer.start();
    await circle(env, 3, 'Foreground');
    for (const name of ['c1', 'c2']) await env.delete(configMaps, name, { propagationPolicy: 'Foreground' });
    env.collect();
    await eventually(async () => expect(await env.names(configMaps)).toEqual([]));
  });
});

describe('what is watched', () => {
  it('is nothing on a server without owners, and nothing is asked', async () => {
    await using env = await GarbageServer.start();
    const running = env.collect();
    await env.add(configMaps, 'a');
    await env.delete(configMaps, 'a');
    expect(running.collector.metrics.watchedKinds).toBe(0);
    expect(env.collectorRequests).toEqual([]);
  });

  it('is the kinds with owners and the kinds of these owners', async () => {
    await using env = await GarbageServer.start();
    const running = env.collect();
    const owner = await env.add(nodes, 'owner');
    await env.add(secrets, 'a', [refer(nodes, owner)]);
    await eventually(() => expect(running.collector.metrics.watchedKinds).toBe(2));
    await eventually(() => expect(running.collector.metrics.isSynced).toBe(true));
    const watched = env.collectorRequests
      .filter(({ path }) => path.includes('watch='))
      .map(({ path }) => path.split('?')[0]);
    expect(new Set(watched)).toEqual(new Set(['/api/v1/secrets', '/api/v1/nodes']));
  });

  it('is all that is asked for at a start over objects whose owners exist', async () => {
    await using env = await GarbageServer.start();
    const owner = await env.add(nodes, 'owner');
    for (let at = 0; at < 300; at += 1) await env.add(secrets, `s${at}`, [refer(nodes, owner)]);
    const { metrics } = env.collect().collector;
    await eventually(() => expect(metrics.objects).toBe(301));
    await eventually(() => expect(metrics.attemptToDelete.depth + metrics.attemptToDelete.processing).toBe(0));
    expect(env.collectorRequests.filter(({ path }) => path.includes('/s') && !path.includes('secrets?'))).toEqual([]);
    expect(env.collectorRequests.length).toBeLessThan(10);
  });

  it('is every resource that can be deleted, without a hint', async () => {
    await using env = await GarbageServer.start();
    const owner = await env.add(configMaps, 'owner');
    await env.add(secrets, 'a', [refer(configMaps, owner)]);
    const running = env.collect({});
    await env.delete(configMaps, 'owner');
    await eventually(async () => expect(await env.names(secrets)).toEqual([]));
    expect(running.collector.metrics.watchedKinds).toBeGreaterThan(5);
    const watched = env.collectorRequests
      .filter(({ path }) => path.includes('watch='))
      .map(({ path }) => path.split('?')[0]);
    expect(watched).toContain('/apis/apps/v1/deployments');
    expect(watched.filter((path) => path?.endsWith('/events'))).toEqual([]);
  });
});

it('options that are wrong are named', async () => {
  await using env = await GarbageServer.start();
  expect(() => env.collect({ concurrency: 0 })).toThrow(RangeError);
  expect(() => env.collect({ workers: 3 } as object)).toThrow('workers');
});

describe('the options of a collector', () => {
  it('one worker is enough to collect', async () => {
    await using env = await GarbageServer.start();
    env.collect({ concurrency: 1 });
    await env.add(secrets, 'a', [NEVER]);
    await eventually(async () => expect(await env.names(secrets)).toEqual([]));
  });

  it.each([0, -1, 1.5, Number.NaN])('%d workers are refused', (concurrency) => {
    expect(() => garbageCollector({ concurrency })).toThrow(RangeError);
  });
});

describe('the numbers of a collector', () => {
  it('count what it deleted, patched and let go', async () => {
    await using env = await GarbageServer.start();
    const { metrics } = env.collect().collector;
    const owner = await env.add(configMaps, 'owner');
    await env.add(secrets, 'a', [refer(configMaps, owner, BLOCKS)]);
    await env.delete(configMaps, 'owner', { propagationPolicy: 'Foreground' });
    await eventually(async () => expect(await env.names(configMaps)).toEqual([]));
    await eventually(() => expect([metrics.deletes, metrics.finalizersRemoved]).toEqual([1, 1]));
  });
});
