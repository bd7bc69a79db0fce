/** 500 watchers of everything at 200 changes a second: directly, and through a relay. */

import { loadavg } from 'node:os';
import { digits, middle, record } from '../server/result.ts';
import { type SteadyResult, steadyLoad } from '../server/steady-fleet.ts';
import type { Target } from '../server/target.ts';
import type { RelayStage } from './relay-stage.ts';
import { ServedRelay } from './served-relay.ts';

const WATCHERS = 500;
const RATE = 200;
const STREAMS = 100;
const GOAL_UPSTREAM_CORES = 0.04;
const GOAL_RELAY_CORES = 0.65;
const GOAL_P50_MS = 8;
const GOAL_P99_MS = 40;

interface Round {
  readonly writes: SteadyResult;
  readonly direct: SteadyResult | undefined;
  readonly relayed: SteadyResult;
}

/** Upstream CPU beyond that of the writes, the relay's, and the latency from when an update was due. */
export async function benchFollowers(stage: RelayStage): Promise<void> {
  const rounds: Round[] = [];
  for (let round = 0; round < stage.rounds; round += 1) rounds.push(await measure(stage));
  const upstream = stage.upstream.target;
  const relay: Pick<Target, 'name'> = { name: 'relay' };
  const bench = `${WATCHERS} watchers at ${RATE} changes/s`;
  const beyond = (of: 'direct' | 'relayed'): number[] =>
    rounds.map((each) => (each[of]?.used[0]?.all ?? Number.NaN) - (each.writes.used[0]?.all ?? 0));
  const writes = middle(rounds.map((each) => each.writes.used[0]?.all ?? 0));
  record(upstream, { bench: `the writes alone, ${RATE}/s`, value: writes, unit: 'cores' });
  if (stage.direct) {
    record(upstream, { bench: `${bench}, upstream beyond the writes`, value: middle(beyond('direct')), unit: 'cores' });
    report(
      upstream,
      bench,
      rounds.flatMap(({ direct }) => direct ?? []),
    );
  }
  const goal = { atMost: GOAL_UPSTREAM_CORES };
  record(relay, {
    bench: `${bench}, upstream beyond the writes`,
    value: middle(beyond('relayed')),
    unit: 'cores',
    goal,
    each: beyond('relayed').map(digits),
  });
  const relays = rounds.map(({ relayed }) => relayed);
  const cores = relays.map(({ used }) => used[1]?.all ?? 0);
  const loops = relays.map(({ used }) => digits(used[1]?.loop ?? 0));
  const cost = { goal: { atMost: GOAL_RELAY_CORES }, loops };
  record(relay, { bench: `${bench}, relay`, value: middle(cores), unit: 'cores', ...cost });
  report(relay, bench, relays, { p50: { atMost: GOAL_P50_MS }, p99: { atMost: GOAL_P99_MS } });
}

async function measure({ upstream, plan, seconds, direct }: RelayStage): Promise<Round> {
  const { target: server } = upstream;
  const load = { writeTo: server, watchers: WATCHERS, watchesPerConnection: STREAMS, rate: RATE, seconds };
  const pids = [server.pid];
  const writes = await steadyLoad({ ...load, targets: [server], watchers: 0, pids });
  const straight = direct ? await steadyLoad({ ...load, targets: [server], pids }) : undefined;
  await using relay = new ServedRelay(plan);
  await relay.start();
  const { target } = relay;
  const relayed = await steadyLoad({ ...load, targets: [target], pids: [server.pid, target.pid] });
  return { writes, direct: straight, relayed };
}

function report(
  target: Pick<Target, 'name'>,
  bench: string,
  results: readonly SteadyResult[],
  goals: { readonly p50?: { readonly atMost: number }; readonly p99?: { readonly atMost: number } } = {},
): void {
  const facts = {
    delivered: results.map(({ delivered }) => delivered),
    lost: results.map(({ lost }) => lost),
    watchesThatEnded: results.map(({ ended }) => ended),
    clientCores: results.map(({ clientCores }) => digits(clientCores)),
    load: digits(loadavg()[0] ?? 0),
  };
  const at = (share: number): number => middle(results.map(({ latencies }) => latencies.percentile(share)));
  record(target, { bench: `${bench}, p50`, value: at(0.5), unit: 'ms', goal: goals.p50, ...facts });
  record(target, { bench: `${bench}, p99`, value: at(0.99), unit: 'ms', goal: goals.p99 });
}
