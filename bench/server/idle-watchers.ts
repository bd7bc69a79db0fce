/** What a watcher costs that has nothing to see. */

import type { Protocol } from './connection.ts';
import { configMapPath } from './objects.ts';
import { withConnections } from './open-connection.ts';
import { costOf, resident } from './process-facts.ts';
import { resourceVersion } from './resource-version.ts';
import { digits, record } from './result.ts';
import type { Target } from './target.ts';

/** As many as a server lets into one HTTP/2 connection. */
const STREAMS = 100;
const GOAL_KILOBYTES = 10;
const IDLE_SECONDS = 5;

/** Memory for each watcher beyond its connection, which has been opened and used before. */
export async function benchIdleWatchers(target: Target): Promise<void> {
  await measure(target, 'h2', 10_000, 10_000 / STREAMS);
  await measure(target, 'h1', 2000, 2000);
}

async function measure(target: Target, protocol: Protocol, watchers: number, connections: number): Promise<void> {
  await withConnections(target, protocol, connections, async (opened) => {
    for (const connection of opened) await connection.ask({ path: '/version' });
    const before = await settledBytes(target);
    const from = await resourceVersion(target);
    const path = `${configMapPath()}?watch=true&resourceVersion=${from}&allowWatchBookmarks=true`;
    const opening = await costOf(target.pid, async () => {
      for (let i = 0; i < watchers; i += connections) {
        await Promise.all(opened.slice(0, watchers - i).map((connection) => connection.watch(path, () => {})));
      }
    });
    const after = await settledBytes(target);
    const idle = await costOf(target.pid, () => new Promise((resolve) => setTimeout(resolve, IDLE_SECONDS * 1000)));
    record(target, {
      bench: `idle watcher ${protocol}`,
      value: (after - before) / watchers / 1024,
      unit: 'KB',
      goal: { atMost: GOAL_KILOBYTES },
      watchers,
      connections,
      openingMicros: digits(opening.serverMicros / watchers),
      idleCpuPercent: digits(idle.serverMicros / IDLE_SECONDS / 10_000),
    });
  });
}

/** Resident memory when garbage has been given back, as far as the server can be asked to. */
async function settledBytes(target: Target): Promise<number> {
  for (let i = 0; i < 3; i += 1) await target.collect?.();
  return resident(target.pid).now;
}
