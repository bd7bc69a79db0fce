import { systemClock } from '@listwatch/api';
import {
  assemble,
  bearerCredentials,
  createHttp1Transport,
  createHttp2Transport,
  type Transport,
} from '@listwatch/client';
import { load } from 'js-yaml';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestServer } from '../start-test-server.ts';
import type { TestEnvironment } from '../test-environment.ts';
import { createFaults } from './create-faults.ts';
import type { Faults } from './faults.ts';
import { CONFIG_MAPS, WatchReader } from './faulty-loopback.fixture.ts';

/** What a kubeconfig says, untyped. */
const parseYaml = (text: string) => JSON.parse(JSON.stringify(load(text)));

/** Connects with what the kubeconfig says. */
function socketTransport(kubeconfig: string, protocol: 'http/1.1' | 'http/2'): Transport {
  const { clusters, users } = parseYaml(kubeconfig);
  const { server, 'certificate-authority-data': authority } = clusters[0].cluster;
  const tls = { ca: Buffer.from(String(authority), 'base64').toString() };
  const create = protocol === 'http/2' ? createHttp2Transport : createHttp1Transport;
  return assemble(create({ server, tls }), {
    clock: systemClock,
    credentials: bearerCredentials(users[0].user.token),
    maxRetries: 0,
  });
}

describe.each(['http/1.1', 'http/2'] as const)('over %s', (protocol) => {
  let env: TestEnvironment;
  let faults: Faults;
  let transport: Transport;
  let made = 0;

  beforeAll(async () => {
    env = await startTestServer({ listen: true, controllers: [] });
  });
  afterAll(() => env.close());
  beforeEach(() => {
    faults = createFaults();
    transport = faults.decorate(socketTransport(env.kubeconfig, protocol));
  });
  afterEach(() => transport.close());

  const get = (path: string) => transport.send({ method: 'GET', path, headers: {} });

  /** A watch from now on. */
  async function watch(over: Transport = transport): Promise<WatchReader> {
    const path = `${CONFIG_MAPS}?watch=true&resourceVersion=${await env.engine.revision()}`;
    return new WatchReader(await over.send({ method: 'GET', path, headers: {} }));
  }

  async function create(): Promise<string> {
    made += 1;
    await env.apply({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: `made-${made}` } });
    return `ADDED made-${made}`;
  }

  /** How many watch ConfigMaps, says the server. */
  async function watchers(): Promise<number | undefined> {
    const { body } = await env.cluster.transport.send({ method: 'GET', path: '/debug/cache', headers: {} });
    let text = '';
    for await (const chunk of body) text += Buffer.from(chunk).toString();
    const { resources }: { resources: { resource: string; watchers: number }[] } = JSON.parse(text);
    return resources.find(({ resource }) => resource === 'configmaps')?.watchers;
  }

  it('a watch that is cut is broken for the client and over for the server', async () => {
    const cut = await watch();
    expect(await watchers()).toBe(1);
    const rest = cut.rest();
    faults.cutWatches();
    expect((await rest).end).toBe('CLOSED');
    await expect.poll(watchers).toBe(0);
  });

  it('a stall holds events back and a half-open connection swallows them', async () => {
    await using untouched = socketTransport(env.kubeconfig, protocol);
    const control = await watch(untouched);
    const [stalled, swallowed] = [await watch(), await watch()];
    const stall = faults.stall();
    const told = stalled.told();
    const rest = swallowed.rest();
    const first = await create();
    expect(await control.told()).toBe(first);
    expect(await Promise.race([told, rest, Promise.resolve('silence')])).toBe('silence');
    stall.restore();
    expect(await told).toBe(first);
    faults.halfOpen();
    const second = await create();
    expect(await control.told()).toBe(second);
    await transport.close();
    const { text, end } = await rest;
    expect(end).toBe('CLIENT_CLOSED');
    expect(text).not.toContain(second.split(' ')[1]);
  });

  it('a frame is torn, a request refused, a past expired', async () => {
    const torn = await watch();
    faults.tearFrame({ how: 'clean' });
    const rest = torn.rest();
    await create();
    const { text: half, end } = await rest;
    expect(end).toBe('clean');
    expect(() => JSON.parse(half)).toThrow(SyntaxError);
    faults.tooManyRequests(1);
    expect((await get(CONFIG_MAPS)).status).toBe(429);
    const { body } = await get(CONFIG_MAPS);
    let text = '';
    for await (const chunk of body) text += Buffer.from(chunk).toString();
    const { metadata }: { metadata: { resourceVersion: string } } = JSON.parse(text);
    faults.expire(metadata.resourceVersion, { at: 'open' });
    expect((await get(`${CONFIG_MAPS}?watch=true&resourceVersion=${metadata.resourceVersion}`)).status).toBe(410);
  });

  it('the transport’s own failures pass as they are', async () => {
    await transport.close();
    const other = faults.decorate(
      socketTransport(env.kubeconfig.replace(/127\.0\.0\.1:\d+/u, '127.0.0.1:1'), protocol),
    );
    const failed = other.send({ method: 'GET', path: CONFIG_MAPS, headers: {} });
    await expect(failed).rejects.toMatchObject({ name: 'TransportError', code: 'CONNECT' });
    await other.close();
  });
});
