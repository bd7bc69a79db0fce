/** A watch that begins with all objects: what an informer does when it starts. */

import type { Connection, Protocol } from './connection.ts';
import { FrameCounter } from './frame-counter.ts';
import { configMapPath, OBJECTS } from './objects.ts';
import { withConnections } from './open-connection.ts';
import { costOf } from './process-facts.ts';
import { digits, middle, record } from './result.ts';
import type { Target } from './target.ts';

const ROUNDS = 7;
const TIMES = 10;
const GOAL_MS = 25;
const PATH = `${configMapPath()}?watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true`;

/** Server CPU in milliseconds from the request to the bookmark that ends the initial events. */
export async function benchWatchList(target: Target): Promise<void> {
  for (const protocol of ['h1', 'h2'] as const) await measure(target, protocol);
}

async function measure(target: Target, protocol: Protocol): Promise<void> {
  const server: number[] = [];
  const wall: number[] = [];
  for (let round = 0; round <= ROUNDS; round += 1) {
    // Connected beforehand: handshakes are not what is measured.
    await withConnections(target, protocol, protocol === 'h1' ? TIMES : 1, async (connections) => {
      const { serverMicros, ms } = await costOf(target.pid, async () => {
        for (let i = 0; i < TIMES; i += 1) await initialEvents(connections[i % connections.length]);
      });
      // The first round warms up.
      if (round === 0) return;
      server.push(serverMicros / TIMES / 1000);
      wall.push(ms / TIMES);
    });
  }
  record(target, {
    bench: `watch-list ${protocol}`,
    value: middle(server),
    unit: 'ms CPU',
    goal: protocol === 'h1' ? { atMost: GOAL_MS } : undefined,
    least: digits(Math.min(...server)),
    wallMs: digits(middle(wall)),
  });
}

/** All objects and the bookmark behind them; the watch goes on idly. */
function initialEvents(connection: Connection | undefined): Promise<void> {
  const counter = new FrameCounter();
  let missing = OBJECTS + 1;
  return new Promise((resolve, reject) => {
    connection
      ?.watch(PATH, (chunk) => {
        missing -= counter.count(chunk);
        if (missing === 0) resolve();
      })
      .catch(reject);
  });
}
