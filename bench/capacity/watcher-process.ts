/** A process with some of the watchers, so that the measuring does not starve itself: see `watcher-fleet.ts`. */

import type { Connection } from '../server/connection.ts';
import { FrameCounter } from '../server/frame-counter.ts';
import { LatencyHistogram } from '../server/latency-histogram.ts';
import { openConnection } from '../server/open-connection.ts';
import { expectedOf, monotonicMs, type WatcherAnswer, type WatcherOrder, type WatchPlan } from './watcher-plan.ts';

/** Connections that are opened at once. */
const AT_ONCE = 25;

const restarts: (() => void)[] = [];
const plans: WatchPlan[] = [];
let latencies = new LatencyHistogram();
/** When the first write was due. */
let begun = 0;
let interval = 0;
let missing = 0;
let delivered = 0;
let bytes = 0;
let ended = 0;
let cpu = process.cpuUsage();

function answer(message: WatcherAnswer): void {
  process.send?.(message);
}

/** Each connection is used as soon as it stands: a server closes those that ask for nothing. */
async function open(order: Extract<WatcherOrder, { readonly type: 'open' }>): Promise<void> {
  const { url, token, protocol, watchesPerConnection, watches } = order;
  let next = 0;
  const loop = async (): Promise<void> => {
    while (next < watches.length) {
      const own = watches.slice(next, next + watchesPerConnection);
      next += watchesPerConnection;
      const connection = await openConnection({ name: '', url, token, pid: 0 }, protocol);
      await Promise.all(own.map((plan) => start(connection, plan)));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, loop));
  answer({ type: 'opened' });
}

async function start(connection: Connection, plan: WatchPlan): Promise<void> {
  const counter = new FrameCounter();
  let seen = 0;
  plans.push(plan);
  restarts.push(() => (seen = 0));
  const watch = await connection.watch(plan.path, (chunk) => {
    bytes += chunk.length;
    const events = counter.count(chunk);
    const now = monotonicMs();
    for (let event = 0; event < events; event += 1) {
      latencies.add(now - (begun + (plan.first + seen * plan.stride) * interval));
      seen += 1;
    }
    delivered += events;
    missing -= events;
    if (missing === 0 && events > 0) answer({ type: 'done' });
  });
  void watch.ended.then(() => (ended += 1));
}

function begin(order: Extract<WatcherOrder, { readonly type: 'begin' }>): void {
  begun = order.start;
  interval = order.intervalMs;
  latencies = new LatencyHistogram();
  missing = plans.reduce((sum, plan) => sum + expectedOf(plan, order.writes), 0);
  delivered = 0;
  bytes = 0;
  cpu = process.cpuUsage();
  for (const restart of restarts) restart();
  answer({ type: 'begun' });
  if (missing === 0) answer({ type: 'done' });
}

function report(): void {
  const { user, system } = process.cpuUsage(cpu);
  const counts = latencies.counts();
  answer({ type: 'report', delivered, missing, bytes, ended, latencies: counts, cpuMicros: user + system });
}

process.on('message', (order: WatcherOrder) => {
  if (order.type === 'begin') begin(order);
  else if (order.type === 'report') report();
  else open(order).catch((error: unknown) => answer({ type: 'failed', message: String(error) }));
});
process.once('disconnect', () => process.exit(0));
