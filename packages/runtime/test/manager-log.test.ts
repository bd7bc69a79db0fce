/** What a manager says while it waits, and that it says each thing once. */

import { type ApiObject, resource } from '@listwatch/api';
import { FakeClock } from '@listwatch/api/fake-clock';
import { eventually } from '@listwatch/conformance/storage';
import { startTestServer, type TestEnvironment } from '@listwatch/testing';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Logger, type LogLine, leases, type Reconcile } from '../src/index.ts';
import { type Manager, type ManagerOptions, manager } from '../src/manager/index.ts';

interface ConfigMap extends ApiObject {
  readonly data?: Readonly<Record<string, string>>;
}

const configMaps = resource<ConfigMap>({ version: 'v1', plural: 'configmaps', kind: 'ConfigMap', namespaced: true });
const LEASE = { namespace: 'default', name: 'web' };
const START = Date.parse('2026-01-01T00:00:00Z');

interface Line {
  readonly level: string;
  readonly message: string;
  readonly [fact: string]: unknown;
}

let env: TestEnvironment<FakeClock>;
let lines: Line[];
let stop: AbortController;
let ended: Promise<unknown>;

beforeEach(async () => {
  env = await startTestServer({ clock: new FakeClock({ now: START }) });
  lines = [];
  stop = new AbortController();
  ended = Promise.resolve();
});

afterEach(async () => {
  vi.unstubAllEnvs();
  env.faults.restoreAll();
  stop.abort();
  let isDone = false;
  void ended.finally(() => (isDone = true));
  await eventually('the manager to end', async () => {
    await env.clock.advance(10_000);
    return isDone;
  });
  await env.close();
});

const line =
  (level: string): LogLine =>
  (facts, message) =>
    void lines.push({ level, message, ...facts });
const logger: Logger = { debug: line('debug'), info: line('info'), warn: line('warn'), error: line('error') };

const said = (part: string): readonly Line[] => lines.filter(({ message }) => message.includes(part));

function run(reconcile: Reconcile<ConfigMap>, options: ManagerOptions = {}): Manager {
  const made = manager(env.cluster, { health: false, logger, ...options });
  made.add({ name: 'maps', for: configMaps, stopGraceMs: 60_000, reconcile });
  ended = Promise.allSettled([made.run({ signal: stop.signal })]);
  return made;
}

const write = (name: string): Promise<unknown> =>
  env.apply({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } });

