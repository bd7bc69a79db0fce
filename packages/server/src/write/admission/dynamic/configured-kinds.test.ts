import { describe, expect, it } from 'vitest';
import { ConfiguredKinds } from './configured-kinds.ts';

type Read = ConstructorParameters<typeof ConfiguredKinds>[0][number];

/** A cache as far as it is read. */
function cacheOf(size: number | undefined): { generation: Read['generation'] } {
  return { generation: generationOf(size) };
}

function generationOf(size: number | undefined): Read['generation'] {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- nothing else of a generation is read
  return size === undefined ? undefined : ({ size } as unknown as Read['generation']);
}

describe('the kinds that configure admission', () => {
  it('are empty once all caches are, and no longer when one has an object', () => {
    const caches = [cacheOf(0), cacheOf(0)];
    const kinds = new ConfiguredKinds(caches);
    kinds.areEmpty();
    expect(kinds.areEmpty()).toBe(true);
    const [, second = cacheOf(0)] = caches;
    Object.assign(second.generation ?? {}, { size: 1 });
    expect(kinds.areEmpty()).toBe(false);
  });

  it('are not empty while a cache was never filled, or has lost its feed: the steps decide what holds then', () => {
    const kinds = new ConfiguredKinds([cacheOf(undefined), cacheOf(0)]);
    kinds.areEmpty();
    expect(kinds.areEmpty()).toBe(false);
  });

  it('are not empty for the first write of each generation, which the steps must see', () => {
    const cache = cacheOf(0);
    const kinds = new ConfiguredKinds([cache]);
    expect([kinds.areEmpty(), kinds.areEmpty()]).toEqual([false, true]);
    cache.generation = generationOf(0);
    expect([kinds.areEmpty(), kinds.areEmpty()]).toEqual([false, true]);
  });
});
