import { type ApiObject, resource } from '@listwatch/api';
import { FakeClock } from '@listwatch/api/fake-clock';
import { eventually } from '@listwatch/conformance/storage';
import { startTestServer, type TestEnvironment } from '@listwatch/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { leases, type Reconcile, silentLogger } from '../src/index.ts';
import { type ManagedControllerOptions, type Manager, type ManagerOptions, manager } from '../src/manager/index.ts';

interface ConfigMap extends ApiObject {
  readonly data?: Readonly<Record<string, string>>;
}

const configMaps = resource<ConfigMap>({ version: 'v1', plural: 'configmaps', kind: 'ConfigMap', namespaced: true });
const secrets = resource({ version: 'v1', plural: 'secrets', kind: 'Secret', namespaced: true });
const LEASE = { namespace: 'default', name: 'web' };

let env: TestEnvironment<FakeClock>;
let started: Started[];

beforeEach(async () => {
  env = await startTestServer({ clock: new FakeClock() });
  started = [];
});

afterEach(async () => {
  env.faults.restoreAll();
  for (const { stop } of started) stop.abort();
  await eventually('the managers to end', async () => {
    await env.clock.advance(10_000);
    return started.every(({ outcome }) => outcome.text !== undefined);
  });
  await env.close();
});

interface Started {
  readonly manager: Manager;
  readonly stop: AbortController;
  readonly ended: Promise<void>;
  readonly outcome: { text: string | undefined };
}

function make(options: ManagerOptions = {}): Manager {
  return manager(env.cluster, { health: false, logger: silentLogger, ...options });
}

function start(made: Manager): Started {
  const stop = new AbortController();
  const ended = made.run({ signal: stop.signal });
  const outcome: { text: string | undefined } = { text: undefined };
  void Promise.allSettled([ended]).then(([{ status }]) => {
    outcome.text = status;
    return status;
  });
  const one = { manager: made, stop, ended, outcome };
  started.push(one);
  return one;
}

function elected(identity: string): ManagerOptions {
  return { leaderElection: { lease: LEASE, identity } };
}

function maps(reconcile: Reconcile<ConfigMap>, name = 'maps'): ManagedControllerOptions<ConfigMap> {
  return { name, for: configMaps, stopGraceMs: 0, reconcile };
}

const write = (name: string): Promise<unknown> =>
  env.apply({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } });
const holder = async (): Promise<string | undefined> => (await env.cluster.get(leases, LEASE)).spec?.holderIdentity;

