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

/** A command with its input, a refusal with its reason, and a port, over TLS. */
export const STREAMS = `
import { connect, exec, forwardPort } from '@listwatch/client';
import { connect as connectTcp } from 'node:net';

const cluster = await connect({ kubeconfig: 'streams-kubeconfig' });
const pod = { namespace: 'default', name: 'web' };
const session = await exec(cluster, pod, { command: ['cat'], stdin: ['a', 'b'.repeat(1_000_000)] });
const { code, stdout } = await session.output();
const refused = await exec(cluster, { ...pod, name: 'gone' }, { command: ['cat'] }).catch((error) => error);
const forwarded = await forwardPort(cluster, pod, { port: 80, onError: console.error });
const socket = connectTcp(forwarded.port, '127.0.0.1');
socket.write('hello');
const echoed = await new Promise((resolve) => socket.once('data', resolve));
socket.destroy();
await forwarded.close();
await cluster.close();
console.log('code', code, 'bytes', stdout.length, 'refused', refused.reason, 'port', String(echoed));
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

/** What compilers read beside the page of the guide: a page has no files, and nothing that says where its server is. */
export const PAGE_TYPES = `
import { connect } from '@listwatch/client';
// @ts-expect-error -- there are no files in a browser
import { fileCheckpoint } from '@listwatch/runtime';
// @ts-expect-error -- and no kubeconfig: the server must be named
void connect();
export { fileCheckpoint };
`;
