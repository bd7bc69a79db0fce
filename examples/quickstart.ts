/**
 * Follows the config maps of a cluster: prints those that exist, and then every change, until Ctrl-C.
 *
 *     npm run -s example examples/quickstart.ts
 */

import { resource } from '@listwatch/api';
import { connect } from '@listwatch/client';
import { informer } from '@listwatch/runtime';

const configMaps = resource({ version: 'v1', plural: 'configmaps', kind: 'ConfigMap', namespaced: true });

await using cluster = await connect(); // finds the cluster as kubectl does
await using cache = informer(cluster, configMaps);
await cache.synced; // now cache.store has all of them, and follows the cluster
for await (const change of cache.changes()) console.log(change.type, change.key);
