/** Every connection is an open file of both of its processes. */

import { readFileSync } from 'node:fs';

/** What a process needs beside its connections: libraries, the store, pipes. */
const OTHERS = 100;

/** Throws an error that says what to do when one process may not have so many connections. */
export function requireOpenFiles(connections: number): void {
  const limits = readFileSync('/proc/self/limits', 'latin1');
  const soft = Number(/^Max open files\s+(\d+)/mu.exec(limits)?.[1] ?? Number.POSITIVE_INFINITY);
  const needed = connections + OTHERS;
  if (soft >= needed) return;
  throw new Error(
    `${connections} connections need ${needed} open files, and a process may have ${soft}: run "ulimit -n ${needed}" first, or with fewer watchers`,
  );
}
