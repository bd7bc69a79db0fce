/** What a watcher of the relay costs in memory that has nothing to see, its connection and TLS included. */

import { configMapPath } from '../server/objects.ts';
import { withConnections } from '../server/open-connection.ts';
import { costOf, resident } from '../server/process-facts.ts';
import { resourceVersion } from '../server/resource-version.ts';
import { digits, record } from '../server/result.ts';
import type { RelayStage } from './relay-stage.ts';
import { ServedRelay } from './served-relay.ts';

const WATCHERS = 4000;
const GOAL_KILOBYTES = 60;
const IDLE_SECONDS = 5;

/** HTTP/1.1: a connection for each. */
export async function benchIdle({ upstream, plan }: RelayStage): Promise<void> {
  await using relay = new ServedRelay(plan);
  await relay.start();
  const { target } = relay;
  const from = await resourceVersion(upstream.target);
  const path = `${configMapPath()}?watch=true&resourceVersion=${from}&allowWatchBookmarks=true`;
  // The first ones warm up; what they leave behind is found again by the others.
  await withConnections(target, 'h1', 100, (all) => Promise.all(all.map((each) => each.watch(path, () => {}))));
  const before = resident(target.pid).own;
  await withConnections(target, 'h1', WATCHERS, async (all) => {
    await Promise.all(all.map((each) => each.watch(path, () => {})));
    const idle = await costOf(target.pid, () => new Promise((resolve) => setTimeout(resolve, IDLE_SECONDS * 1000)));
    const value = (resident(target.pid).own - before) / WATCHERS / 1024;
    const facts = { watchers: WATCHERS, idleCpuPercent: digits(idle.serverMicros / IDLE_SECONDS / 10_000) };
    record(target, { bench: 'idle watcher, HTTP/1.1', value, unit: 'KB', goal: { atMost: GOAL_KILOBYTES }, ...facts });
  });
}
