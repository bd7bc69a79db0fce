/** How long does a small request take? */

import { millisText } from '../amount-text.ts';
import type { Check } from '../check.ts';
import { note, ok, warn } from '../finding.ts';
import { quantile } from '../quantile.ts';

const SLOW_MS = 250;
const VERY_SLOW_MS = 1000;

export const rttCheck: Check = {
  name: 'rtt',
  about: 'round trip of a small request',
  async run({ facts }) {
    const times = (await facts.pings()).map(({ headersMs }) => headersMs);
    const [p50, most] = [quantile(times, 0.5), quantile(times, 1)];
    const data = { p50Ms: p50, maxMs: most, requests: times.length };
    const summary = `A small request takes ${millisText(p50)}, at most ${millisText(most)}.`;
    if (p50 >= VERY_SLOW_MS) {
      const advice =
        'Every write and relist waits this long. Run the controller closer to the cluster, and look for an overloaded server or proxy.';
      return [warn(summary, advice, data)];
    }
    const advice = 'Prefer cached reads (informer.store) over requests, and run controllers in the cluster.';
    return [p50 >= SLOW_MS ? note(summary, advice, data) : ok(summary, data)];
  },
};
