// Our controller of ConfigMaps with a reconcile that does nothing, or nothing for some time. Prints `ready` when each object was reconciled once, and one
// JSON line when its standard input gets a line.

import { setTimeout as pause } from 'node:timers/promises';
import { resource } from '@listwatch/api';
import { connect } from '@listwatch/client';
import { controller } from '@listwatch/runtime';

const [server, token, namespace, objects, owned, reconcileMs, compact] = process.argv.slice(2);
const configMaps = resource({ version: 'v1', plural: 'configmaps', kind: 'ConfigMap', namespaced: true });
const secrets = resource({ version: 'v1', plural: 'secrets', kind: 'Secret', namespaced: true });
const wanted = Number(objects);

const cpuMs = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};
const before = cpuMs();
const started = performance.now();
const cluster = await connect({ server, token, insecureSkipTlsVerify: true });
const selection = { namespace, compact: compact === 'compact' };
const seen = new Set();
const latencies = [];
let reconciles = 0;
const complete = new Promise((resolve) => {
  void controller(cluster, {
    for: configMaps,
    selection,
    owns: owned === 'owned' ? [{ resource: secrets, selection }] : [],
    reconcile: async ({ key, object }) => {
      reconciles++;
      const sentAt = Number(object?.data?.sentAt ?? 0);
      if (sentAt > 0) latencies.push(performance.timeOrigin + performance.now() - sentAt);
      if (seen.size < wanted) {
        seen.add(key.name);
        if (seen.size === wanted) resolve();
      } else if (reconcileMs !== '0') {
        await pause(Number(reconcileMs));
      }
    },
  }).run();
});
await complete;
const start = {
  startMs: performance.now() - started,
  startCpuMs: cpuMs() - before,
  startPeakMb: (process.resourceUsage().maxRSS * 1024) / 1e6,
};
const first = reconciles;
// Those of the first list are as old as their objects.
latencies.length = 0;
const calm = cpuMs();
console.log('ready');
process.stdin.once('data', () => {
  latencies.sort((a, b) => a - b);
  const percentile = (share) => latencies[Math.floor(latencies.length * share)] ?? 0;
  const cost = { reconciles: reconciles - first, cpuMs: cpuMs() - calm };
  console.log(JSON.stringify({ ...start, ...cost, p50Ms: percentile(0.5), p99Ms: percentile(0.99) }));
  process.exit();
});