describe('a manager', () => {
  it('runs several controllers on one watch for each resource, and stops them all', async () => {
    await write('a');
    const seen: string[] = [];
    const made = make();
    made.add(maps(({ key }) => void seen.push(`one ${String(key)}`), 'one'));
    made.add({ ...maps(({ key }) => void seen.push(`two ${String(key)}`), 'two'), owns: [secrets] });
    const { stop, ended } = start(made);
    await eventually('both', () => seen.length === 2);
    expect(seen.toSorted()).toEqual(['one default/a', 'two default/a']);
    expect(made.informers.size).toBe(2);
    expect(made.isLeading).toBe(true);
    await write('b');
    await eventually('both again', () => seen.length === 4);
    stop.abort();
    await ended;
    expect([made.informers.size, env.faults.watches, made.isLeading]).toEqual([0, 0, false]);
  });

  it('leaves no timer behind', async () => {
    const pending: number[] = [];
    // The server has timers of its own once it has been watched.
    for (const _ of [1, 2, 3]) {
      const made = make(elected('a'));
      made.add(maps(() => undefined));
      const { stop, ended } = start(made);
      await eventually('to lead', async () => {
        await env.clock.advance(1000);
        return made.isLeading;
      });
      stop.abort();
      await ended;
      pending.push(env.clock.pending);
    }
    expect(pending[2]).toBe(pending[1]);
  });

  it('fills the caches, runs what needs no leadership, then waits for the lease; the lease is released last', async () => {
    await env.cluster.create(leases, { metadata: LEASE, spec: { holderIdentity: 'other', leaseDurationSeconds: 15 } });
    const order: string[] = [];
    const made = make(elected('a'));
    made.add(maps(() => void order.push('reconcile')));
    made.add({ name: 'led', run: () => void order.push('led') });
    made.add({
      name: 'free',
      needsLeadership: false,
      run: async ({ signal, informers }) => {
        order.push(
          `free with ${informers
            .states()
            .map(({ hasSynced }) => hasSynced)
            .join()}`,
        );
        await aborted(signal);
        order.push(`free ends, holder ${await holder()}`);
      },
    });
    await write('a');
    const { stop, ended } = start(made);
    await eventually('the free one', () => order.length === 1);
    await env.clock.advance(10_000);
    expect(order).toEqual(['free with true']);
    expect(made.isLeading).toBe(false);
    await env.clock.advance(10_000);
    await eventually('the led ones', () => order.length === 3);
    expect(order.slice(1).toSorted()).toEqual(['led', 'reconcile']);
    expect([await holder(), made.isLeading]).toEqual(['a', true]);
    stop.abort();
    await ended;
    expect(order.at(-1)).toBe('free ends, holder a');
    expect(await holder()).toBe('');
  });

  it('the next replica takes over with the cache that it has', async () => {
    await write('x');
    const seen: string[] = [];
    const [a, b] = ['a', 'b'].map((name) => {
      const made = make(elected(name));
      made.add(maps(() => void seen.push(name)));
      return start(made);
    });
    if (a === undefined || b === undefined) throw new Error('two are needed');
    await eventually('one to lead', () => seen.length === 1);
    await env.clock.advance(30_000);
    const [first, second] = a.manager.isLeading ? [a, b] : [b, a];
    expect(second.manager.informers.states()).toMatchObject([{ hasSynced: true, objects: 1 }]);
    first.stop.abort();
    await first.ended;
    await env.clock.advance(5000);
    await eventually('the other', () => seen.length === 2);
    expect(new Set(seen).size).toBe(2);
    expect(second.manager.informers.states()).toMatchObject([{ metrics: { lists: 1 } }]);
  });

  it('a lost lease aborts the reconciles at once, refuses their writes, and rejects', async () => {
    await write('a');
    let during: AbortSignal | undefined;
    let refused: unknown;
    const held = gate();
    const made = make(elected('a'));
    made.add({
      ...maps(async (_, { cluster, signal }) => {
        during = signal;
        await held.opened;
        // A signal of its own, as code has that knows nothing of the reconcile.
        const own = { signal: new AbortController().signal };
        await cluster.create(configMaps, { metadata: { name: 'late' } }, own).catch((error: unknown) => {
          refused = error;
        });
      }),
      stopGraceMs: 60_000,
    });
    const { ended } = start(made);
    ended.catch(() => undefined);
    await eventually('the reconcile', () => during !== undefined);
    const lease = await env.cluster.get(leases, LEASE);
    await env.cluster.update(leases, { ...lease, spec: { ...lease.spec, holderIdentity: 'thief' } });
    await env.clock.advance(2000);
    await eventually('the loss', () => !made.isLeading);
    expect(during?.aborted).toBe(true);
    held.open();
    await expect(ended).rejects.toMatchObject({
      code: 'LEADERSHIP_LOST',
      message: 'lease default/web: thief took the lease',
    });
    expect(refused).toMatchObject({ code: 'LEADERSHIP_LOST' });
    const { items } = await env.cluster.list(configMaps);
    expect(items.map(({ metadata }) => metadata.name)).toEqual(['a']);
    expect(await holder()).toBe('thief');
  });

  it('a lost lease leaves their grace to those that need no leadership', async () => {
    await write('a');
    const signals: Record<string, AbortSignal> = {};
    const held = gate();
    const made = make(elected('a'));
    for (const name of ['led', 'free']) {
      made.add({
        ...maps(async (_, { signal }) => {
          signals[name] = signal;
          await held.opened;
        }, name),
        needsLeadership: name === 'led',
        stopGraceMs: 10_000,
      });
    }
    const { ended } = start(made);
    ended.catch(() => undefined);
    await eventually('both', () => Object.keys(signals).length === 2);
    await env.cluster.patch(leases, LEASE, { type: 'merge', body: { spec: { holderIdentity: 'thief' } } });
    await env.clock.advance(2000);
    await eventually('the loss', () => !made.isLeading);
    expect([signals['led']?.aborted, signals['free']?.aborted]).toEqual([true, false]);
    held.open();
    await expect(ended).rejects.toMatchObject({ code: 'LEADERSHIP_LOST' });
  });

  it('a write that is under way when the lease is lost is ended', async () => {
    await write('a');
    let wrote: unknown;
    const made = make(elected('a'));
    made.add(
      maps(async (_, { cluster }) => {
        await cluster
          .create(configMaps, { metadata: { name: 'late' } }, { signal: new AbortController().signal })
          .catch((error: unknown) => {
            wrote = error;
          });
      }),
    );
    env.faults.delay(60_000, { match: ({ method, path }) => method === 'POST' && path.includes('/configmaps') });
    const { ended } = start(made);
    ended.catch(() => undefined);
    await eventually('to lead', () => made.isLeading);
    const lease = await env.cluster.get(leases, LEASE);
    await env.cluster.update(leases, { ...lease, spec: { ...lease.spec, holderIdentity: 'thief' } });
    await env.clock.advance(2000);
    await expect(ended).rejects.toMatchObject({ code: 'LEADERSHIP_LOST' });
    expect(wrote).toMatchObject({ code: 'LEADERSHIP_LOST' });
  });

  it.each([
    ['rejects', (): Promise<void> => Promise.reject(new Error('broken'))],
    [
      'throws at once',
      (): void => {
        throw new Error('broken');
      },
    ],
  ])('a runnable that %s stops the others, and run rejects with its error', async (_, run) => {
    const ends: string[] = [];
    const made = make(elected('a'));
    made.add({
      name: 'good',
      run: async ({ signal }) => {
        await aborted(signal);
        ends.push('good');
        throw signal.reason;
      },
    });
    made.add({ name: 'bad', run });
    const { ended } = start(made);
    await expect(ended).rejects.toThrow('broken');
    expect(ends).toEqual(['good']);
    expect(await holder()).toBe('');
  });

  it('a runnable that ends with the reason of its signal has not failed; any other error at the end is one', async () => {
    const polite = make();
    polite.add({
      name: 'polite',
      run: async ({ signal }) => {
        await aborted(signal);
        throw signal.reason;
      },
    });
    const first = start(polite);
    await eventually('to run', () => polite.isLeading);
    first.stop.abort();
    await first.ended;
    const rude = make();
    rude.add({
      name: 'rude',
      run: async ({ signal }) => {
        await aborted(signal);
        throw new Error('could not save');
      },
    });
    const second = start(rude);
    await eventually('to run', () => rude.isLeading);
    second.stop.abort();
    await expect(second.ended).rejects.toThrow('could not save');
  });

  it('a stop before, during and after the first lists resolves', async () => {
    const early = make();
    early.add(maps(() => expect.unreachable()));
    await early.run({ signal: AbortSignal.abort() });
    expect(env.faults.watches).toBe(0);

    env.faults.halfOpen();
    const made = make(elected('a'));
    made.add(maps(() => expect.unreachable()));
    const { stop, ended } = start(made);
    await env.clock.advance(1000);
    stop.abort();
    await ended;
    expect(made.informers.size).toBe(0);
  });

  it('a cache that is never complete ends it with SYNC_TIMEOUT and the reason, before it may lead', async () => {
    const missing = resource({ group: 'x.org', version: 'v1', plural: 'things', kind: 'Thing', namespaced: true });
    const made = make(elected('a'));
    made.add({ for: missing, reconcile: () => expect.unreachable() });
    const { ended } = start(made);
    const rejected = expect(ended).rejects.toMatchObject({
      code: 'SYNC_TIMEOUT',
      message: expect.stringMatching(/^the controller thing has no complete cache after 120000 ms: .*things/),
    });
    await env.clock.advance(121_000);
    await rejected;
    await expect(env.cluster.get(leases, LEASE)).rejects.toMatchObject({ status: { code: 404 } });
  });

  it('a lease that cannot be written for ever holds nothing up: caches are live, and a stop works', async () => {
    const lines: string[] = [];
    env.faults.tooManyRequests(1_000_000, undefined, { match: ({ path }) => path.includes('/leases') });
    const made = make({ ...elected('a'), logger: { ...silentLogger, warn: (_, message) => lines.push(message) } });
    made.add(maps(() => expect.unreachable()));
    await write('a');
    const { stop, ended } = start(made);
    await eventually('the cache', () => made.informers.states()[0]?.hasSynced === true);
    await env.clock.advance(600_000);
    expect(made.isLeading).toBe(false);
    expect(lines).toContain('the lease could not be read or written');
    stop.abort();
    await ended;
  });

  it('a reconcile that does not end is named after gracefulStopMs, and may not write when the lease is given up', async () => {
    await write('a');
    let late: Promise<unknown> | undefined;
    const held = gate();
    const made = make({ ...elected('a'), gracefulStopMs: 5000 });
    made.add(
      maps(async (_, { cluster }) => {
        await held.opened;
        late = cluster.create(configMaps, { metadata: { name: 'late' } }, { signal: new AbortController().signal });
        await late.catch(() => undefined);
      }),
    );
    const { stop, ended } = start(made);
    const rejected = expect(ended).rejects.toMatchObject({
      code: 'STOP_TIMEOUT',
      message: 'still running 5000 ms after the stop: maps',
    });
    await eventually('to lead', () => made.isLeading);
    stop.abort();
    await env.clock.advance(5000);
    await rejected;
    expect(await holder()).toBe('');
    held.open();
    await eventually('the late write', () => late !== undefined);
    await expect(late).rejects.toMatchObject({ code: 'STOP_TIMEOUT' });
  });

  it('refuses a name that is taken, options that are wrong, and whatever comes after run', async () => {
    const made = make();
    made.add(maps(() => undefined));
    expect(() => made.add(maps(() => undefined))).toThrow(
      'the manager already has maps: give one of them another name',
    );
    expect(() => made.add({ name: 'maps', run: () => undefined })).toThrow(TypeError);
    expect(() => made.add({ name: '', run: () => undefined })).toThrow(TypeError);
    expect(() => made.add({ ...maps(() => undefined, 'other'), concurrency: 0 })).toThrow(RangeError);
    expect(() => make({ gracefulStopMs: -1 })).toThrow('gracefulStopMs');
    expect(() => make({ health: { port: 70_000 } })).toThrow('health.port');
    // @ts-expect-error -- no lease
    expect(() => make({ leaderElection: {} })).toThrow('leaderElection.lease');
    expect(() => make({ leaderElection: { lease: LEASE, retryMs: 0 } })).toThrow('retryMs');
    // @ts-expect-error -- no such option
    expect(() => make({ leaderElections: false })).toThrow('manager has no option leaderElections');
    const { stop, ended } = start(made);
    expect(() => made.add(maps(() => undefined, 'late'))).toThrow('add must be called before run');
    await expect(made.run()).rejects.toMatchObject({ code: 'ALREADY_RUN' });
    stop.abort();
    await ended;
  });
});

interface Gate {
  readonly opened: Promise<void>;
  readonly open: () => void;
}

function gate(): Gate {
  const made: { open?: () => void } = {};
  const opened = new Promise<void>((resolve) => {
    made.open = resolve;
  });
  return { opened, open: () => made.open?.() };
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve());
  });
}
