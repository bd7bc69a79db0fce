/**
 * Tests of code that watches, against a real API server in the same process. Run them with
 * `npx vitest run examples/test-with-vitest.test.ts`.
 *
 * The code under test is `followColours`: it keeps the colours that ConfigMaps with the label `app=paint` name.
 */

import { type ApiObject, resource } from '@listwatch/api';
import type { Cluster } from '@listwatch/client';
import { watcher } from '@listwatch/runtime';
import { FakeClock, startTestServer, type TestEnvironment } from '@listwatch/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

interface ConfigMap extends ApiObject {
  readonly data?: Readonly<Record<string, string>>;
}

const configMaps = resource<ConfigMap>({ version: 'v1', plural: 'configmaps', kind: 'ConfigMap', namespaced: true });

async function followColours(cluster: Cluster, colours: Map<string, string>, signal: AbortSignal): Promise<void> {
  let seen = new Set<string>();
  for await (const event of watcher(cluster, configMaps, { labelSelector: 'app=paint', signal })) {
    switch (event.type) {
      case 'init':
        seen = new Set();
        break;
      case 'initApply':
      case 'apply':
        seen.add(event.object.metadata.name);
        colours.set(event.object.metadata.name, event.object.data?.['colour'] ?? 'none');
        break;
      case 'initDone':
        for (const name of colours.keys()) if (!seen.has(name)) colours.delete(name);
        break;
      case 'delete':
        colours.delete(event.key.split('/').at(-1) ?? '');
        break;
      case 'error':
        break;
    }
  }
}

const paint = (name: string, colour: string) => `
apiVersion: v1
kind: ConfigMap
metadata: { name: ${name}, labels: { app: paint } }
data: { colour: ${colour} }
`;

describe('followColours', () => {
  let clock: FakeClock;
  let env: TestEnvironment;
  let stop: AbortController;
  let following: Promise<void>;
  const colours = new Map<string, string>();

  beforeEach(async () => {
    clock = new FakeClock();
    env = await startTestServer({ clock });
    await env.apply([paint('wall', 'white'), paint('door', 'red')].join('---'));
    colours.clear();
    stop = new AbortController();
    following = followColours(env.cluster, colours, stop.signal);
    await clock.advance(0);
  });

  afterEach(async () => {
    stop.abort(new Error('the test is over'));
    await expect(following).rejects.toThrow('the test is over');
    await env.close();
    // Nothing is left behind: no timer, no open watch.
    expect([clock.pending, env.faults.watches]).toEqual([0, 0]);
  });

  it('knows what was there before, and what changes', async () => {
    expect(Object.fromEntries(colours)).toEqual({ wall: 'white', door: 'red' });
    await env.apply(paint('door', 'blue'));
    await env.cluster.delete(configMaps, { namespace: 'default', name: 'wall' });
    await clock.advance(0);
    expect(Object.fromEntries(colours)).toEqual({ door: 'blue' });
  });

  it('goes on when the connection breaks', async () => {
    expect(env.faults.cutWatches().hits).toBe(1);
    await env.apply(paint('roof', 'black'));
    // The watcher waits a little before it tries again. A minute is over at once.
    await clock.advance(60_000);
    expect(colours.get('roof')).toBe('black');
  });

  it('forgets what was deleted while it could not see it', async () => {
    using silence = env.faults.halfOpen();
    await clock.advance(0);
    await env.server.handle(
      { method: 'DELETE', path: '/api/v1/namespaces/default/configmaps/wall', headers: {} },
      { user: { name: 'somebody else', groups: ['system:masters'] } },
    );
    await env.faults.compactNow();
    await clock.advance(1000);
    expect(colours.has('wall')).toBe(true);
    silence.restore();
    // The dead watch is noticed by its deadline; the version it had is gone by then, and everything is listed again.
    await clock.advance(15 * 60_000);
    expect(Object.fromEntries(colours)).toEqual({ door: 'red' });
  });
});
