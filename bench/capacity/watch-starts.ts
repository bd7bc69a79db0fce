/** What it costs to start a watch of one node that begins with the node's Pods, as each kubelet does. */

import { FrameCounter } from '../server/frame-counter.ts';
import { withConnections } from '../server/open-connection.ts';
import { costOf } from '../server/process-facts.ts';
import { digits, record } from '../server/result.ts';
import type { Target } from '../server/target.ts';

/** As many as fit on one connection. */
const STARTS = 100;
const WARM_UP = 5;

/** Server CPU of one start; `objects` Pods are spread evenly over `nodes`. */
export async function benchWatchStarts(target: Target, objects: number, nodes: number): Promise<void> {
  await withConnections(target, 'h2', 1, async ([connection]) => {
    const starts = async (from: number, to: number): Promise<void> => {
      for (let node = from; node < to; node += 1) {
        const counter = new FrameCounter();
        // The bookmark that ends the initial objects included.
        let missing = Math.ceil((objects - node) / nodes) + 1;
        await new Promise<void>((resolve, reject) => {
          const fields = encodeURIComponent(`spec.nodeName=node-${node}`);
          const path = `/api/v1/pods?watch=true&resourceVersion=0&allowWatchBookmarks=true&fieldSelector=${fields}`;
          connection
            ?.watch(path, (chunk) => {
              missing -= counter.count(chunk);
              if (missing === 0) resolve();
            })
            .catch(reject);
        });
      }
    };
    // The server makes its index of the field for the second one.
    await starts(0, WARM_UP);
    const count = Math.min(STARTS, nodes) - WARM_UP;
    const { serverMicros, ms } = await costOf(target.pid, () => starts(WARM_UP, WARM_UP + count));
    const facts = { objects, nodes, wallMs: digits(ms / count) };
    record(
      { name: 'measured' },
      { bench: 'start of a node watch', value: serverMicros / count, unit: 'us CPU', ...facts },
    );
  });
}
