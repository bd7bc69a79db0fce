// @kubernetes/client-node's informer on the ConfigMaps of a namespace: what its first sync costs, as one JSON line.

import { clientNode } from './client-node-informer.mjs';

const [url, token, namespace = '', objects] = process.argv.slice(2);
const client = clientNode(url, token, namespace);

const before = process.cpuUsage();
const started = performance.now();
const informer = client.informer();
const synced = new Promise((resolve, reject) => {
  let count = 0;
  informer.on('add', () => {
    count += 1;
    if (count === Number(objects)) resolve();
  });
  informer.on('error', reject);
});
await informer.start();
await synced;
const { user, system } = process.cpuUsage(before);
console.log(
  JSON.stringify({
    objects: informer.list().length,
    wallMs: performance.now() - started,
    cpuMs: (user + system) / 1000,
    peakMb: (process.resourceUsage().maxRSS * 1024) / 1e6,
  }),
);
process.exit();
