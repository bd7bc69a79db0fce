import { FakeClock } from '@listwatch/api/fake-clock';
import { describe, expect, it } from 'vitest';
import { ResourceCache } from '../../cache/resource-cache.ts';
import { configMap } from '../../kinds/built-in-definitions.fixture.ts';
import { storedObjectKey } from '../../stored/requested-key.ts';
import { layoutOf } from '../../stored/stored-object.ts';
import { KnownObjects } from './known-objects.ts';

function entryOf(name: string, namespace: string): Parameters<ResourceCache['load']>[0][number] {
  const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace } };
  const key = storedObjectKey(configMap, { namespace, name });
  return { key, value: layoutOf(configMap).encode(object), modRevision: 1n };
}

function namesIn(known: KnownObjects, namespace: string): readonly unknown[] {
  return known.list(namespace).map(({ metadata }) => metadata.name);
}

describe('the objects that admission reads', () => {
  it('are those of the newest generation, and of the last one while there is none', () => {
    const cache = new ResourceCache({ definition: configMap, clock: new FakeClock() });
    const known = new KnownObjects(cache);
    expect(() => known.list('x')).toThrow(expect.objectContaining({ httpCode: 429 }));
    cache.load([entryOf('a', 'x'), entryOf('b', 'y')], 1n);
    expect(namesIn(known, 'x')).toStrictEqual(['a']);
    expect(known.get('y', 'b')?.metadata.name).toBe('b');
    expect(known.get('x', 'b')).toBeUndefined();
    cache.lose();
    expect(namesIn(known, 'x')).toStrictEqual(['a']);
    cache.load([entryOf('c', 'x')], 2n);
    expect(namesIn(known, 'x')).toStrictEqual(['c']);
    expect(namesIn(known, 'y')).toStrictEqual([]);
  });

  it('are the same list until one of them changes', () => {
    const cache = new ResourceCache({ definition: configMap, clock: new FakeClock() });
    const known = new KnownObjects(cache);
    cache.load([entryOf('a', 'x')], 1n);
    expect(known.list('x')).toBe(known.list('x'));
    expect(known.list('none')).toBe(known.list('other'));
  });
});
