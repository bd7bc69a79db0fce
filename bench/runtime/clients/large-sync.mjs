// The first sync of a large collection in one informer, plain or compact: CPU and peak, as one JSON line.

import { resource } from '@listwatch/api';
import { connect } from '@listwatch/client';
import { informer } from '@listwatch/runtime';

const [server, token, namespace, plural, form, initialStrategy] = process.argv.slice(2);
const kind = plural === 'pods' ? 'Pod' : 'ConfigMap';
const resources = resource({ version: 'v1', plural, kind, namespaced: true });

const before = process.cpuUsage();
const started = performance.now();
const cluster = await connect({ server, token, insecureSkipTlsVerify: true });
const cache = informer(cluster, resources, { namespace, initialStrategy, compact: form === 'compact' });
await cache.synced;
const { user, system } = process.cpuUsage(before);
const wallMs = performance.now() - started;
const peakMb = (process.resourceUsage().maxRSS * 1024) / 1e6;
let jsonBytes = 0;
for (const object of cache.store.values()) jsonBytes += Buffer.byteLength(JSON.stringify(object));
console.log(
  JSON.stringify({ objects: cache.store.size, wallMs, cpuMs: (user + system) / 1000, peakMb, jsonMb: jsonBytes / 1e6 }),
);
process.exit();
