import { randomUUID } from 'node:crypto';
import { type EtcdProcess, needs, startEtcd } from '@listwatch/conformance/parts';
import type { ServiceAddresses } from '@listwatch/rules/internal';
import { type AlongsidePut, type Entry, requireCommitted, type StorageEngine } from '@listwatch/storage';
import { createEtcdEngine } from '@listwatch/storage-etcd';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { type ApiServer, createApiServer } from '../src/index.ts';
import { CLAIMS_ROOT, ServiceClaims } from '../src/write/admission/service-claims.ts';

const ADMIN = { user: { name: 'admin', groups: ['system:masters'] } };
const SERVICES = '/api/v1/namespaces/default/services';

interface Answer {
  readonly status: number;
  // oxlint-disable-next-line typescript/no-explicit-any -- an object of the API
  readonly body: any;
}

async function call(server: ApiServer, method: string, path: string, body?: object): Promise<Answer> {
  const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
  const response = await server.handle(
    {
      method,
      path,
      headers: body === undefined ? {} : { 'content-type': type },
      body: body === undefined ? undefined : Buffer.from(JSON.stringify(body)),
    },
    ADMIN,
  );
  const chunks: Uint8Array[] = [];
  for await (const chunk of response.body) chunks.push(Buffer.from(chunk));
  return { status: response.status, body: JSON.parse(Buffer.concat(chunks).toString()) };
}

async function metricsOf(server: ApiServer): Promise<string> {
  const response = await server.handle({ method: 'GET', path: '/metrics', headers: {}, body: undefined }, ADMIN);
  const chunks: Uint8Array[] = [];
  for await (const chunk of response.body) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString();
}

const keyOf = (name: string): string => `/services/default/${name}`;

const service = (name: string, spec: object = {}): object => ({
  metadata: { name },
  spec: { type: 'NodePort', ports: [{ port: 80 }], ...spec },
});

