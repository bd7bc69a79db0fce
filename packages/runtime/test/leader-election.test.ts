import { FakeClock } from '@listwatch/api/fake-clock';
import { eventually } from '@listwatch/conformance/storage';
import { startTestServer, type TestEnvironment } from '@listwatch/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  type LeaderElection,
  type LeaderElectionOptions,
  type LeaseCluster,
  leaderElection,
  leases,
} from '../src/index.ts';

const LEASE = { namespace: 'default', name: 'web' };

let env: TestEnvironment<FakeClock>;

beforeEach(async () => {
  env = await startTestServer({ clock: new FakeClock() });
});

afterEach(() => env.close());

interface Candidate {
  readonly election: LeaderElection;
  readonly stop: AbortController;
  readonly ended: Promise<void>;
  /** The signal that `lead` got; undefined before. */
  signal: AbortSignal | undefined;
}

function candidate(identity: string, options: Partial<LeaderElectionOptions> = {}): Candidate {
  const election = leaderElection(env.cluster, { lease: LEASE, identity, ...options });
  const stop = new AbortController();
  const made: { signal: AbortSignal | undefined } = { signal: undefined };
  const ended = election.run(
    (signal) =>
      new Promise((resolve) => {
        made.signal = signal;
        if (signal.aborted) resolve();
        signal.addEventListener('abort', () => resolve());
      }),
    { signal: stop.signal },
  );
  ended.catch(() => undefined);
  return Object.assign(made, { election, stop, ended });
}

const holder = async (): Promise<string | undefined> => (await env.cluster.get(leases, LEASE)).spec?.holderIdentity;

describe('leader election', () => {
  it('creates the lease, leads, renews it, and gives it up at the end', async () => {
    const timers = env.clock.pending;
    const a = candidate('a');
    await eventually('a to lead', () => a.signal !== undefined);
    const { spec } = await env.cluster.get(leases, LEASE);
    expect(spec).toMatchObject({ holderIdentity: 'a', leaseDurationSeconds: 15, leaseTransitions: 0 });
    await env.clock.advance(60_000);
    const renewed = (await env.cluster.get(leases, LEASE)).spec;
    expect(renewed?.acquireTime).toBe(spec?.acquireTime);
    expect(Date.parse(renewed?.renewTime ?? '') - Date.parse(spec?.renewTime ?? '')).toBeGreaterThanOrEqual(56_000);
    a.stop.abort();
    await a.ended;
    expect((await env.cluster.get(leases, LEASE)).spec).toMatchObject({ holderIdentity: '', leaseDurationSeconds: 1 });
    expect(env.clock.pending).toBe(timers);
  });

  it('checkLease gives up when the deadline has passed and no timer could say so', async () => {
    let elapsedMs = 0;
    const { clock } = env;
    const stopped = { now: () => clock.now(), after: clock.after.bind(clock), monotonic: () => elapsedMs };
    const cluster: LeaseCluster = {
      clock: stopped,
      get: (...args) => env.cluster.get(...args),
      create: (...args) => env.cluster.create(...args),
      update: (...args) => env.cluster.update(...args),
    };
    const election = leaderElection(cluster, { lease: LEASE, identity: 'a' });
    let reason: unknown;
    const ended = election.run(
      (signal) =>
        new Promise((resolve) => signal.addEventListener('abort', () => resolve(void (reason = signal.reason)))),
    );
    ended.catch(() => undefined);
    expect(election.checkLease()).toBe(false);
    await eventually('a to lead', () => election.state.type === 'leading');
    elapsedMs += 10_000;
    expect(election.checkLease()).toBe(true);
    elapsedMs += 1;
    expect(election.checkLease()).toBe(false);
    expect(reason).toMatchObject({ code: 'LEADERSHIP_LOST' });
    await expect(ended).rejects.toMatchObject({ code: 'LEADERSHIP_LOST' });
  });

  it('the next candidate leads soon after a release, and the transition is counted', async () => {
    const a = candidate('a');
    await eventually('a to lead', () => a.signal !== undefined);
    const b = candidate('b');
    await env.clock.advance(60_000);
    expect(b.signal).toBeUndefined();
    expect(b.election.state).toEqual({ type: 'waiting', holder: 'a', expired: false });
    a.stop.abort();
    await a.ended;
    await env.clock.advance(4400);
    await eventually('b to lead', () => b.signal !== undefined);
    expect((await env.cluster.get(leases, LEASE)).spec).toMatchObject({ holderIdentity: 'b', leaseTransitions: 1 });
    b.stop.abort();
    await b.ended;
  });

  it('a leader that cannot renew stops leading before the others may begin', async () => {
    const a = candidate('a');
    await eventually('a to lead', () => a.signal !== undefined);
    env.faults.halfOpen();
    await env.clock.advance(9999);
    expect(a.signal?.aborted).toBe(false);
    await env.clock.advance(2001);
    expect(a.signal?.aborted).toBe(true);
    await expect(a.ended).rejects.toMatchObject({ code: 'LEADERSHIP_LOST' });
    env.faults.restoreAll();
    const b = candidate('b');
    await eventually('b to look', () => b.election.state.type === 'waiting');
    await env.clock.advance(14_000);
    expect(b.signal).toBeUndefined();
    await env.clock.advance(6000);
    await eventually('b to lead', () => b.signal !== undefined);
    b.stop.abort();
    await b.ended;
  });

  it('a leader whose lease was taken stops at its next renewal', async () => {
    const a = candidate('a');
    await eventually('a to lead', () => a.signal !== undefined);
    const lease = await env.cluster.get(leases, LEASE);
    await env.cluster.update(leases, { ...lease, spec: { ...lease.spec, holderIdentity: 'thief' } });
    await env.clock.advance(2000);
    await expect(a.ended).rejects.toThrow('thief took the lease');
    expect(await holder()).toBe('thief');
  });

  it('a change of the lease by others that leaves the holder does not end leading', async () => {
    const a = candidate('a');
    await eventually('a to lead', () => a.signal !== undefined);
    const labels = { type: 'merge', body: { metadata: { labels: { seen: 'yes' } } } } as const;
    await env.cluster.patch(leases, LEASE, labels);
    await env.clock.advance(20_000);
    expect(a.signal?.aborted).toBe(false);
    a.stop.abort();
    await a.ended;
  });

  it('a stop while waiting ends at once and leaves the lease alone', async () => {
    const a = candidate('a');
    await eventually('a to lead', () => a.signal !== undefined);
    const b = candidate('b');
    await env.clock.advance(3000);
    b.stop.abort();
    await b.ended;
    expect([b.election.state.type, await holder()]).toEqual(['stopped', 'a']);
    a.stop.abort();
    await a.ended;
  });

  it('what lead throws comes back, and the lease is given up', async () => {
    const election = leaderElection(env.cluster, { lease: LEASE, identity: 'a' });
    const failed = election.run(async () => {
      throw new Error('cannot lead');
    });
    await expect(failed).rejects.toThrow('cannot lead');
    expect(await holder()).toBe('');
  });

  it.each([
    [{ identity: '' }, 'identity must not be empty'],
    [{ renewDeadlineMs: 15_000 }, 'renewDeadlineMs (15000) must be below leaseDurationMs (15000)'],
    [{ retryMs: 9000 }, 'retryMs (9000) must be above 0'],
    [{ leaseDurationMs: 10, renewDeadlineMs: 5, retryMs: 1 }, 'leaseDurationMs must be 1000 or more'],
  ])('options that cannot work are refused: %j', (options, message) => {
    expect(() => leaderElection(env.cluster, { lease: LEASE, ...options })).toThrow(message);
  });
});
