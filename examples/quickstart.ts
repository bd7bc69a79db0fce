/**
 * Follows the config maps of a cluster: prints those that exist, and then every change, until Ctrl-C.
 *
 *     npm run -s example examples/quickstart.ts
 */

import { connect } from '@listwatch/client';
import { configMaps } from '@listwatch/kinds';
import { informer } from '@listwatch/runtime';

await using cluster = await connect(); // finds the cluster as kubectl does
await using cache = informer(cluster, configMaps);
await cache.synced; // now cache.store has all of them, and follows the cluster
for await (const change of cache.changes()) console.log(change.type, change.key);