describe('Services of two servers on one etcd', needs('etcd'), () => {
  let etcd: EtcdProcess;
  let engines: StorageEngine[];
  let servers: ApiServer[];

  beforeAll(async () => {
    etcd = await startEtcd();
  }, 60_000);
  afterAll(() => etcd.stop());

  beforeEach(async () => {
    // Both look for a free address from the same place on.
    vi.spyOn(Math, 'random').mockReturnValue(0);
    const root = `/${randomUUID()}/`;
    engines = [0, 1].map(() => createEtcdEngine({ endpoints: [etcd.endpoint], root, compaction: 'off' }));
    servers = engines.map((engine) => createApiServer({ engine }));
    for (const server of servers) await server.start();
  });
  afterEach(async () => {
    vi.restoreAllMocks();
    for (const server of servers) await server.close();
    for (const engine of engines) await engine.close();
  });

  /** The same request to both in the same moment: neither cache can have seen what the other does. */
  function atOnce(make: (index: number) => Promise<Answer>): Promise<readonly Answer[]> {
    return Promise.all(servers.map((_, index) => make(index)));
  }

  function serverOf(index: number): ApiServer {
    return servers[index] ?? expect.fail('there are two servers');
  }

  it('never get an address or a port twice, however many are created at once', async () => {
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, n) => call(serverOf(n % 2), 'POST', SERVICES, service(`s${n}`))),
    );
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201));
    const ips = answers.map(({ body }) => body.spec.clusterIP);
    const ports = answers.map(({ body }) => body.spec.ports[0].nodePort);
    expect(new Set(ips).size).toBe(40);
    expect(new Set(ports).size).toBe(40);
  });

  it('that both name one address: one gets it, the other is told that it is taken', async () => {
    for (const [n, spec] of [{ clusterIP: '10.96.7.7' }, { ports: [{ port: 80, nodePort: 31_007 }] }].entries()) {
      const answers = await atOnce((index) =>
        call(serverOf(index), 'POST', SERVICES, service(`named-${n}-${index}`, spec)),
      );
      expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 422]);
      const refused = answers.find(({ status }) => status === 422);
      expect(refused?.body.message).toMatch(/provided (?:IP|port) is already allocated/u);
    }
    const pages = await Promise.all(servers.map((server) => metricsOf(server)));
    for (const address of ['ip', 'port']) {
      expect(pages[0]).toMatch(
        new RegExp(`^listwatch_service_claim_conflicts_total\\{address="${address}"\\} \\d+$`, 'mu'),
      );
    }
    const waited = /^listwatch_storage_wait_seconds_total\{call="read"\} (\S+)$/mu.exec(pages[0] ?? '')?.[1];
    expect(Number(waited)).toBeGreaterThan(0);
    expect(pages[0]).toMatch(/^listwatch_storage_waiting_calls\{call="commit"\} \d+$/mu);
  });

  it('that both change to one address by an update: one gets it', async () => {
    for (const index of [0, 1]) {
      const spec = { type: 'ExternalName', externalName: 'a.example', ports: [] };
      expect((await call(serverOf(index), 'POST', SERVICES, service(`later-${index}`, spec))).status).toBe(201);
    }
    const spec = { type: 'NodePort', externalName: null, ports: [{ port: 80, nodePort: 31_008 }] };
    const answers = await atOnce((index) => call(serverOf(index), 'PATCH', `${SERVICES}/later-${index}`, { spec }));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 422]);
  });

  it('give their addresses back when they are deleted or changed, to whichever server asks', async () => {
    const spec = { clusterIP: '10.96.7.8', ports: [{ port: 80, nodePort: 31_009 }] };
    const post = (index: number, name: string): Promise<Answer> =>
      call(serverOf(index), 'POST', SERVICES, service(name, spec));
    expect((await post(0, 'a')).status).toBe(201);
    expect((await call(serverOf(0), 'DELETE', `${SERVICES}/a`)).status).toBe(200);
    await vi.waitFor(async () => expect((await post(1, 'b')).status).toBe(201), 20_000);
    const changed = { type: 'ExternalName', externalName: 'a.example', clusterIP: null, clusterIPs: null, ports: null };
    expect((await call(serverOf(1), 'PATCH', `${SERVICES}/b`, { spec: changed })).status).toBe(200);
    await vi.waitFor(async () => expect((await post(0, 'c')).status).toBe(201), 20_000);
    // What is gone leaves no claim behind.
    expect((await call(serverOf(0), 'DELETE', `${SERVICES}/c`)).status).toBe(200);
    const { entries } = (await engines[0]?.range('/claims/')) ?? expect.fail('there is an engine');
    expect(entries.map(({ key }) => key)).toEqual(['/claims/services/ip/10.96.0.1']);
  });

  it('keep an address over updates that do not touch it', async () => {
    const { body } = await call(serverOf(0), 'POST', SERVICES, service('kept'));
    const label = { metadata: { labels: { a: 'b' } } };
    expect((await call(serverOf(1), 'PATCH', `${SERVICES}/kept`, label)).body.spec).toEqual(body.spec);
  });

  it('leave their claims to the next Service that needs them, and to nobody else', async () => {
    const [engine] = engines;
    if (engine === undefined) expect.fail('there are two engines');
    const claims = new ServiceClaims(engine);
    const addresses: ServiceAddresses = { ips: ['10.0.0.7'], nodePorts: [31_007] };
    const taken: unknown[] = [];
    const held = claims.held(addresses, undefined, (address) => taken.push(address));
    expect(held.map(({ key }) => key)).toEqual([`${CLAIMS_ROOT}ip/10.0.0.7`, `${CLAIMS_ROOT}port/31007`]);
    expect(claims.held(addresses, addresses)).toEqual([]);
    const puts = (name: string): Promise<readonly (AlongsidePut | undefined)[]> =>
      Promise.all(held.map((claim) => claim.take(keyOf(name), {})));
    const commit = async (name: string): Promise<Entry> => {
      const spec = { clusterIPs: addresses.ips, ports: [{ port: 80, nodePort: 31_007 }], type: 'NodePort' };
      const value = Buffer.from(JSON.stringify({ kind: 'Service', apiVersion: 'v1', metadata: { name }, spec }));
      const alongside = (await puts(name)).filter((put) => put !== undefined);
      const change = { type: 'put', key: keyOf(name), value, expected: 0n, alongside } as const;
      requireCommitted(await engine.commit(change), change.key);
      return (await engine.get(keyOf(name))).entry ?? expect.fail('it was committed');
    };
    const one = await commit('one');
    expect(await puts('two')).toEqual([undefined, undefined]);
    for (const claim of held) claim.lost();
    expect([claims.conflicts, taken]).toEqual([
      { ip: 1, port: 1 },
      [
        { ips: ['10.0.0.7'], nodePorts: [] },
        { ips: [], nodePorts: [31_007] },
      ],
    ]);
    // Deleted by a server that ended before it removed the claims: they are taken over.
    const { revision } = await engine.commit({ type: 'delete', key: one.key });
    const two = await commit('two');
    // The first server is late; the claims are another Service's now.
    await claims.drop(one, revision);
    expect(await puts('three')).toEqual([undefined, undefined]);
    // A Service of the same name was created since its deletion: the claims are its own.
    const deleted = await engine.commit({ type: 'delete', key: two.key });
    await commit('two');
    await claims.drop(two, deleted.revision);
    expect(await puts('three')).toEqual([undefined, undefined]);
    const last = await engine.commit({ type: 'delete', key: two.key });
    await claims.drop(two, last.revision);
    for (const { key } of held) expect((await engine.get(key)).entry).toBeUndefined();
  });
});
