/** A process with some of the watchers, so that the measuring does not starve itself: see `watcher-fleet.ts`. */

import { FrameCounter } from '../server/frame-counter.ts';
import { LatencyHistogram } from '../server/latency-histogram.ts';
import { openConnections } from '../server/open-connection.ts';
import { expectedOf, monotonicMs, type WatcherAnswer, type WatcherOrder, type WatchPlan } from './watcher-plan.ts';

/** Watches that are opened at once. */
const AT_ONCE = 50;

const restarts: (() => void)[] = [];
const plans: WatchPlan[] = [];
let latencies = new LatencyHistogram();
let start = 0;
let interval = 0;
let missing = 0;
let delivered = 0;
let bytes = 0;
let ended = 0;
let cpu = process.cpuUsage();

function answer(message: WatcherAnswer): void {
  process.send?.(message);
}

async function open(order: Extract<WatcherOrder, { readonly type: 'open' }>): Promise<void> {
  const { url, token, protocol, watchesPerConnection, watches } = order;
  const count = Math.ceil(watches.length / watchesPerConnection);
  const connections = await openConnections({ name: '', url, token, pid: 0 }, protocol, count);
  for (let i = 0; i < watches.length; i += AT_ONCE) {
    await Promise.all(
      watches.slice(i, i + AT_ONCE).map(async (plan, j) => {
        const counter = new FrameCounter();
        let seen = 0;
        plans.push(plan);
        restarts.push(() => (seen = 0));
        const connection = connections[(i + j) % connections.length];
        const watch = await connection?.watch(plan.path, (chunk) => {
          bytes += chunk.length;
          const events = counter.count(chunk);
          const now = monotonicMs();
          for (let event = 0; event < events; event += 1) {
            latencies.add(now - (start + (plan.first + seen * plan.stride) * interval));
            seen += 1;
          }
          delivered += events;
          missing -= events;
          if (missing === 0 && events > 0) answer({ type: 'done' });
        });
        void watch?.ended.then(() => (ended += 1));
      }),
    );
  }
  answer({ type: 'opened' });
}

function begin(order: Extract<WatcherOrder, { readonly type: 'begin' }>): void {
  start = order.start;
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
