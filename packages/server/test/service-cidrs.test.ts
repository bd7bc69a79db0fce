import { FakeClock } from '@listwatch/api/fake-clock';
import { createMemoryEngine } from '@listwatch/storage';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { InProcessServer } from '../src/start/in-process-server.fixture.ts';

const MERGE = { type: 'application/merge-patch+json' };
const WAIT = { timeout: 30_000, interval: 20 };
const CIDRS = '/apis/networking.k8s.io/v1/servicecidrs';
const ADDRESSES = '/apis/networking.k8s.io/v1/ipaddresses';
const SERVICES = '/api/v1/namespaces/default/services';
const FINALIZER = 'networking.k8s.io/service-cidr-finalizer';

vi.setConfig({ testTimeout: 60_000 });

const clock = new FakeClock();
const engine = createMemoryEngine({ clock });
const server = new InProcessServer({ engine, clock });
/** Of the same store. */
const other = new InProcessServer({ engine, clock });

const service = (name: string, spec: object = {}): object => ({
  metadata: { name },
  spec: { ports: [{ port: 80 }], ...spec },
});
const ready = async (name: string): Promise<unknown> =>
  (await server.ask('GET', `${CIDRS}/${name}`)).body.status?.conditions?.[0];

beforeAll(async () => {
  await server.server.start();
  await other.server.start();
});
afterAll(async () => {
  await server.server.close();
  await other.server.close();
});

describe('ServiceCIDRs', () => {
  it('have the default range from the start, ready, and the address of the server', async () => {
    expect(await server.ok('GET', `${CIDRS}/kubernetes`)).toMatchObject({
      metadata: { finalizers: [FINALIZER] },
      spec: { cidrs: ['10.96.0.0/12'] },
      status: { conditions: [{ type: 'Ready', status: 'True', message: 'Kubernetes default Service CIDR is ready' }] },
    });
    expect(await server.ok('GET', `${ADDRESSES}/10.96.0.1`)).toMatchObject({
      metadata: {
        labels: {
          'ipaddress.kubernetes.io/ip-family': 'IPv4',
          'ipaddress.kubernetes.io/managed-by': 'ipallocator.k8s.io',
        },
      },
      spec: { parentRef: { group: '', resource: 'services', namespace: 'default', name: 'kubernetes' } },
    });
  });

  it('that users add become ready and give out addresses', async () => {
    const early = await server.ask('POST', SERVICES, service('early', { clusterIP: '10.200.0.7' }));
    expect([early.status, early.body.message]).toEqual([
      422,
      expect.stringContaining('the provided network does not match'),
    ]);
    await server.ok('POST', CIDRS, { metadata: { name: 'more' }, spec: { cidrs: ['10.200.0.0/24'] } });
    await vi.waitFor(
      async () =>
        expect(await ready('more')).toMatchObject({ status: 'True', message: 'Kubernetes Service CIDR is ready' }),
      WAIT,
    );
    expect((await server.ok('GET', `${CIDRS}/more`)).metadata.finalizers).toEqual([FINALIZER]);
    await server.ok('POST', SERVICES, service('placed', { clusterIP: '10.200.0.7' }));
    expect((await server.ask('GET', `${ADDRESSES}/10.200.0.7`)).status).toBe(200);
    const taken = await server.ask('POST', SERVICES, service('second', { clusterIP: '10.200.0.7' }));
    expect(taken.body.message).toContain('provided IP is already allocated');
  });

  it('that are deleted wait until no address of them is in use', async () => {
    await server.ok('DELETE', `${CIDRS}/more`);
    await vi.waitFor(
      async () => expect(await ready('more')).toMatchObject({ status: 'False', reason: 'Terminating' }),
      WAIT,
    );
    const late = await server.ask('POST', SERVICES, service('late', { clusterIP: '10.200.0.8' }));
    expect(late.status).toBe(422);
    await server.ok('DELETE', `${SERVICES}/placed`);
    await vi.waitFor(async () => {
      // Not before the end of its grace period.
      await clock.advance(1000);
      expect((await server.ask('GET', `${CIDRS}/more`)).status).toBe(404);
    }, WAIT);
    expect((await server.ask('GET', `${ADDRESSES}/10.200.0.7`)).status).toBe(404);
  });
});

