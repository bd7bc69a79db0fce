import { networkInterfaces } from 'node:os';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { HookedServer, hookTls } from './hook-server.fixture.ts';

let hooked: HookedServer;
let port: number;

beforeAll(async () => {
  hooked = await HookedServer.start({ port: 0, host: '127.0.0.1', tls: hookTls(), insecurePort: 0 });
  await hooked.server.server.listen();
  port = Number(new URL(hooked.server.server.url).port);
});

afterAll(async () => {
  await hooked[Symbol.asyncDispose]();
});

async function refusal(clientConfig: object): Promise<string> {
  const ns = await hooked.namespace();
  const path = await hooked.configure('Validating', hooked.hookOf(ns, 'a', { clientConfig }));
  const { status, body } = await hooked.create(ns, 'a');
  await hooked.server.ok('DELETE', path);
  expect(status).toBe(500);
  return body.message;
}

/** An address of this machine that others reach it by, when it has one. */
const outer = Object.values(networkInterfaces())
  .flatMap((list) => list ?? [])
  .find(({ family, internal }) => family === 'IPv4' && !internal)?.address;

it.each<[string, string]>([
  ['an address', '127.0.0.1'],
  ['another loopback address', '127.8.8.8'],
  ['an unusual notation of an address', '0x7f.1'],
  ['a name', 'localhost'],
  ['a name in capitals', 'LOCALHOST'],
  ['an address of an interface', outer ?? '0.0.0.0'],
])('a server does not call itself by %s (%s)', async (_, host) => {
  const { caBundle } = hooked.hook;
  expect(await refusal({ url: `https://${host}:${port}/api/v1/namespaces`, caBundle })).toContain(
    'this server does not call itself',
  );
});

it('a server does not call itself by a Service that stands for a name of it', async () => {
  const { server, hook } = hooked;
  const services = '/api/v1/namespaces/default/services';
  const spec = { type: 'ExternalName', externalName: 'localhost' };
  await server.ok('POST', services, { metadata: { name: 'self' }, spec });
  await server.ok('GET', services);
  const service = { namespace: 'default', name: 'self', path: '/a', port };
  expect(await refusal({ service, caBundle: hook.caBundle })).toContain('this server does not call itself');
});

it('a server calls a webhook on another port of its machine by name', async () => {
  const ns = await hooked.namespace();
  const { caBundle, port: other } = hooked.hook;
  await hooked.configure(
    'Validating',
    hooked.hookOf(ns, 'a', { clientConfig: { url: `https://localhost:${other}/a`, caBundle } }),
  );
  expect((await hooked.create(ns, 'a')).status).toBe(201);
});
