/** What it costs to start a watch of one node that begins with the node's Pods, as each kubelet does. */

import { FrameCounter } from '../server/frame-counter.ts';
import { withConnections } from '../server/open-connection.ts';
import { costOf } from '../server/process-facts.ts';
import { digits, record } from '../server/result.ts';
import type { Target } from '../server/target.ts';

/** As many as fit on one connection. */
const STARTS = 100;

/** Server CPU of one start; `objects` Pods are spread evenly over `nodes`. */
export async function benchWatchStarts(target: Target, objects: number, nodes: number): Promise<void> {
  await withConnections(target, 'h2', 1, async ([connection]) => {
    const { serverMicros, ms } = await costOf(target.pid, async () => {
      for (let node = 0; node < Math.min(STARTS, nodes); node += 1) {
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
    });
    const starts = Math.min(STARTS, nodes);
    const facts = { objects, nodes, wallMs: digits(ms / starts) };
    record(
      { name: 'measured' },
      { bench: 'start of a node watch', value: serverMicros / starts, unit: 'us CPU', ...facts },
    );
  });
}