describe('IPAddresses', () => {
  it('are there when the Service is answered, and gone when its deletion is', async () => {
    const names = Array.from({ length: 20 }, (_, index) => `answered-${index}`);
    await Promise.all(
      names.map(async (name) => {
        const { spec } = await server.ok('POST', SERVICES, service(name));
        const path = `${ADDRESSES}/${spec.clusterIP}`;
        expect((await server.ok('GET', path)).spec.parentRef.name).toBe(name);
        await server.ok('PATCH', `${SERVICES}/${name}`, { metadata: { labels: { a: 'b' } } }, MERGE);
        await server.ok('DELETE', `${SERVICES}/${name}`);
        expect((await server.ask('GET', path)).status).toBe(404);
      }),
    );
  });

  it('follow the address to the next Service that has it', async () => {
    const clusterIP = '10.96.0.78';
    await server.ok('POST', SERVICES, service('first', { clusterIP }));
    // As when the next Service takes the address before the IPAddress of the deleted one is gone.
    const first = '/registry/services/specs/default/first';
    const { entry } = await engine.get(first);
    const value = Buffer.from(
      Buffer.from(entry?.value ?? [])
        .toString()
        .replace('"first"', '"next"'),
    );
    await engine.commit({ type: 'put', key: '/registry/services/specs/default/next', value, expected: 0n });
    await engine.commit({ type: 'delete', key: first, expected: entry?.modRevision ?? 0n });
    await vi.waitFor(
      async () => expect((await server.ok('GET', `${ADDRESSES}/${clusterIP}`)).spec.parentRef.name).toBe('next'),
      WAIT,
    );
    await server.ok('DELETE', `${SERVICES}/next`);
  });

  it('come back when somebody deletes one that is in use', async () => {
    const { spec } = await server.ok('POST', SERVICES, service('kept'));
    const path = `${ADDRESSES}/${spec.clusterIP}`;
    await vi.waitFor(async () => expect((await server.ask('GET', path)).status).toBe(200), WAIT);
    const { metadata } = await server.ok('GET', path);
    await server.ok('DELETE', path);
    await vi.waitFor(async () => expect((await server.ok('GET', path)).metadata.uid).not.toBe(metadata.uid), WAIT);
    await server.ok('DELETE', `${SERVICES}/kept`);
    await vi.waitFor(async () => expect((await server.ask('GET', path)).status).toBe(404), WAIT);
  });

  it('that a user makes keep their address from Services', async () => {
    const parentRef = { group: 'example.com', resource: 'gateways', name: 'g' };
    await server.ok('POST', ADDRESSES, { metadata: { name: '10.96.0.77' }, spec: { parentRef } });
    await vi.waitFor(async () => {
      const asked = await server.ask('POST', `${SERVICES}?dryRun=All`, service('wants', { clusterIP: '10.96.0.77' }));
      expect(asked.body.message).toContain('provided IP is already allocated');
    }, WAIT);
    expect((await server.ask('GET', `${ADDRESSES}/10.96.0.77`)).status).toBe(200);
  });

  it('are one for each address when two servers share a store', async () => {
    const names = Array.from({ length: 20 }, (_, index) => `shared-${index}`);
    const made = await Promise.all(
      names.map((name, index) => (index % 2 === 0 ? server : other).ok('POST', SERVICES, service(name))),
    );
    const ips: string[] = made.map(({ spec }) => spec.clusterIP);
    await vi.waitFor(async () => {
      const { items } = await other.ok('GET', ADDRESSES);
      const parents = new Map(
        items.map((one: { metadata: { name: string }; spec: { parentRef: { name: string } } }) => [
          one.metadata.name,
          one.spec.parentRef.name,
        ]),
      );
      expect(ips.map((ip) => parents.get(ip))).toEqual(names);
    }, WAIT);
  });
});

describe('A server with ranges of its own', () => {
  it('makes them the ServiceCIDR kubernetes, gives out addresses of both families, and keeps them when it is not told again', async () => {
    const store = createMemoryEngine({ clock });
    const errors: string[] = [];
    const startedWith = async (ranges?: readonly string[]): Promise<InProcessServer> => {
      const made = new InProcessServer({
        engine: store,
        clock,
        onError: (error) => errors.push(String(error)),
        ...(ranges && { serviceClusterIpRanges: ranges }),
      });
      await made.server.start();
      return made;
    };
    const single = await startedWith(['10.8.0.0/16']);
    expect((await single.ok('GET', `${SERVICES}/kubernetes`)).spec.clusterIPs).toEqual(['10.8.0.1']);
    expect((await single.ok('GET', `${ADDRESSES}/10.8.0.1`)).spec.parentRef.name).toBe('kubernetes');
    const refused = await single.ask('POST', SERVICES, service('two', { ipFamilyPolicy: 'RequireDualStack' }));
    expect(refused.body.message).toContain('this cluster is not configured for dual-stack services');
    await single.server.close();

    const dual = await startedWith(['10.8.0.0/16', 'fd00::/112']);
    expect((await dual.ok('GET', `${CIDRS}/kubernetes`)).spec.cidrs).toEqual(['10.8.0.0/16', 'fd00::/112']);
    const { spec } = await dual.ok('POST', SERVICES, service('two', { ipFamilyPolicy: 'RequireDualStack' }));
    expect(spec.clusterIPs).toEqual([expect.stringMatching(/^10\.8\./u), expect.stringMatching(/^fd00::/u)]);
    const { metadata } = await dual.ok('GET', `${ADDRESSES}/${spec.clusterIPs[1]}`);
    expect(metadata.labels['ipaddress.kubernetes.io/ip-family']).toBe('IPv6');
    await dual.server.close();

    const untold = await startedWith();
    expect((await untold.ok('POST', SERVICES, service('three'))).spec.clusterIP).toMatch(/^10\.8\./u);
    await untold.server.close();
    expect(errors).toEqual([]);

    const mistaken = await startedWith(['10.9.0.0/16']);
    expect((await mistaken.ok('POST', SERVICES, service('four'))).spec.clusterIP).toMatch(/^10\.8\./u);
    await mistaken.server.close();
    expect(errors).toEqual([
      expect.stringContaining('the ServiceCIDR kubernetes has 10.8.0.0/16,fd00::/112, not 10.9.0.0/16'),
    ]);
  });

  it.each([[['10.8.0.0/16', '10.9.0.0/16']], [['10.8.0.1/16']], [[]]])('cannot have %j', (ranges) => {
    expect(() => new InProcessServer({ serviceClusterIpRanges: ranges })).toThrow(TypeError);
  });
});
