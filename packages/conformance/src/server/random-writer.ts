/** Writes ConfigMaps at random, many at once, through the API. */

import type { ApiClient } from './api-client.ts';
import type { SeededRandom } from './seeded-random.ts';
import { configMap } from './server-test.ts';
import { APPS, type LoadWorld, TIERS } from './watched-selection.ts';

export interface RandomWriterOptions {
  readonly client: ApiClient;
  readonly world: LoadWorld;
  readonly random: SeededRandom;
  readonly present: PresentObjects;
  readonly writes: number;
  /** How many writes are under way at a time. */
  readonly concurrency: number;
  /** Called after each write. */
  readonly onWrite: (count: number) => void;
}

/** Which objects are there, by path: what one round of writes leaves, the next one finds. */
export type PresentObjects = Set<string>;

/** Does all the writes. Rejects with the first answer that a write should not get. */
export async function writeAtRandom(options: RandomWriterOptions): Promise<void> {
  const { world, concurrency, writes, onWrite } = options;
  let count = 0;
  const worker = async (index: number): Promise<void> => {
    // Each name has one writer, which so knows whether it is there.
    const names = world.names.filter((_, position) => position % concurrency === index);
    while (count < writes) {
      count += 1;
      await writeOnce(options, names, count);
      onWrite(count);
    }
  };
  await Promise.all(Array.from({ length: Math.min(concurrency, world.names.length) }, (_, index) => worker(index)));
}

async function writeOnce(
  { client, world, random, present }: RandomWriterOptions,
  names: readonly string[],
  count: number,
): Promise<void> {
  const collection = `/api/v1/namespaces/${random.pick(world.namespaces)}/configmaps`;
  const name = random.pick(names);
  const path = `${collection}/${name}`;
  const app = random.chance(0.7) ? { app: random.pick(APPS) } : {};
  const labels = { ...app, tier: String(random.below(TIERS)) };
  const body = configMap(name, { metadata: { labels }, data: { count: String(count) } });
  if (!present.has(path)) {
    present.add(path);
    return mustBe(await client.request('POST', collection, { body }), 201);
  }
  const dice = random.next();
  if (dice < 0.2) {
    present.delete(path);
    return mustBe(await client.request('DELETE', path), 200);
  }
  if (dice < 0.35) {
    const headers = { 'content-type': 'application/merge-patch+json' };
    const patch = { metadata: { labels: { app: null, ...app } }, data: { count: String(count) } };
    return mustBe(await client.request('PATCH', path, { headers, body: patch }), 200);
  }
  return mustBe(await client.request('PUT', path, { body }), 200);
}

function mustBe(answer: { readonly status: number; readonly text: string }, status: number): void {
  if (answer.status !== status) throw new Error(`a write was answered with ${answer.status}: ${answer.text}`);
}
