import { FakeClock } from '@listwatch/api/fake-clock';
import { createMemoryEngine } from '@listwatch/storage';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { InProcessServer } from '../src/start/in-process-server.fixture.ts';

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
    await vi.waitFor(async () => expect((await server.ask('GET', `${ADDRESSES}/10.200.0.7`)).status).toBe(200), WAIT);
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
