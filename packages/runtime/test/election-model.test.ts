import { type ApiObject, alreadyExists, type CancelTimer, type Clock, conflict, notFound, sleep } from '@listwatch/api';
import { FakeClock } from '@listwatch/api/fake-clock';
import { expect, it } from 'vitest';
import { type Lease, type LeaseCluster, leaderElection, leases } from '../src/index.ts';
import { type SeededRandom, seededRandom } from './seeded-random.ts';

const LEASE = { namespace: 'default', name: 'web' };
const RUNS = 200;
const STEPS = 60;

/** The server: one lease, and versions. */
class LeaseServer {
  #lease: Lease | undefined;
  #version = 0;

  read(): Lease {
    if (this.#lease === undefined) throw notFound(leases, LEASE.name);
    return this.#lease;
  }

  write(lease: Omit<Lease, 'metadata'> & { readonly metadata: Partial<Lease['metadata']> }, isNew: boolean): Lease {
    if (isNew && this.#lease !== undefined) throw alreadyExists(leases, LEASE.name);
    if (!isNew && lease.metadata.resourceVersion !== this.#lease?.metadata.resourceVersion) {
      throw conflict(leases, LEASE.name, 'the object has been modified');
    }
    this.#lease = { ...lease, metadata: { ...LEASE, resourceVersion: String(++this.#version) } };
    return this.#lease;
  }
}

/** A process with a clock of its own, which can be wrong and can be stopped as SIGSTOP stops one. */
class CandidateProcess implements Clock {
  skewMs = 0;
  /** Requests are lost: before they arrive, or with their answer. */
  trouble: 'answers' | 'none' | 'requests' = 'none';
  signal: AbortSignal | undefined;
  readonly #base: FakeClock;
  #stopped: (() => void)[] | undefined;

  constructor(base: FakeClock) {
    this.#base = base;
  }

  get isStopped(): boolean {
    return this.#stopped !== undefined;
  }

  get isLeading(): boolean {
    return this.signal !== undefined && !this.signal.aborted;
  }

  now(): number {
    return this.#base.now() + this.skewMs;
  }

  after(ms: number, task: () => void): CancelTimer {
    let cancelled = false;
    const run = (): void => {
      if (cancelled) return;
      if (this.#stopped === undefined) task();
      else this.#stopped.push(run);
    };
    const cancel = this.#base.after(ms, run);
    return () => {
      cancelled = true;
      cancel();
    };
  }

  stop(): void {
    this.#stopped ??= [];
  }

  resume(): void {
    const late = this.#stopped ?? [];
    this.#stopped = undefined;
    for (const task of late) task();
  }

  /** A request of this process to the server. */
  async send<T>(work: () => T, delayMs: number, signal: AbortSignal | undefined): Promise<T> {
    await sleep(this, delayMs, signal);
    if (this.trouble === 'requests') throw new Error('lost');
    const answer = work();
    await sleep(this, delayMs, signal);
    if (this.trouble === 'answers') throw new Error('lost');
    return answer;
  }
}

function clusterOf(process: CandidateProcess, server: LeaseServer, random: SeededRandom): LeaseCluster {
  const delayMs = (): number => random.below(1500);
  // oxlint-disable typescript/no-unsafe-type-assertion -- there is one resource, and its objects are leases
  return {
    clock: process,
    get: <T extends ApiObject>(_: unknown, __: unknown, options?: { readonly signal?: AbortSignal }) =>
      process.send(() => server.read() as unknown as T, delayMs(), options?.signal),
    create: <T extends ApiObject>(_: unknown, object: unknown, options?: { readonly signal?: AbortSignal }) =>
      process.send(() => server.write(object as Lease, true) as unknown as T, delayMs(), options?.signal),
    update: <T extends ApiObject>(_: unknown, object: T, options?: { readonly signal?: AbortSignal }) =>
      process.send(() => server.write(object as unknown as Lease, false) as unknown as T, delayMs(), options?.signal),
  };
  // oxlint-enable typescript/no-unsafe-type-assertion
}

/** Restarts a candidate whenever it has lost, as a supervisor would. */
async function supervise(
  name: string,
  process: CandidateProcess,
  cluster: LeaseCluster,
  stop: AbortSignal,
): Promise<void> {
  for (let life = 0; !stop.aborted; life++) {
    const election = leaderElection(cluster, { lease: LEASE, identity: `${name}-${life}` });
    const lead = (signal: AbortSignal): Promise<void> =>
      new Promise((resolve) => {
        process.signal = signal;
        if (signal.aborted) resolve();
        signal.addEventListener('abort', () => resolve());
      });
    try {
      await election.run(lead, { signal: stop });
    } catch {
      // Lost: the next life is another candidate.
    }
  }
}

it(`never two leaders that run, in ${RUNS} seeded runs with lost requests, stopped processes and wrong clocks`, async () => {
  let led = 0;
  for (let seed = 1; seed <= RUNS; seed++) {
    const random = seededRandom(seed);
    const clock = new FakeClock();
    const server = new LeaseServer();
    const stop = new AbortController();
    const processes = ['a', 'b', 'c'].map(() => new CandidateProcess(clock));
    const lives = processes.map((process, index) =>
      supervise('abc'[index] ?? '', process, clusterOf(process, server, random), stop.signal),
    );
    for (let step = 0; step < STEPS; step++) {
      const process = processes[random.below(processes.length)];
      if (process === undefined) continue;
      switch (random.below(6)) {
        case 0:
          process.trouble = random.pick('answers', 'requests', 'none', 'none');
          break;
        case 1:
          process.stop();
          break;
        case 2:
          process.skewMs += (random.below(2) === 0 ? -1 : 1) * random.below(3_600_000);
          break;
        default:
          for (const stopped of processes) if (stopped.isStopped && random.chance(0.5)) stopped.resume();
      }
      await clock.advance(random.below(8000));
      const leaders = processes.filter(({ isLeading, isStopped }) => isLeading && !isStopped);
      expect(leaders.length, `seed ${seed}, step ${step}`).toBeLessThanOrEqual(1);
      led += leaders.length;
    }
    for (const process of processes) {
      process.trouble = 'none';
      process.resume();
    }
    // With all trouble gone, somebody leads before long.
    await clock.advance(60_000);
    expect(
      processes.filter(({ isLeading }) => isLeading),
      `seed ${seed}`,
    ).toHaveLength(1);
    stop.abort();
    await clock.advance(10_000);
    await Promise.all(lives);
    expect(clock.pending, `seed ${seed}`).toBe(0);
  }
  expect(led).toBeGreaterThan(RUNS * 10);
}, 120_000);
