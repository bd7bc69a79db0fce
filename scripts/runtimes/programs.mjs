// What is run on every runtime.

/** The test server in the process and behind TLS, a list, a cache and its changes. */
export const KIT = `
import { resource } from '@listwatch/api';
import { connect } from '@listwatch/client';
import { informer } from '@listwatch/runtime';
import { startTestServer } from '@listwatch/testing';
import { writeFileSync } from 'node:fs';

const configMaps = resource({ version: 'v1', plural: 'configmaps', kind: 'ConfigMap', namespaced: true });
const settings = (name) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } });

const env = await startTestServer({ listen: true });
await env.apply(settings('a'));
const { items } = await env.cluster.list(configMaps, { namespace: 'default' });
writeFileSync('kit-kubeconfig', env.kubeconfig);
const cluster = await connect({ kubeconfig: 'kit-kubeconfig' });
const cache = informer(cluster, configMaps, { namespace: 'default' });
await cache.synced;
await env.apply(settings('b'));
for await (const { key } of cache.changes()) if (key === 'default/b') break;
await cache.close();
await cluster.close();
await env.close();
console.log('listed', items.length, 'cached', cache.store.size);
`;

/** A test of Jest, or of Bun's test runner. */
export const TEST = `
import { resource } from '@listwatch/api';
import { startTestServer } from '@listwatch/testing';

const configMaps = resource({ version: 'v1', plural: 'configmaps', kind: 'ConfigMap', namespaced: true });

test('the server in the test process lists what was applied', async () => {
  const env = await startTestServer();
  await env.apply({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } });
  expect((await env.cluster.list(configMaps, { namespace: 'default' })).items).toHaveLength(1);
  await env.close();
});
`;

/** What compilers read beside the programs of the guide: the doors, and one wrong program. */
export const TYPES = `
import { applyYaml, connect } from '@listwatch/client';
import { cronJobs, pods } from '@listwatch/kinds';
import { createLog } from '@listwatch/runtime/log';
import type { ReconcileContext } from '@listwatch/runtime';
import { startTestServer } from '@listwatch/testing';

declare const ctx: ReconcileContext;
void ctx.apply(cronJobs, { metadata: { name: 'a' }, spec: { schedule: '@daily', concurrencyPolicy: 'Forbid' } });
// @ts-expect-error -- a misspelt field does not compile
void ctx.apply(cronJobs, { metadata: { name: 'a' }, spec: { schedul: '@daily' } });
// @ts-expect-error -- an enum is a text
void ctx.apply(cronJobs, { metadata: { name: 'a' }, spec: { concurrencyPolicy: {} } });
export { applyYaml, connect, createLog, pods, startTestServer };
`;
