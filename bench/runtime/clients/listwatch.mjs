// Our informer on the ConfigMaps of a namespace: what its first sync costs, as one JSON line.

import { resource } from '@listwatch/api';
import { connect } from '@listwatch/client';
import { informer } from '@listwatch/runtime';

const [server, token, namespace, , initial = 'auto', encoding] = process.argv.slice(2);
const compression = encoding === 'gzip';
const configMaps = resource({ version: 'v1', plural: 'configmaps', kind: 'ConfigMap', namespaced: true });

const before = process.cpuUsage();
const started = performance.now();
const cluster = await connect({ server, token, insecureSkipTlsVerify: true, compression });
const maps = informer(cluster, configMaps, { namespace, initialStrategy: initial });
await maps.synced;
const { user, system } = process.cpuUsage(before);
console.log(
  JSON.stringify({
    objects: maps.store.size,
    wallMs: performance.now() - started,
    cpuMs: (user + system) / 1000,
    peakMb: (process.resourceUsage().maxRSS * 1024) / 1e6,
  }),
);
process.exit();
