/** What a watcher costs that has nothing to see. */

import type { Protocol } from './connection.ts';
import { configMapPath } from './objects.ts';
import { withConnections } from './open-connection.ts';
import { costOf } from './process-facts.ts';
import { resourceVersion } from './resource-version.ts';
import { digits, record } from './result.ts';
import { settledBytes } from './settled-bytes.ts';
import type { Target } from './target.ts';

/** As many as a server lets into one HTTP/2 connection. */
const STREAMS = 100;
const GOAL_KILOBYTES = 10;
const IDLE_SECONDS = 5;

/**
 * Memory for each watcher beyond its connection, which has been opened and used before. What a connection takes is only known
 * for the first protocol: the second one finds the memory that the first one has left.
 */
export async function benchIdleWatchers(target: Target, protocols: readonly Protocol[] = ['h2', 'h1']): Promise<void> {
  for (const protocol of protocols) {
    if (protocol === 'h2') await measure(target, protocol, 10_000, 10_000 / STREAMS);
    else await measure(target, protocol, 2000, 2000);
  }
}

async function measure(target: Target, protocol: Protocol, watchers: number, connections: number): Promise<void> {
  const empty = await settledBytes(target);
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
      connectionKb: digits((before - empty) / connections / 1024),
      openingMicros: digits(opening.serverMicros / watchers),
      idleCpuPercent: digits(idle.serverMicros / IDLE_SECONDS / 10_000),
    });
  });
}
