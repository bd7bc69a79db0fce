/** 500 informers start: each asks for everything, as it is now. */

import { cpuMicros } from '../server/process-facts.ts';
import { digits, middle, percentile99, record } from '../server/result.ts';
import type { Target } from '../server/target.ts';
import { InformerFleet } from './informer-fleet.ts';
import type { RelayStage } from './relay-stage.ts';
import { ServedRelay } from './served-relay.ts';

const INFORMERS = 500;
/** A direct start costs so much that a part of them says enough. */
const DIRECT_INFORMERS = 100;
const AT_ONCE = 20;
const GOAL_UPSTREAM_SECONDS = 1;
const GOAL_RELAY_SECONDS = 12;

/** CPU of all starts; those of the direct ones are counted up to 500. */
export async function benchStarts({ upstream, plan, direct }: RelayStage): Promise<void> {
  const server = upstream.target;
  if (direct) {
    const { used } = await start(server, DIRECT_INFORMERS, [server.pid]);
    const value = ((used[0] ?? 0) / DIRECT_INFORMERS) * INFORMERS;
    record(server, { bench: `start of ${INFORMERS} informers, upstream`, value, unit: 's CPU', ran: DIRECT_INFORMERS });
  }
  await using relay = new ServedRelay(plan);
  await relay.start();
  const { target } = relay;
  const { used, ms, clientSeconds, wallMs } = await start(target, INFORMERS, [server.pid, target.pid]);
  const facts = { clientSeconds, wallSeconds: digits(wallMs / 1000) };
  const [upstreamSeconds = 0, relaySeconds = 0] = used;
  const bench = `start of ${INFORMERS} informers`;
  const goal = { atMost: GOAL_UPSTREAM_SECONDS };
  record(target, { bench: `${bench}, upstream`, value: upstreamSeconds, unit: 's CPU', goal, ...facts });
  const own = { atMost: GOAL_RELAY_SECONDS };
  record(target, { bench: `${bench}, relay`, value: relaySeconds, unit: 's CPU', goal: own });
  record(target, { bench: `${bench}, one, p50`, value: middle(ms), unit: 'ms', p99: digits(percentile99(ms)) });
}

async function start(target: Target, informers: number, pids: readonly number[]) {
  await using fleet = new InformerFleet();
  // The first ones warm up.
  await fleet.sync(target, AT_ONCE, AT_ONCE);
  const before = pids.map(cpuMicros);
  const started = performance.now();
  const { ms, clientMicros } = await fleet.sync(target, informers, AT_ONCE);
  const wallMs = performance.now() - started;
  const used = pids.map((pid, at) => (cpuMicros(pid) - (before[at] ?? 0)) / 1e6);
  return { used, ms, wallMs, clientSeconds: digits(clientMicros / 1e6) };
}
