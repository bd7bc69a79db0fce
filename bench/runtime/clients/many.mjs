// A thousand informers in one process: how many sockets they need, and what each costs.

import { resource } from '@listwatch/api';
import { connect } from '@listwatch/client';
import { informer } from '@listwatch/runtime';

const [server, token, namespace, count] = process.argv.slice(2);
const configMaps = resource({ version: 'v1', plural: 'configmaps', kind: 'ConfigMap', namespaced: true });

const cluster = await connect({ server, token, insecureSkipTlsVerify: true });
globalThis.gc?.();
const resident = process.memoryUsage.rss();
const before = process.cpuUsage();
const started = performance.now();
const informers = Array.from({ length: Number(count) }, (_, i) =>
  informer(cluster, configMaps, { namespace, fieldSelector: `metadata.name=object-${String(i).padStart(7, '0')}` }),
);
await Promise.all(informers.map(({ synced }) => synced));
const { user, system } = process.cpuUsage(before);
const wallMs = performance.now() - started;
globalThis.gc?.();
console.log(
  JSON.stringify({
    synced: informers.filter(({ store }) => store.size === 1).length,
    sockets: process.getActiveResourcesInfo().filter((kind) => kind === 'TCPSocketWrap').length,
    wallMs,
    cpuMs: (user + system) / 1000,
    kilobytesEach: (process.memoryUsage.rss() - resident) / 1000 / informers.length,
  }),
);
process.exit();
