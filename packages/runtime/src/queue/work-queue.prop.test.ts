import { FakeClock } from '@listwatch/api/fake-clock';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type WorkItem, workQueue } from './work-queue.ts';

const KEYS = ['a', 'b', 'c', 'd'];

type Step =
  | { readonly type: 'add'; readonly key: string; readonly priority: number }
  | { readonly type: 'addAfter'; readonly key: string; readonly ms: number }
  | { readonly type: 'retry'; readonly key: string }
  | { readonly type: 'done' }
  | { readonly type: 'advance'; readonly ms: number }
  | { readonly type: 'take' };

const key = fc.constantFrom(...KEYS);
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ type: fc.constant('add' as const), key, priority: fc.constantFrom(-100, 0, 5) }),
  fc.record({ type: fc.constant('addAfter' as const), key, ms: fc.integer({ min: 0, max: 50 }) }),
  fc.record({ type: fc.constant('retry' as const), key }),
  fc.constant({ type: 'take' as const }),
  fc.constant({ type: 'done' as const }),
  fc.record({ type: fc.constant('advance' as const), ms: fc.integer({ min: 1, max: 40 }) }),
);

it('whatever happens, a key is never in work twice, and runs at or after its last add', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
      const clock = new FakeClock();
      const queue = workQueue({ clock });
      const working = new Map<string, WorkItem<string>>();
      /** Keys that must still run: added, and not taken since. */
      const owed = new Set<string>();
      let runs = 0;
      let adds = 0;
      const take = (): void => {
        const item = queue.takeNow();
        if (item === undefined) return;
        expect(working.has(item.key)).toBe(false);
        working.set(item.key, item);
        owed.delete(item.key);
        runs++;
      };
      for (const next of steps) {
        if (next.type === 'take') take();
        else if (next.type === 'advance') await clock.advance(next.ms);
        else if (next.type === 'done') {
          const [first] = working;
          if (first === undefined) continue;
          working.delete(first[0]);
          first[1].done();
        } else {
          owed.add(next.key);
          adds++;
          if (next.type === 'add') queue.add(next.key, { priority: next.priority });
          else if (next.type === 'addAfter') queue.addAfter(next.key, next.ms);
          else queue.retry(next.key);
        }
        expect(queue.metrics.processing).toBe(working.size);
      }
      await clock.advance(2_000_000);
      for (let round = 0; round < 3; round++) {
        for (const item of working.values()) item.done();
        working.clear();
        while (queue.size > 0) take();
      }
      expect([...owed]).toEqual([]);
      expect(runs).toBeLessThanOrEqual(adds);
      expect([queue.size, queue.metrics.delayed]).toEqual([0, 0]);
    }),
    { numRuns: 1000 },
  );
});

/** What the queue promises of the order, as a plain list: the highest priority first, each eighth time the one that came first. */
class PlainLine {
  #waiting: { readonly name: string; readonly priority: number }[] = [];
  #taken = 0;

  add(name: string, priority: number): void {
    const old = this.#waiting.find((one) => one.name === name);
    if (old !== undefined && old.priority >= priority) return;
    this.#waiting = [...this.#waiting.filter((one) => one.name !== name), { name, priority }];
  }

  take(): string | undefined {
    const highest = Math.max(...this.#waiting.map(({ priority }) => priority));
    const isFair = this.#waiting.length > 0 && ++this.#taken % 8 === 0;
    const next = isFair ? this.#waiting[0] : this.#waiting.find(({ priority }) => priority === highest);
    this.#waiting = this.#waiting.filter((one) => one !== next);
    return next?.name;
  }
}

it('whatever is added, keys come by priority and then by time, and each eighth is the one that came first', () => {
  const adds = fc.array(
    fc.oneof(
      { weight: 3, arbitrary: fc.record({ key: fc.nat(60).map(String), priority: fc.integer({ min: -20, max: 20 }) }) },
      { weight: 2, arbitrary: fc.constant('take' as const) },
    ),
    { maxLength: 300 },
  );
  fc.assert(
    fc.property(adds, (steps) => {
      const queue = workQueue();
      const line = new PlainLine();
      const takeBoth = (): string | undefined => {
        const item = queue.takeNow();
        expect(item?.key).toBe(line.take());
        item?.done();
        return item?.key;
      };
      for (const next of steps) {
        if (next === 'take') takeBoth();
        else {
          queue.add(next.key, { priority: next.priority });
          line.add(next.key, next.priority);
        }
      }
      while (takeBoth() !== undefined) expect(queue.size).toBeLessThan(61);
    }),
    { numRuns: 300 },
  );
});
