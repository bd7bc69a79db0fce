import type { KubeObject } from '@listwatch/rules/internal';
import { createMemoryEngine } from '@listwatch/storage';
import { describe, expect, it } from 'vitest';
import { ByteBudget } from '../cache/byte-budget.ts';
import { parseObject } from '../cache/cached-object.ts';
import { configMap, namespace, pod } from '../kinds/built-in-definitions.fixture.ts';
import { storageCaches } from '../watch/cache-set.ts';
import { VerbFixture } from '../write/verb.fixture.ts';
import { writtenObject } from './stored-object.ts';
import { WrittenObjects } from './written-objects.ts';

const KINDS = [namespace, configMap, pod];
const KEY = '/registry/configmaps/x/a';
const OBJECT: KubeObject = { kind: 'ConfigMap', apiVersion: 'v1', metadata: { name: 'a', labels: { l: '1' } } };

describe('written objects', () => {
  it('are known once, by their very bytes', () => {
    const written = new WrittenObjects();
    const object = writtenObject(configMap, OBJECT);
    written.add(KEY, object);
    expect(written.take(KEY, Buffer.from('{}'))).toBeUndefined();
    expect(written.take(KEY, object.value)).toBe(object);
    expect(written.take(KEY, object.value)).toBeUndefined();
  });

  it('are known by equal bytes in another buffer, as etcd delivers them, and are not kept then', () => {
    const written = new WrittenObjects();
    const object = writtenObject(configMap, OBJECT);
    written.add(KEY, object);
    expect(written.take(KEY, new Uint8Array(object.value))).toBe(object);
    expect([written.size, written.bytes]).toEqual([0, 0]);
  });

  it('stay below their limit when the commits are refused; the oldest go first', () => {
    const budget = new ByteBudget(100_000);
    const written = new WrittenObjects(budget);
    for (let i = 0; i < 5000; i += 1) written.add(`${KEY}${i}`, writtenObject(configMap, OBJECT));
    expect(budget.used).toBeGreaterThan(90_000);
    expect(budget.used).toBeLessThanOrEqual(100_000);
    expect(written.bytes).toBe(budget.used);
    expect(written.take(`${KEY}4999`, writtenObject(configMap, OBJECT).value)).toBeDefined();
  });

  it('do not fill the memory when they are large', () => {
    const budget = new ByteBudget(17_000_000);
    const written = new WrittenObjects(budget);
    const large = writtenObject(configMap, { ...OBJECT, data: { k: 'v'.repeat(1_000_000) } });
    for (let i = 0; i < 100; i += 1) written.add(`${KEY}${i}`, large);
    expect([written.size, written.bytes > 16_000_000, written.bytes <= 17_000_000]).toEqual([16, true, true]);
    for (let i = 0; i < 100; i += 1) written.add(KEY, large);
    expect([written.size, budget.used]).toEqual([16, written.bytes]);
  });

  it('are served from one buffer, and from another at another revision', () => {
    const object = writtenObject(configMap, OBJECT);
    expect(object.served(7n)).toBe(object.served(7n));
    expect(parseObject(object.served(8n)).metadata.resourceVersion).toBe('8');
  });
});

describe('a cache that is told what was written', () => {
  it('knows the same of an object as one that parses it, after a create, an update and a patch', async () => {
    const fixture = new VerbFixture(createMemoryEngine());
    const { engine, clock } = fixture.context.store;
    const told = storageCaches({ engine, clock, definitions: KINDS });
    const parsing = storageCaches({ engine, clock, definitions: KINDS });
    Object.assign(fixture.context.store, { announce: told.written.add.bind(told.written) });
    await Promise.all([told.feed.start(), parsing.feed.start()]);
    await fixture.namespace('x');
    const spec = { nodeName: 'n', containers: [{ name: 'c', image: 'i' }] };
    const body = { metadata: { name: 'a', labels: { b: '2', a: '1' } } };
    await fixture.call('POST', '/api/v1/namespaces/x/pods', { body: { ...body, spec } });
    await fixture.call('POST', '/api/v1/namespaces/x/configmaps', { body: { ...body, data: { k: 'v' } } });
    for (const change of [{ labels: { a: '2' } }, { labels: {} }]) {
      await fixture.call('PUT', '/api/v1/namespaces/x/configmaps/a', { body: { metadata: { name: 'a', ...change } } });
      await bothEqual();
    }
    const type = 'application/merge-patch+json';
    await fixture.call('PATCH', '/api/v1/namespaces/x/configmaps/a', {
      body: { metadata: { labels: { c: '3' } } },
      type,
    });
    await bothEqual();
    expect(told.written.size).toBe(0);

    async function bothEqual(): Promise<void> {
      const revision = await engine.revision();
      await Promise.all([told.feed.reached(revision), parsing.feed.reached(revision)]);
      for (const definition of [configMap, pod]) {
        const [one, other] = [told, parsing].map((caches) => caches.kind(definition).cache.requireReady().get('x/a'));
        expect(one).toBeDefined();
        expect(one).toEqual(other);
      }
    }
  });
});
