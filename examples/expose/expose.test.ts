/** How a controller is tested: with a real API server in the test process, its controllers, and faults. */

import { conditionIs, controller, deleted, waitFor } from '@listwatch/runtime';
import { startTestServer, type TestEnvironment } from '@listwatch/testing';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { deployments, expose, FINALIZER, services } from './expose.ts';

const web = { namespace: 'default', name: 'web' };
const routes = new Map<string, string>();
let env: TestEnvironment;
let stop: AbortController;
let running: Promise<void>;

beforeEach(async () => {
  routes.clear();
  env = await startTestServer();
  stop = new AbortController();
  const options = expose({ set: (name, to) => void routes.set(name, to), remove: (name) => void routes.delete(name) });
  running = controller(env.cluster, options).run({ signal: stop.signal });
});

afterEach(async () => {
  stop.abort();
  await running; // rejects if the controller failed
  await env.close();
});

const deployment = (labels: Readonly<Record<string, string>>) => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { ...web, labels },
  spec: {
    selector: { matchLabels: { app: 'web' } },
    template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'web', image: 'web:1' }] } },
  },
});

it('gives a labelled Deployment a Service, a route and a condition', async () => {
  await env.cluster.create(deployments, deployment({ expose: '8080' }));
  const ready = await waitFor(env.cluster, deployments, web, conditionIs('Exposed'));
  expect(ready?.metadata.finalizers).toEqual([FINALIZER]);
  expect(await env.cluster.get(services, web)).toMatchObject({
    metadata: { ownerReferences: [{ kind: 'Deployment', name: 'web', uid: ready?.metadata.uid, controller: true }] },
    spec: { selector: { app: 'web' }, ports: [{ port: 80, targetPort: 8080 }] },
  });
  expect(routes).toEqual(new Map([['default/web', 'web.default.svc:80']]));
});

it('makes the Service again when somebody deletes it', async () => {
  await env.cluster.create(deployments, deployment({ expose: '8080' }));
  await waitFor(env.cluster, deployments, web, conditionIs('Exposed'));
  const first = await env.cluster.get(services, web);
  await env.cluster.delete(services, web);
  const second = await waitFor(
    env.cluster,
    services,
    web,
    (now) => now !== undefined && now.metadata.uid !== first.metadata.uid,
  );
  expect(second?.metadata.name).toBe('web');
});

it('removes the route before the Deployment is gone, and the Service with it', async () => {
  await env.cluster.create(deployments, deployment({ expose: '8080' }));
  await waitFor(env.cluster, deployments, web, conditionIs('Exposed'));
  await env.cluster.delete(deployments, web);
  await waitFor(env.cluster, deployments, web, deleted);
  expect(routes.size).toBe(0);
  await waitFor(env.cluster, services, web, deleted); // the garbage collector of the test server
});

it('says what is wrong with a label that is no port', async () => {
  await env.cluster.create(deployments, deployment({ expose: 'http' }));
  const refused = await waitFor(env.cluster, deployments, web, conditionIs('Exposed', 'False'));
  expect(refused?.status?.conditions).toMatchObject([{ type: 'Exposed', reason: 'InvalidPort' }]);
  expect(routes.size).toBe(0);
});

it('gets there although requests fail and watches break', async () => {
  env.faults.tooManyRequests(3, 0);
  env.faults.cutWatches({ afterEvents: 1, times: 2 });
  await env.apply(deployment({ expose: '8080' })); // faults never affect env.apply
  // A watch that was cut comes back after 0.8 s, then 1.6 s, each at most doubled by jitter.
  await vi.waitFor(() => expect(routes.get('default/web')).toBe('web.default.svc:80'), { timeout: 25_000 });
});
