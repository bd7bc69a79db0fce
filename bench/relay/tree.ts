/** Points for the model: one relay at a low and at a high rate, and a tree of one relay with two below it, all on this machine. */

import { machine } from '../server/machine.ts';
import { digits } from '../server/result.ts';
import { type SteadyLoad, type SteadyResult, steadyLoad } from '../server/steady-fleet.ts';
import { report } from '../storage/measure.ts';
import type { RelayStage } from './relay-stage.ts';
import { ServedRelay } from './served-relay.ts';

const STREAMS = 50;
const LEAVES = 2;

interface Point {
  readonly name: string;
  readonly leaves: number;
  readonly watchers: number;
  readonly rate: number;
}

/** Costs are taken from the first one; the others are predicted. */
const POINTS: readonly Point[] = [
  { name: 'one relay, few changes', leaves: 1, watchers: 500, rate: 20 },
  { name: 'one relay, many changes', leaves: 1, watchers: 500, rate: 200 },
  { name: 'one relay, many watchers', leaves: 1, watchers: 2000, rate: 10 },
  { name: 'two relays below another', leaves: LEAVES, watchers: 2000, rate: 10 },
];

/** Prints the points that a simulation of the same relays, `tree-model.ts`, is held against. */
export async function benchTree(stage: RelayStage): Promise<void> {
  for (const point of POINTS) await measure(stage, point);
}

async function measure({ upstream, plan, seconds }: RelayStage, point: Point): Promise<void> {
  const { target: server } = upstream;
  const relays: ServedRelay[] = [];
  const start = async (folder: string, from: Partial<RelayStage['plan']>): Promise<ServedRelay> => {
    const relay = new ServedRelay({ ...plan, ...from, folder: `${plan.folder}/${folder}` });
    relays.push(relay);
    await relay.start();
    return relay;
  };
  try {
    const top = await start('top', {});
    const below = { kubeconfig: top.writeKubeconfig() };
    for (let i = 0; point.leaves > 1 && i < point.leaves; i += 1) await start(`leaf-${i}`, below);
    const all = relays.map(({ target }) => target);
    const targets = point.leaves === 1 ? all : all.slice(1);
    const { watchers, rate } = point;
    const pids = [server.pid, ...all.map(({ pid }) => pid)];
    const load: SteadyLoad = { targets, writeTo: server, watchers, watchesPerConnection: STREAMS, rate, seconds, pids };
    tell(point, await steadyLoad(load));
  } finally {
    for (const relay of relays.toReversed()) await relay.end('SIGTERM');
  }
}

function tell(point: Point, { used, latencies, delivered, lost, ended, clientCores }: SteadyResult): void {
  const [upstream, ...relays] = used.map(({ loop, all }) => ({ loop: digits(loop), all: digits(all) }));
  machine();
  report({
    ...point,
    upstream,
    relays,
    clientCores: digits(clientCores),
    delivered,
    lost,
    ended,
    p50: latencies.percentile(0.5),
    p99: latencies.percentile(0.99),
    longest: latencies.percentile(1),
  });
}
