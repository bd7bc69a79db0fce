/** Many writers on many objects, for a while. */

import type { Collection } from './collection.ts';

export interface ChurnPlan {
  readonly objects: number;
  readonly seconds: number;
  readonly writers: number;
}

/** Numbers in [0, 1) that are the same in each run (mulberry32). */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const nameOf = (index: number): string => `churn-${index}`;
const colorOf = (draw: number): 'blue' | 'red' => (draw < 0.5 ? 'blue' : 'red');

/** Creates the objects, then creates, changes, relabels and deletes among them until the time is over. */
export async function churn(collection: Collection, { objects, seconds, writers }: ChurnPlan): Promise<void> {
  const indexes = Array.from({ length: objects }, (_, index) => index);
  const inParallel = (work: (writer: number) => Promise<void>): Promise<unknown> =>
    Promise.all(Array.from({ length: writers }, (_, writer) => work(writer)));
  await inParallel(async (writer) => {
    for (const index of indexes.filter((i) => i % writers === writer)) {
      await collection.create(nameOf(index), index % 2 === 0 ? 'blue' : 'red');
    }
  });
  const end = Date.now() + seconds * 1000;
  await inParallel(async (writer) => {
    const draw = seeded(writer);
    while (Date.now() < end) {
      const name = nameOf(Math.floor(draw() * objects));
      const choice = draw();
      if (choice < 0.6) await collection.change(name);
      else if (choice < 0.75) await collection.change(name, { color: colorOf(draw()) });
      else if (choice < 0.85) await collection.delete(name);
      else await collection.create(name, colorOf(draw()));
    }
  });
}
