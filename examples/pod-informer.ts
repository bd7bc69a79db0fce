/**
 * A program for a pod: follows the pods of its own namespace, and answers the probes of the kubelet.
 *
 *     npm run -s example examples/pod-informer.ts          # PORT=8080
 */

import { createServer } from 'node:http';
import { connect } from '@listwatch/client';
import { pods } from '@listwatch/kinds';
import { informer } from '@listwatch/runtime';

const cluster = await connect(); // in a pod: its service account and its namespace
const cache = informer(cluster, pods, {
  namespace: cluster.namespace,
  // managedFields are often half of an object.
  transform: (pod) => ({ ...pod, metadata: { ...pod.metadata, managedFields: [] } }),
});

const probes = createServer((request, response) => {
  // Ready once the cache is complete. A cache that is degraded later still serves what it has.
  const ready = request.url !== '/readyz' || cache.hasSynced;
  response.writeHead(ready ? 200 : 503).end(`${cache.status.phase} ${cache.status.reason ?? ''}\n`);
});
probes.listen(Number(process.env['PORT'] ?? 8080), () => console.log('probes at', probes.address()));

// The kubelet sends SIGTERM; the loop below ends when the informer is closed.
process.once('SIGTERM', () => void cache.close());
process.once('SIGINT', () => void cache.close());

for await (const change of cache.changes()) console.log(change.type, change.key);
await cluster.close();
probes.close();
