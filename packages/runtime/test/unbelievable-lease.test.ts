/** What a server says of a lease may have any JSON type. */

import { FakeClock } from '@listwatch/api/fake-clock';
import { describe, expect, it } from 'vitest';
import { type LeaseCluster, type LeaseWait, leaderElection } from '../src/index.ts';

const LEASE = { namespace: 'default', name: 'web' } as const;
const TIME = '2026-01-01T00:00:00.000000Z';
const HELD = {
  holderIdentity: 'b',
  leaseDurationSeconds: 15,
  acquireTime: TIME,
  renewTime: TIME,
  leaseTransitions: 3,
} as const;

const ABSENT = Symbol('absent');
const VALUES = [ABSENT, null, true, '', 'x', [], {}, [1], -1, 0.5, 1e300, 2 ** 31, 2n ** 64n];

/** A server whose lease never changes until this candidate writes it. */
class LyingServer {
  readonly clock = new FakeClock();
  readonly errors: unknown[] = [];
  readonly waits: LeaseWait[] = [];
  readonly written: unknown[] = [];
  readonly #spec: unknown;

  constructor(spec: unknown) {
    this.#spec = spec;
  }

  get cluster(): LeaseCluster {
    const answer = (resourceVersion: string): never =>
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the server lies, which is the point
      ({ metadata: { ...LEASE, resourceVersion }, spec: this.#spec }) as never;
    return {
      clock: this.clock,
      get: async () => answer('1'),
      create: () => Promise.reject(new Error('it is there')),
      update: async (_, object) => {
        this.written.push('spec' in object && object.spec);
        return answer(String(this.written.length + 1));
      },
    };
  }
}

/** Runs a candidate against it. Returns how long it waited, what it wrote first, and what went wrong. */
async function outcomeOf(spec: unknown): Promise<object> {
  const server = new LyingServer(spec);
  const stop = new AbortController();
  let ledAt: number | undefined;
  const { clock, errors, waits } = server;
  const began = clock.now();
  const election = leaderElection(server.cluster, {
    lease: LEASE,
    identity: 'a',
    onError: (error) => errors.push(error),
    onWaiting: (wait) => waits.push(wait),
  });
  const ended = election.run(
    (signal) =>
      new Promise((resolve) => {
        ledAt = clock.now() - began;
        signal.addEventListener('abort', () => resolve());
      }),
    { signal: stop.signal },
  );
  for (let second = 0; second < 40; second++) await clock.advance(1000);
  stop.abort();
  await ended;
  const [first] = server.written;
  const isWaiting = ledAt !== undefined && ledAt > 0;
  return {
    leads: ledAt !== undefined,
    hasWaited: isWaiting && Number(ledAt) >= 15_000,
    told: waits.map(({ holder, until }) => [typeof holder, until - began]),
    errors,
    first,
  };
}

const good = (leaseTransitions: number): object => ({
  holderIdentity: 'a',
  leaseDurationSeconds: 15,
  acquireTime: expect.stringMatching(/Z$/u),
  renewTime: expect.stringMatching(/Z$/u),
  leaseTransitions,
});
const waited = { leads: true, hasWaited: true, told: [['string', 15_000]], errors: [] };
const atOnce = { leads: true, hasWaited: false, told: [], errors: [] };

function withField(name: string, value: unknown): object {
  const spec: Record<string, unknown> = { ...HELD, [name]: value };
  if (value === ABSENT) delete spec[name];
  return spec;
}

describe('a lease with a field of any JSON type', () => {
  it.each(['leaseDurationSeconds', 'acquireTime', 'renewTime'])(
    'is waited for as long as it may be held when it is %s',
    async (name) => {
      for (const value of VALUES)
        expect([value, await outcomeOf(withField(name, value))]).toEqual([value, { ...waited, first: good(4) }]);
    },
  );

  it('is waited for when it is held and nobody can say by whom', async () => {
    for (const value of VALUES) {
      const isFree = value === ABSENT || value === null || value === '';
      const expected = { ...(isFree ? atOnce : waited), first: good(4) };
      expect([value, await outcomeOf(withField('holderIdentity', value))]).toEqual([value, expected]);
    }
  });

  it('is counted from nothing when its transitions are no count', async () => {
    for (const value of VALUES)
      expect([value, await outcomeOf(withField('leaseTransitions', value))]).toEqual([
        value,
        { ...waited, first: good(1) },
      ]);
  });

  it('is free when it says nothing', async () => {
    for (const value of VALUES)
      expect([value, await outcomeOf(value === ABSENT ? undefined : value)]).toEqual([
        value,
        { ...atOnce, first: good(1) },
      ]);
  });
});