describe('a manager says', () => {
  it('whose lease it waits for and until when, once, and again when the holder changes', async () => {
    const spec = { holderIdentity: 'first', leaseDurationSeconds: 15 };
    let lease = await env.cluster.create(leases, { metadata: LEASE, spec });
    run(() => undefined, { leaderElection: { lease: LEASE, identity: 'me' } });
    await eventually('the word', () => said('waiting for the lease').length === 1);
    expect(said('waiting for the lease')).toEqual([
      {
        level: 'info',
        message: 'waiting for the lease: first holds it, until then if it is not renewed',
        lease: 'default/web',
        holder: 'first',
        until: new Date(env.clock.now() + 15_000).toISOString(),
      },
    ]);
    for (let i = 0; i < 4; i += 1) {
      lease = await env.cluster.update(leases, { ...lease, spec: { ...spec, leaseTransitions: i } });
      await env.clock.advance(5000);
    }
    expect(said('waiting for the lease')).toHaveLength(1);
    await env.cluster.update(leases, { ...lease, spec: { ...spec, holderIdentity: 'second' } });
    await eventually('the next', async () => {
      await env.clock.advance(1000);
      return said('waiting for the lease').length === 2;
    });
    expect(said('waiting for the lease')[1]).toMatchObject({ holder: 'second' });
    await eventually('to lead', async () => {
      await env.clock.advance(5000);
      return said('this process leads').length === 1;
    });
    expect(said('this process leads')[0]).toMatchObject({ level: 'info', lease: 'default/web', identity: 'me' });
  });

  it('that a lease cannot be had, once for each reason', async () => {
    env.faults.tooManyRequests(1_000_000, undefined, { match: ({ path }) => path.includes('/leases') });
    run(() => undefined, { leaderElection: { lease: LEASE, identity: 'me' } });
    await eventually('the cache', () => said('the caches are complete').length === 1);
    await env.clock.advance(600_000);
    expect(said('the lease could not be read or written')).toHaveLength(1);
  });

  it.each(['waits for', 'has'])('that the lease it %s is in reach again, once', async (how) => {
    const isWaiting = how === 'waits for';
    // Long enough to outlive the outage: it would be taken otherwise.
    const spec = { holderIdentity: isWaiting ? 'first' : '', leaseDurationSeconds: 3600 };
    await env.cluster.create(leases, { metadata: LEASE, spec });
    run(() => undefined, { leaderElection: { lease: LEASE, identity: 'me' } });
    await eventually('the first word', async () => {
      await env.clock.advance(1000);
      return said(isWaiting ? 'waiting for the lease' : 'this process leads').length === 1;
    });
    env.faults.tooManyRequests(1_000_000, undefined, { match: ({ path }) => path.includes('/leases') });
    await eventually('the failure', async () => {
      await env.clock.advance(500);
      return said('could not be read or written').length === 1;
    });
    env.faults.restoreAll();
    await eventually('the word', async () => {
      await env.clock.advance(500);
      return said('can be read and written again').length > 0;
    });
    await env.clock.advance(60_000);
    expect(said('can be read and written again')).toEqual([
      {
        level: 'info',
        message: expect.stringMatching(/^the lease can be read and written again, after \d+\.\d s$/u),
        lease: 'default/web',
      },
    ]);
    expect(said('could not be read or written')).toHaveLength(1);
    expect(said('waiting for the lease')).toHaveLength(isWaiting ? 1 : 0);
  });

  it('which caches it waits for, and why, after five seconds and then twice a minute', async () => {
    env.faults.delay(600_000, { match: ({ path }) => path.includes('/configmaps') });
    run(() => undefined);
    await env.clock.advance(4000);
    expect(said('waiting for the caches')).toEqual([]);
    await env.clock.advance(1500);
    expect(said('waiting for the caches')).toEqual([
      { level: 'info', message: 'waiting for the caches', caches: ['configmaps: the server has not answered'] },
    ]);
    await env.clock.advance(60_000);
    expect(said('waiting for the caches')).toHaveLength(3);
  });

  it('that a cache cannot be filled yet, once, and goes on with the reason in its reminders', async () => {
    env.faults.tooManyRequests(1_000_000, undefined, { match: ({ path }) => path.includes('/configmaps') });
    run(() => undefined);
    await eventually('the word', async () => {
      await env.clock.advance(1000);
      return said('cannot be filled yet').length > 0;
    });
    await env.clock.advance(60_000);
    expect(said('cannot be filled yet')).toMatchObject([
      { level: 'warn', cache: 'configmaps', reason: expect.stringContaining('configmaps') },
    ]);
    expect(said('waiting for the caches')[0]?.['caches']).toEqual([
      expect.stringMatching(/^configmaps: .*429|too many/iu),
    ]);
    env.faults.restoreAll();
    await eventually('the word', async () => {
      await env.clock.advance(5000);
      return said('is filled').length > 0;
    });
    expect(said('is filled')).toMatchObject([
      { level: 'info', message: expect.stringMatching(/follows the cluster, after \d+\.\d s$/u), cache: 'configmaps' },
    ]);
    expect(said('follows the cluster again')).toEqual([]);
  });

  it('what is wrong with a cache, in its own log and not on the console', async () => {
    const printed = vi.spyOn(globalThis.console, 'warn').mockImplementation(() => {});
    const made = run(() => undefined);
    const cache = made.informers.informer(configMaps, { namespace: 'default' });
    cache.on({
      add: () => {
        throw new Error('no room');
      },
    });
    await write('a');
    await eventually('the word', () => said('a cache has a problem').length > 0);
    expect(said('a cache has a problem')).toEqual([
      {
        level: 'warn',
        message: 'a cache has a problem: a handler of add threw',
        cache: 'configmaps namespace=default',
        type: 'HANDLER_FAILED',
        key: 'default/a',
        error: new Error('no room'),
      },
    ]);
    expect(printed).not.toHaveBeenCalled();
    printed.mockRestore();
    await cache.close();
  });

  it('that a cache falls behind and that it follows again, once each', async () => {
    const made = run(() => undefined);
    await eventually('the cache', () => said('the caches are complete').length === 1);
    env.faults.tooManyRequests(1_000_000, undefined, { match: ({ path }) => path.includes('/configmaps') });
    env.faults.cutWatches();
    await eventually('the word', async () => {
      await env.clock.advance(1000);
      return said('cannot follow the cluster').length > 0;
    });
    await env.clock.advance(60_000);
    expect(said('cannot follow the cluster')).toMatchObject([{ level: 'warn', cache: 'configmaps' }]);
    env.faults.restoreAll();
    await eventually('live again', async () => {
      await env.clock.advance(5000);
      return made.informers.states()[0]?.status.phase === 'live';
    });
    await eventually('the word', () => said('follows the cluster again').length > 0);
    expect(said('follows the cluster again')).toMatchObject([
      { level: 'info', message: expect.stringMatching(/after \d+\.\d s$/u), cache: 'configmaps' },
    ]);
  });

  it('what still runs when it stops, again while it waits, and that it has stopped', async () => {
    const held = new AbortController();
    let isRunning = false;
    run(
      async () => {
        isRunning = true;
        await new Promise<void>((resolve) => held.signal.addEventListener('abort', () => resolve()));
      },
      { gracefulStopMs: 60_000 },
    );
    await write('a');
    await eventually('the reconcile', () => isRunning);
    stop.abort();
    await eventually('the word', () => said('the manager stops').length === 1);
    await env.clock.advance(6000);
    expect(said('the manager still stops')).toEqual([
      { level: 'info', message: 'the manager still stops', running: ['maps: default/a'] },
    ]);
    held.abort();
    await ended;
    expect(said('the manager has stopped')).toEqual([
      { level: 'info', message: 'the manager has stopped, after 6.0 s', running: [] },
    ]);
  });

  it('in production where a reconcile wrote to a cached object', async () => {
    vi.stubEnv('NODE_ENV', 'production');
    await write('a');
    run(({ object }) => void Object.assign(object ?? {}, { data: { mine: 'yes' } }));
    await eventually('the word', () => said('the reconcile failed').length > 0);
    const error = said('the reconcile failed')[0]?.['error'];
    expect(error).toBeInstanceOf(TypeError);
    expect(Object(error).stack).toContain('manager-log.test.ts');
  });

  it('in production where a handler wrote to a cached object', async () => {
    vi.stubEnv('NODE_ENV', 'production');
    const made = run(() => undefined);
    const cache = made.informers.informer(configMaps, { namespace: 'default' });
    cache.on({ add: ({ object }) => void Object.assign(object, { data: { mine: 'yes' } }) });
    await write('a');
    await eventually('the word', () => said('a handler of add threw').length > 0);
    const error = said('a handler of add threw')[0]?.['error'];
    expect(error).toBeInstanceOf(TypeError);
    expect(Object(error).stack).toContain('manager-log.test.ts');
    await cache.close();
  });
});
