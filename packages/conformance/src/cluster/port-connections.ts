/** Who has a connection open to a port of this machine: what a leak is found by. */

import { readFileSync } from 'node:fs';

/** ESTABLISHED, and CLOSE_WAIT: the other side has gone, and this one has not noticed. */
const OPEN: ReadonlySet<string> = new Set(['01', '08']);

/** How many connections the owner of a port has open; undefined where the system does not tell. */
export function openConnections(port: number): number | undefined {
  try {
    return ['/proc/net/tcp', '/proc/net/tcp6'].reduce(
      (sum, file) => sum + countOpen(readFileSync(file, 'utf8'), port),
      0,
    );
  } catch {
    return undefined;
  }
}

/** The same from the text of such a file: `sl local_address rem_address st ...`, in hexadecimal. */
export function countOpen(table: string, port: number): number {
  const suffix = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  return table
    .split('\n')
    .map((line) => line.trim().split(/\s+/u))
    .filter(([, local = '', , state = '']) => local.endsWith(suffix) && OPEN.has(state)).length;
}
