import type { ApiObject } from '@listwatch/api';
import { FakeClock } from '@listwatch/api/fake-clock';
import { TransportError } from '@listwatch/client';
import { amount } from '@listwatch/conformance/parts';
import { eventually } from '@listwatch/conformance/storage';
import { startTestServer } from '@listwatch/testing';
import { expect, it } from 'vitest';
import { type EventCluster, eventRecorder, type KubeEvent } from '../src/index.ts';
import { type SeededRandom, seededRandom } from './seeded-random.ts';

const SEEDS = amount(15, 40);
const STEPS = 60;

/** A way to the server that loses requests before they are sent, and answers after they were carried out. */
class LossyWay implements EventCluster {
  readonly clock: EventCluster['clock'];
  /** The last state of each event that the server has taken. It forgets them itself after an hour. */
  readonly taken = new Map<string, KubeEvent>();
  isLossy = true;
  readonly #cluster: EventCluster;
  readonly #random: SeededRandom;

  constructor(cluster: EventCluster, random: SeededRandom) {
    this.clock = cluster.clock;
    this.#cluster = cluster;
    this.#random = random;
  }

  readonly create: EventCluster['create'] = (...args) => this.#send(() => this.#cluster.create(...args));

  readonly patch: EventCluster['patch'] = (...args) => this.#send(() => this.#cluster.patch(...args));

  async #send<T extends ApiObject>(call: () => Promise<T>): Promise<T> {
    if (this.isLossy && this.#random.chance(0.15)) throw new TransportError('CONNECT', 'lost on the way');
    const answer = await call();
    this.taken.set(answer.metadata.name, answer);
    if (this.isLossy && this.#random.chance(0.15)) throw new TransportError('CLOSED', 'the answer was lost');
    return answer;
  }
}

it(`${SEEDS} random histories: whatever is lost on the way, the counts of all events add up to what was recorded`, async () => {
  for (let seed = 1; seed <= SEEDS; seed++) {
    const random = seededRandom(seed);
    await using env = await startTestServer({ clock: new FakeClock() });
    const way = new LossyWay(env.cluster, random);
    const recorder = eventRecorder(way, { controller: 'model' });
    const recorded = new Map<string, number>();
    for (let step = 0; step < STEPS; step++) {
      const name = `o${random.below(4)}`;
      const times = random.pick(1, 1, 1, 2, 20);
      const about = recorder.about({ apiVersion: 'v1', kind: 'ConfigMap', namespace: 'default', name });
      for (let time = 0; time < times; time++) about.normal('Seen', 'x');
      recorded.set(name, (recorded.get(name) ?? 0) + times);
      // Mostly at once, sometimes long enough for a retry, for the end of a series, or for its refresh.
      await env.clock.advance(random.pick(0, 0, 0, 1, 1, 11_000, 60_000, 400_000));
    }
    way.isLossy = false;
    await eventually('rest', async () => {
      await env.clock.advance(15_000);
      return recorder.metrics.pending === 0;
    });
    await recorder.close();
    const counted = new Map<string, number>();
    for (const { regarding, series } of way.taken.values()) {
      const { name = '' } = regarding ?? {};
      counted.set(name, (counted.get(name) ?? 0) + (series?.count ?? 1));
    }
    expect({ seed, ...recorder.metrics }).toMatchObject({ seed, failed: 0, refused: 0, dropped: 0, remembered: 0 });
    expect({ seed, counted: entries(counted) }).toEqual({ seed, counted: entries(recorded) });
  }
  // It starts a server for each history: 30 s are too few on a busy machine.
}, 120_000);

function entries(counts: ReadonlyMap<string, number>): readonly string[] {
  return Array.from(counts, ([name, count]) => `${name} ${count}`).toSorted();
}
