import { FakeClock } from '@listwatch/api/fake-clock';
import type { StorageEvent } from '@listwatch/storage';
import { expect, it } from 'vitest';
import { configMap, pod } from '../kinds/built-in-definitions.fixture.ts';
import { FeedRun, KeptEvents } from './feed-run.ts';
import { ResourceCache } from './resource-cache.ts';

const clock = new FakeClock();

function targetOf(log: string[], name: string) {
  return { apply: () => void log.push(name), settle: (revision: bigint) => void log.push(`${name}@${revision}`) };
}

it('a cache that leaves hears nothing more; another one of the same folder does, until it leaves, too', () => {
  const [one, twin] = [configMap, configMap].map((definition) => new ResourceCache({ definition, clock }));
  const pods = new ResourceCache({ definition: pod, clock });
  if (one === undefined || twin === undefined) return expect.unreachable();
  const log: string[] = [];
  const run = new FeedRun(1n);
  run.add(one, targetOf(log, 'one'));
  run.add(twin, targetOf(log, 'twin'));
  run.add(pods, targetOf(log, 'pods'));
  const told = (revision: bigint): readonly string[] => {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the key decides
    const event = { key: `${one.root}x/a` } as StorageEvent;
    run.apply({ events: [event], revision });
    return log.splice(0);
  };
  expect(told(2n)).toEqual(['one', 'twin', 'one@2', 'twin@2']);
  // Twice: the second time there is nothing to remove, and nothing else may go.
  run.remove(one);
  run.remove(one);
  expect(told(3n)).toEqual(['twin', 'twin@3']);
  run.remove(twin);
  expect(told(4n)).toEqual([]);
  run.add(one, targetOf(log, 'one'));
  expect(told(5n)).toEqual(['one', 'one@5']);
});

it('ten thousand changes are kept while a cache is loaded, and one more is too many', () => {
  const kept = new KeptEvents();
  const event: StorageEvent = { type: 'put', key: 'k', value: Buffer.alloc(0), revision: 1n, previous: undefined };
  for (let i = 0; i < 10_000; i += 1) kept.apply(event);
  expect([kept.events.length, kept.isOverrun]).toEqual([10_000, false]);
  kept.apply(event);
  expect([kept.events.length, kept.isOverrun]).toEqual([10_000, true]);
});
