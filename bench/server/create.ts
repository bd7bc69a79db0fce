/** Creates, 32 at a time. */

import type { Connection, Protocol } from './connection.ts';
import { configMap, configMapPath, create, spread } from './objects.ts';
import { withConnections } from './open-connection.ts';
import { costOf } from './process-facts.ts';
import { digits, middle, record } from './result.ts';
import type { Target } from './target.ts';

const CONCURRENCY = 32;
const CREATES = 4000;
const ROUNDS = 5;
/** Apart from what lists are measured on. */
const NAMESPACE = 'bench-create';
const GOAL_MICROS = 300;
const GOAL_RATE = 4000;

/** Server CPU for one create, and creates a second. */
export async function benchCreate(target: Target, protocols: readonly Protocol[] = ['h1', 'h2']): Promise<void> {
  const goals = target.name === 'listwatch-lmdb' ? { cpu: { atMost: GOAL_MICROS }, rate: { atLeast: GOAL_RATE } } : {};
  // Names that no earlier run has used.
  const first = Date.now() % 1e9;
  let made = 0;
  for (const protocol of protocols) {
    const own = protocol === 'h1' ? goals : {};
    const { cpu, client, rate } = await measure(target, protocol, () => first + made++);
    const least = digits(Math.min(...cpu));
    const clientCpuMicros = digits(middle(client));
    record(target, {
      bench: `create ${protocol}`,
      value: middle(cpu),
      unit: 'us CPU',
      goal: own.cpu,
      least,
      clientCpuMicros,
    });
    record(target, {
      bench: `create rate ${protocol}`,
      value: middle(rate),
      unit: 'creates/s',
      goal: own.rate,
      best: digits(Math.max(...rate)),
    });
  }
}

interface Rounds {
  readonly cpu: number[];
  readonly client: number[];
  readonly rate: number[];
}

async function measure(target: Target, protocol: Protocol, nextName: () => number): Promise<Rounds> {
  const rounds: Rounds = { cpu: [], client: [], rate: [] };
  await withConnections(target, protocol, protocol === 'h1' ? CONCURRENCY : 1, async (connections) => {
    const [first] = connections;
    await create(
      first,
      '/api/v1/namespaces',
      JSON.stringify({ kind: 'Namespace', apiVersion: 'v1', metadata: { name: NAMESPACE } }),
    );
    const writers = Array.from({ length: CONCURRENCY }, (_, i) => connections[i % connections.length]);
    for (let round = 0; round <= ROUNDS; round += 1) {
      const { serverMicros, clientMicros, ms } = await costOf(target.pid, () => run(writers, nextName));
      // The first round warms up.
      if (round === 0) continue;
      rounds.cpu.push(serverMicros / CREATES);
      rounds.client.push(clientMicros / CREATES);
      rounds.rate.push((CREATES / ms) * 1000);
    }
  });
  return rounds;
}

async function run(writers: readonly (Connection | undefined)[], nextName: () => number): Promise<void> {
  const connected = writers.filter((writer) => writer !== undefined);
  const path = configMapPath(undefined, NAMESPACE);
  await spread(connected, CREATES, async (writer) => {
    const { status } = await writer.ask({ method: 'POST', path, body: configMap(nextName(), 0, NAMESPACE) });
    if (status !== 201) throw new Error(`a create was answered with ${status}`);
  });
}
