// A large collection in one informer: what it holds, and what a relist adds to that, as one JSON line.

import { compactedWatch, resource } from '@listwatch/api';
import { connect } from '@listwatch/client';
import { informer } from '@listwatch/runtime';

const [server, token, namespace, , compact] = process.argv.slice(2);
const configMaps = resource({ version: 'v1', plural: 'configmaps', kind: 'ConfigMap', namespaced: true });
const inner = await connect({ server, token, insecureSkipTlsVerify: true });

/** Each ends a watch with a 410, as a server does that has forgotten. */
const watches = [];
const cluster = {
  clock: inner.clock,
  server: inner.server,
  pages: (...args) => inner.pages(...args),
  watch: (...args) => {
    const stream = inner.watch(...args);
    const gone = new Promise((resolve) => {
      const expire = () => resolve({ done: false, value: [{ type: 'ERROR', object: compactedWatch().status }] });
      watches.push(expire);
    });
    return {
      get opened() {
        return stream.opened;
      },
      batches: () => {
        const batches = stream.batches()[Symbol.asyncIterator]();
        const iterator = { next: () => Promise.race([batches.next(), gone]), return: () => batches.return() };
        return { [Symbol.asyncIterator]: () => iterator };
      },
      [Symbol.asyncIterator]: () => stream[Symbol.asyncIterator](),
      [Symbol.asyncDispose]: () => stream[Symbol.asyncDispose](),
    };
  },
};

/** What is in use: V8's objects, and buffers outside of its heap. */
function used() {
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
function settled() {
  globalThis.gc();
  return used();
}

const empty = settled();
const maps = informer(cluster, configMaps, { namespace, initialStrategy: 'listWatch', compact: compact === 'compact' });
await maps.synced;
const steady = settled();
let jsonBytes = 0;
for (const object of maps.store.values()) jsonBytes += Buffer.byteLength(JSON.stringify(object));
// Garbage is collected at each look, for only what is really held counts; and the looks must not be all that is done.
let peak = steady;
let timer = setTimeout(look, 0);
function look() {
  const started = performance.now();
  peak = Math.max(peak, settled());
  timer = setTimeout(look, 3 * (performance.now() - started));
}
while (watches.length === 0) await new Promise((resolve) => setTimeout(resolve, 1));
watches[0]();
while (maps.status.phase === 'live') await new Promise((resolve) => setTimeout(resolve, 1));
while (maps.status.phase !== 'live') await new Promise((resolve) => setTimeout(resolve, 10));
clearTimeout(timer);
peak = Math.max(peak, settled());
console.log(
  JSON.stringify({
    objects: maps.store.size,
    steadyMb: (steady - empty) / 1e6,
    peakRatio: (peak - empty) / (steady - empty),
    heldToJson: (steady - empty) / jsonBytes,
    residentPeakMb: (process.resourceUsage().maxRSS * 1024) / 1e6,
  }),
);
process.exit();
