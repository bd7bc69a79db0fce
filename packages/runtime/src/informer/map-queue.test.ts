import fc from 'fast-check';
import { expect, it } from 'vitest';
import { MapQueue } from './map-queue.ts';

const operation = fc.record({ key: fc.nat(5), type: fc.constantFrom('set', 'set', 'delete', 'take', 'first') });

it('is a Map whose first key is found, whatever is done to it', () => {
  fc.assert(
    fc.property(fc.array(operation, { maxLength: 200 }), (operations) => {
      const queue = new MapQueue<number, number>();
      const model = new Map<number, number>();
      for (const [index, { key, type }] of operations.entries()) {
        const [first] = model.keys();
        if (type === 'set') {
          queue.set(key, index);
          model.set(key, index);
        } else if (type === 'delete') {
          queue.delete(key);
          model.delete(key);
        } else {
          expect(queue.first()?.key).toBe(first);
          if (type === 'take' && first !== undefined) {
            queue.delete(first);
            model.delete(first);
          }
        }
        expect([queue.size, queue.get(key), queue.has(key)]).toEqual([model.size, model.get(key), model.has(key)]);
      }
    }),
    { numRuns: 500 },
  );
});

it('to be emptied takes it one step for each entry', () => {
  const queue = new MapQueue<string, number>();
  for (let i = 0; i < 1_000_000; i += 1) queue.set(`default/object-${i}`, i);
  let taken = 0;
  // If each began at the front it would take minutes: 100 000 took 1.6 seconds, and it is quadratic.
  for (let first = queue.first(); first !== undefined; first = queue.first()) {
    queue.delete(first.key);
    taken += 1;
  }
  expect(taken).toBe(1_000_000);
});
