import { once } from 'node:events';
import { createServer, request, type Server } from 'node:https';
import { connect, type Socket } from 'node:net';
import { TestAuthority } from '@listwatch/conformance/parts';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { boundAddress } from '../src/wire/bound-address.ts';
import { bearer, RevocationServer, user } from './revocation.fixture.ts';

const POD = '/api/v1/namespaces/default/pods/p';
const BINDINGS = '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings';
const SWITCHED = 'HTTP/1.1 101 Switching Protocols\r\nconnection: Upgrade\r\nupgrade: SPDY/3.1\r\n\r\n';

let kubelet: Server;
let server: RevocationServer;
const open = new Set<Socket>();

/** Answers with the first line of a log, or changes the protocol, and then says nothing more. */
function startKubelet(): Server {
  using authority = new TestAuthority();
  const made = createServer(authority.server(), (_request, response) => void response.write('first line\n'));
  made.on('upgrade', (_request, socket) => void socket.write(SWITCHED));
  made.on('secureConnection', (socket) => {
    open.add(socket);
    socket.on('close', () => open.delete(socket));
    socket.on('error', () => {});
  });
  return made.listen(0, '127.0.0.1');
}

beforeAll(async () => {
  kubelet = startKubelet();
  await once(kubelet, 'listening');
  const { port } = boundAddress(kubelet);
  server = new RevocationServer({ kubelets: { connect: async () => connect(port, '127.0.0.1') } });
  const { inside } = server;
  await inside.server.listen();
  await inside.ok('POST', '/api/v1/nodes', { metadata: { name: 'n' } });
  const addresses = [{ type: 'InternalIP', address: '10.0.0.9' }];
  const how = { type: 'application/merge-patch+json' };
  await inside.ok('PATCH', '/api/v1/nodes/n/status', { status: { addresses } }, how);
  const spec = { nodeName: 'n', containers: [{ name: 'c', image: 'i' }] };
  await inside.ok('POST', POD.slice(0, -2), { metadata: { name: 'p' }, spec });
});

afterAll(async () => {
  await server[Symbol.asyncDispose]();
  for (const socket of open) socket.destroy();
  kubelet.close();
});

it.each([
  ['exec', 'POST', `${POD}/exec?command=sh&stdin=true`, { connection: 'Upgrade', upgrade: 'SPDY/3.1' }],
  ['a followed log', 'GET', `${POD}/log?follow=true`, {}],
])('%s ends when its binding is deleted, on both sides', async (_what, method, path, upgrade) => {
  const name = server.name();
  await server.bind(name, user(name), { verbs: ['create', 'get'], resources: ['pods/exec', 'pods/log'] });
  const { token } = await server.userToken(name);
  const headers = { ...bearer(token).headers, ...upgrade };
  const asked = request({ host: '127.0.0.1', port: server.port, path, method, headers, ca: server.ca, agent: false });
  let isEnded = false;
  const started = new Promise<void>((resolve, reject) => {
    asked.on('error', reject);
    asked.on('upgrade', (_response, socket) => {
      socket.on('close', () => (isEnded = true));
      resolve();
    });
    asked.on('response', (response) => {
      if (response.statusCode !== 200) reject(new Error(`${response.statusCode}`));
      response.on('error', () => {});
      response.on('close', () => (isEnded = true));
      response.once('data', () => resolve());
    });
  });
  asked.end();
  await started;
  expect([isEnded, open.size]).toEqual([false, 1]);
  await server.inside.ok('DELETE', `${BINDINGS}/${name}`);
  await vi.waitFor(() => expect([isEnded, open.size]).toEqual([true, 0]), { timeout: 20_000 });
});
