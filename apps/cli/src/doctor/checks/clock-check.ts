/** Do the clocks of this machine and of the server agree? */

import { millisText } from '../amount-text.ts';
import { CannotCheck, type Check } from '../check.ts';
import { ok, warn } from '../finding.ts';
import type { ProbeAnswer } from '../probe.ts';

/** Leases are compared with this clock; renewals are some seconds apart. */
const TOLERATED_MS = 2000;
/** The header has whole seconds. */
const RESOLUTION_MS = 1000;

/** By how much the server is ahead: somewhere in this range. */
export interface SkewRange {
  readonly least: number;
  readonly most: number;
}

/**
 * The Date header was written between sending and receiving, and is cut to the second: each answer gives a range, and the
 * truth is in all of them. Undefined when no answer has a date.
 */
export function clockSkew(
  answers: readonly Pick<ProbeAnswer, 'headers' | 'receivedAt' | 'sentAt'>[],
): SkewRange | undefined {
  let range: SkewRange | undefined;
  for (const { headers, sentAt, receivedAt } of answers) {
    const date = Date.parse(headers['date'] ?? '');
    if (Number.isNaN(date)) continue;
    const one = { least: date - receivedAt, most: date + RESOLUTION_MS - sentAt };
    range ??= one;
    const [least, most] = [Math.max(range.least, one.least), Math.min(range.most, one.most)];
    // A clock that was set meanwhile gives ranges that do not meet.
    if (least <= most) range = { least, most };
  }
  return range;
}

export const clockCheck: Check = {
  name: 'clock',
  about: 'difference between this clock and the one of the server',
  async run({ facts }) {
    const range = clockSkew(await facts.pings());
    if (range === undefined) throw new CannotCheck('the server sends no Date header');
    const { least, most } = range;
    const distance = least > 0 ? least : most < 0 ? -most : 0;
    const data = { leastMs: least, mostMs: most };
    if (distance <= TOLERATED_MS) {
      const bound = Math.max(Math.abs(least), Math.abs(most));
      return [ok(`The clocks differ by at most ${millisText(bound)}, as far as the Date header shows.`, data)];
    }
    const summary = `The clock of the server is at least ${millisText(distance)} ${least > 0 ? 'ahead of' : 'behind'} this one.`;
    const advice =
      'Run NTP on both. Lease expiry, token lifetimes, certificate dates and ages in kubectl are wrong by this much.';
    return [warn(summary, advice, data)];
  },
};
