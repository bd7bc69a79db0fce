/**
 * An informer that survives the end of its program: run it, end it with Ctrl-C, change and delete ConfigMaps, run it again.
 * The second run is ready from its file, without a list, and tells what happened in between, deletes included.
 *
 *     npm run -s example examples/checkpointed-informer.ts ./configmaps.checkpoint
 */

import { resource } from '@listwatch/api';
import { connect } from '@listwatch/client';
import { fileCheckpoint, informer } from '@listwatch/runtime';

const configMaps = resource({ version: 'v1', plural: 'configmaps', kind: 'ConfigMap', namespaced: true });
const path = process.argv[2] ?? './configmaps.checkpoint';

await using cluster = await connect();
await using cache = informer(cluster, configMaps, {
  namespace: cluster.namespace,
  checkpoint: fileCheckpoint(path),
});
// Closing saves what is new since the last time; it is also saved every minute.
process.once('SIGINT', () => void cache.close());

await cache.synced;
console.log(`ready with ${cache.store.size} objects: ${cache.status.reason ?? 'listed'}`);
for await (const change of cache.changes()) {
  if (!change.initial) console.log(`${change.type} ${change.key}`);
}
await cache.close();
console.log(`saved at version ${cache.store.resourceVersion ?? 'none'}`);
