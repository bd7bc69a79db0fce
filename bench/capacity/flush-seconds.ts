/** The time that a server says it has spent on sending to watchers. */

import { withConnections } from '../server/open-connection.ts';
import type { Target } from '../server/target.ts';

/** In seconds, since its start. */
export async function flushSeconds(target: Target): Promise<number> {
  const text = await withConnections(target, 'h1', 1, async ([connection]) => {
    return (await connection?.ask({ path: '/metrics', keep: true }))?.body ?? '';
  });
  const value = /^listwatch_watch_flush_seconds_total(?:\{[^}]*\})? (\S+)$/mu.exec(text)?.[1];
  if (value === undefined) throw new Error('/metrics has no listwatch_watch_flush_seconds_total');
  return Number(value);
}
