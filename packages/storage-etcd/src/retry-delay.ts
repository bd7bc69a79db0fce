/** How long to wait before trying again. */

const FIRST_MS = 50;
/** A server is blind until its watch is back: it must not wait longer for etcd than etcd's own election takes. */
const LONGEST_MS = 1000;

/**
 * The wait before attempt number `attempt` (0 = the first retry): doubling from 50 ms to 1 s, and of that a random
 * share between half and all, so that many watches do not come back at the same moment.
 */
export function retryBackoffMs(attempt: number, random: () => number = Math.random): number {
  const full = Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.min(attempt, 10));
  return full * (0.5 + random() / 2);
}
