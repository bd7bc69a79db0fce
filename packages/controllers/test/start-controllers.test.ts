import { readFileSync } from 'node:fs';
import { FakeClock } from '@listwatch/api/fake-clock';
import { type Cluster, createCluster, type Transport } from '@listwatch/client';
import {
  CONTROLLER_NAMES,
  controllersMetrics,
  startControllers,
  startLoopbackControllers,
} from '@listwatch/controllers';
import { leases } from '@listwatch/runtime';
import type { Authorizer } from '@listwatch/server';
import { startTestServer, type TestEnvironment } from '@listwatch/testing';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { namespaces, serviceAccounts } from '../src/core-resources.ts';

const ended: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ended.splice(0).toReversed()) await end();
});

async function newServer(options: Parameters<typeof startTestServer>[0] = {}): Promise<TestEnvironment> {
  const env = await startTestServer({ controllers: [], ...options });
  ended.push(() => env.close());
  return env;
}

const hasAccount = ({ cluster }: TestEnvironment, namespace: string) =>
  vi.waitFor(() => cluster.get(serviceAccounts, { namespace, name: 'default' }), 20_000);

describe('startControllers', () => {
  it('starts those that are selected and have something to do', async () => {
    const { cluster } = await newServer();
    await using all = startControllers(cluster, { caBundle: 'x', advertise: { ip: '10.0.0.1', port: 1 } });
    expect(all.names).toEqual(CONTROLLER_NAMES);
    await using some = startControllers(cluster, { controllers: ['*', '-garbage-collector-controller'] });
    expect(some.names).toEqual([
      'namespace-controller',
      'serviceaccount-controller',
      'token-cleaner-controller',
      'persistentvolumeclaim-protection-controller',
      'persistentvolume-protection-controller',
      'resourcequota-controller',
      'clusterrole-aggregation-controller',
      'validatingadmissionpolicy-status-controller',
    ]);
    await using none = startControllers(cluster, { controllers: ['-*'] });
    expect(none.names).toEqual([]);
    await Promise.all([all.ready, some.ready, none.ready]);
  });

  it('refuses what it does not know', async () => {
    const { cluster } = await newServer();
    expect(() => startControllers(cluster, { controllers: ['nope'] })).toThrow(/"nope" is not in the list/u);
    // @ts-expect-error -- a misspelt option
    expect(() => startControllers(cluster, { controller: ['*'] })).toThrow(
      'startControllers has no option "controller"',
    );
    // @ts-expect-error -- not a list
    expect(() => startControllers(cluster, { controllers: '*' })).toThrow('controllers must be a list of names');
  });

  it('works for each controller as a user of its own', async () => {
    const users = new Set<string>();
    const authorizer: Authorizer = {
      authorize: ({ user }) => {
        users.add(user.name);
        return { allowed: true };
      },
    };
    const env = await startTestServer({ controllers: [], server: { authorizer } });
    ended.push(() => env.close());
    await using running = startLoopbackControllers(env.server);
    await running.ready;
    await hasAccount(env, 'default');
    expect(users).toContain('system:serviceaccount:kube-system:service-account-controller');
    expect(users).toContain('system:kube-controller-manager');
  });

  it('goes on when the server fails', async () => {
    const clock = new FakeClock();
    const env = await newServer({ clock });
    let isDown = true;
    const transport: Transport = {
      name: 'flaky',
      send: (request) => (isDown ? Promise.reject(new Error('down')) : env.cluster.transport.send(request)),
      close: async () => {},
      [Symbol.asyncDispose]: async () => {},
    };
    const cluster: Cluster = createCluster(transport, { server: 'flaky:', clock });
    await using running = startControllers(cluster, { controllers: ['serviceaccount-controller'] });
    await clock.advance(30_000);
    isDown = false;
    await clock.advance(60_000);
    await running.ready;
    await hasAccount(env, 'default');
  });

  it('closes at once while its caches are being filled, and with a clock that stands still', async () => {
    const clock = new FakeClock();
    const env = await newServer({ clock });
    const before = clock.pending;
    const running = startLoopbackControllers(env.server, { clock, leaderElection: true, caBundle: 'x' });
    const { ready } = running;
    await running.close();
    await running.close();
    await expect(ready).rejects.toThrow('stopped before they were ready');
    const again = startLoopbackControllers(env.server, { clock, caBundle: 'x' });
    await again.ready;
    await env.cluster.create(namespaces, { metadata: { name: 'a' } });
    await env.cluster.delete(namespaces, { name: 'a' });
    await again.close();
    // The server looks for watchers once more.
    await clock.advance(1000);
    expect(clock.pending).toBe(before);
  });

  it('shows the metrics that the reference lists', async () => {
    const env = await newServer();
    await using running = startLoopbackControllers(env.server);
    await running.ready;
    await hasAccount(env, 'default');
    const text = controllersMetrics(running);
    expect(text).toMatch(
      /^controller_runtime_reconcile_total\{controller="serviceaccount-controller",result="success"\} \d+$/mu,
    );
    expect(text).toMatch(/^leader_election_master_status\{name="listwatch-controllers"\} 1$/mu);
    for (const line of text.trimEnd().split('\n')) {
      expect(line).toMatch(/^(?:# (?:HELP|TYPE) \w+ .+|\w+(?:\{[^}]*\})? \d+(?:\.\d+)?)$/u);
    }
    const page = readFileSync(new URL('../../../docs/reference/metrics.md', import.meta.url), 'utf8');
    const section = page.split(/^## /mu).find((part) => part.startsWith('Controllers\n')) ?? '';
    const listed = Array.from(section.matchAll(/^\| `(\w+)` +\| (\w+)/gmu), ([, name, type]) => `${name} ${type}`);
    const shown = Array.from(text.matchAll(/^# TYPE (\w+) (\w+)$/gmu), ([, name, type]) => `${name} ${type}`);
    expect(listed.toSorted()).toEqual(shown.toSorted());
  });
});

describe('the controllers of two servers on one store', () => {
  it('run on the leader alone, and on the other when the leader ends or dies', async () => {
    const clock = new FakeClock();
    const first = await newServer({ clock });
    const second = await newServer({ clock, engine: first.engine });
    const options = { clock, leaderElection: true, controllers: ['serviceaccount-controller'] };
    const one = startLoopbackControllers(first.server, options);
    ended.push(() => one.close());
    await one.ready;
    const other = startLoopbackControllers(second.server, options);
    ended.push(() => other.close());
    await clock.advance(60_000);
    expect([one.isLeading, other.isLeading]).toEqual([true, false]);
    expect(other.controllers).toEqual([]);
    await one.close();
    await clock.advance(10_000);
    await other.ready;
    expect([one.isLeading, other.isLeading]).toEqual([false, true]);
    await first.cluster.create(namespaces, { metadata: { name: 'a' } });
    await hasAccount(first, 'a');
    const { items } = await first.cluster.list(leases, { namespace: 'kube-system' });
    expect(items.map(({ metadata }) => metadata.name)).toEqual(['listwatch-controllers']);
  });

  it('start again after a lead was lost', async () => {
    const clock = new FakeClock();
    const env = await newServer({ clock });
    const running = startLoopbackControllers(env.server, {
      clock,
      leaderElection: true,
      controllers: ['serviceaccount-controller'],
    });
    ended.push(() => running.close());
    await running.ready;
    const target = { namespace: 'kube-system', name: 'listwatch-controllers' };
    const stolen = { spec: { holderIdentity: 'thief', leaseDurationSeconds: 5 } };
    await env.cluster.patch(leases, target, { type: 'merge', body: stolen });
    await clock.advance(4000);
    await vi.waitFor(() => expect(running.isLeading).toBe(false), 20_000);
    await clock.advance(30_000);
    await vi.waitFor(() => expect(running.isLeading).toBe(true), 20_000);
    await env.cluster.create(namespaces, { metadata: { name: 'a' } });
    await hasAccount(env, 'a');
  });
});
