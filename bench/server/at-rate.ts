/** Work at a steady rate, whether or not the server keeps up. */

import type { Connection } from './connection.ts';
import { spread } from './objects.ts';

/** When the work is due, by a clock of the caller's. */
export interface Schedule {
  readonly count: number;
  /** Milliseconds, by `now`. */
  readonly due: (i: number) => number;
  readonly now: () => number;
}

/** Does piece after piece when it is due, each on the next connection that is free. */
export async function atRate(
  connections: readonly Connection[],
  { count, due, now }: Schedule,
  work: (connection: Connection, i: number) => Promise<unknown>,
): Promise<void> {
  await spread(connections, count, async (connection, i) => {
    const ms = due(i) - now();
    if (ms > 0) await new Promise((resolve) => setTimeout(resolve, ms));
    await work(connection, i);
  });
}
