import { FakeClock } from '@listwatch/api/fake-clock';
import { type RunningControllers, type ServerAddress, startLoopbackControllers } from '@listwatch/controllers';
import { leases } from '@listwatch/runtime';
import { startTestServer, type TestEnvironment } from '@listwatch/testing';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { endpointSlices, endpoints, services } from '../src/kubernetes-service/service-resources.ts';

const ended: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ended.splice(0).toReversed()) await end();
});

async function newServer(options: Parameters<typeof startTestServer>[0] = {}): Promise<TestEnvironment> {
  const env = await startTestServer({ controllers: [], ...options });
  ended.push(() => env.close());
  return env;
}

function run(env: TestEnvironment, advertise: ServerAddress, leaderElection = false): RunningControllers {
  const controllers = ['kubernetes-service-controller'];
  const running = startLoopbackControllers(env.server, { controllers, advertise, leaderElection, clock: env.clock });
  ended.push(() => running.close());
  return running;
}

const KEY = { namespace: 'default', name: 'kubernetes' };

async function addresses({ cluster }: TestEnvironment): Promise<readonly string[]> {
  const { subsets = [] } = await cluster.get(endpoints, KEY);
  const listed = subsets.flatMap((subset) =>
    (subset.addresses ?? []).map(({ ip }) => `${ip}:${subset.ports?.[0]?.port ?? ''}`),
  );
  const { items } = await cluster.list(endpointSlices, { namespace: 'default' });
  const sliced = items.flatMap((slice) =>
    slice.endpoints.flatMap((one) => one.addresses.map((ip) => `${ip}:${slice.ports[0]?.port ?? ''}`)),
  );
  expect(sliced.toSorted()).toEqual(listed.toSorted());
  return listed;
}

const shows = (env: TestEnvironment, ...expected: string[]) =>
  vi.waitFor(async () => expect(await addresses(env)).toEqual(expected), 20_000);

describe('the Service kubernetes', () => {
  it('leads to the server that the controllers were told of', async () => {
    const env = await newServer();
    run(env, { ip: '10.0.0.7', port: 7443 });
    await shows(env, '10.0.0.7:7443');
    expect(await env.cluster.get(endpoints, KEY)).toMatchObject({
      metadata: { labels: { 'endpointslice.kubernetes.io/skip-mirror': 'true' } },
      subsets: [{ addresses: [{ ip: '10.0.0.7' }], ports: [{ name: 'https', port: 7443, protocol: 'TCP' }] }],
    });
    expect(await env.cluster.get(endpointSlices, KEY)).toMatchObject({
      metadata: { labels: { 'kubernetes.io/service-name': 'kubernetes' } },
      addressType: 'IPv4',
      endpoints: [{ addresses: ['10.0.0.7'], conditions: { ready: true } }],
      ports: [{ name: 'https', port: 7443, protocol: 'TCP' }],
    });
    await vi.waitFor(async () => {
      expect(await env.cluster.get(services, KEY)).toMatchObject({
        spec: { ports: [{ port: 443, targetPort: 7443 }] },
      });
    }, 20_000);
  });

  it('and its addresses come back when they are deleted or changed', async () => {
    const env = await newServer();
    run(env, { ip: '10.0.0.7', port: 7443 });
    await shows(env, '10.0.0.7:7443');
    const { clusterIP } = (await env.cluster.get(services, KEY)).spec ?? {};
    await env.cluster.delete(services, KEY);
    await vi.waitFor(async () => {
      expect((await env.cluster.get(services, KEY)).spec?.clusterIP).toBe(clusterIP);
      expect(await env.cluster.get(services, KEY)).toMatchObject({
        spec: { ports: [{ port: 443, targetPort: 7443 }] },
      });
    }, 20_000);
    await env.cluster.delete(endpoints, KEY);
    await env.cluster.delete(endpointSlices, KEY);
    await vi.waitFor(() => env.cluster.get(endpoints, KEY), 20_000);
    await vi.waitFor(() => env.cluster.get(endpointSlices, KEY), 20_000);
    const body = { subsets: [{ addresses: [{ ip: '10.9.9.9' }], ports: [{ port: 1 }] }] };
    await env.cluster.patch(endpoints, KEY, { type: 'merge', body });
    await shows(env, '10.0.0.7:7443');
  });

  it('follows a server that comes back with another address, also of another family', async () => {
    const env = await newServer();
    await run(env, { ip: '10.0.0.7', port: 7443 }).ready;
    await shows(env, '10.0.0.7:7443');
    await ended.pop()?.();
    run(env, { ip: 'fd00::7', port: 6443 });
    await shows(env, 'fd00::7:6443');
  });

  it('lists all servers of a store, drops one that dies after 15 s, and one that ends at once', async () => {
    const clock = new FakeClock();
    const first = await newServer({ clock });
    const second = await newServer({ clock, engine: first.engine });
    const third = await newServer({ clock, engine: first.engine });
    run(first, { ip: '10.0.0.1', port: 6443 }, true);
    const dying = run(second, { ip: '10.0.0.2', port: 6443 }, true);
    const ending = run(third, { ip: '10.0.0.3', port: 7443 }, true);
    await shows(first, '10.0.0.1:6443', '10.0.0.2:6443', '10.0.0.3:7443');
    expect((await first.cluster.list(leases, { namespace: 'kube-system' })).items).toHaveLength(3);
    await ending.close();
    await shows(first, '10.0.0.1:6443', '10.0.0.2:6443');
    // The process dies: it deletes no lease and renews none.
    await Promise.all([second.close(), dying.close()]);
    await clock.advance(10_000);
    expect(await addresses(first)).toEqual(['10.0.0.1:6443', '10.0.0.2:6443']);
    await clock.advance(10_000);
    await shows(first, '10.0.0.1:6443');
    await clock.advance(60_000);
    expect(await addresses(first)).toEqual(['10.0.0.1:6443']);
    await vi.waitFor(async () => {
      expect((await first.cluster.list(leases, { namespace: 'kube-system' })).items).toHaveLength(1);
    }, 20_000);
  });
});
