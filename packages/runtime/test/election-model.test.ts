import { FakeClock } from '@listwatch/api/fake-clock';
import { expect, it } from 'vitest';
import { type LeaseCluster, leaderElection } from '../src/index.ts';
import { CandidateProcess } from './candidate-process.ts';
import { LEASE, LeaseServer, leaseCluster } from './lease-server.ts';
import { seededRandom } from './seeded-random.ts';

const RUNS = 200;
const STEPS = 60;

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
      supervise('abc'[index] ?? '', process, leaseCluster(process, server, random), stop.signal),
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
          process.jump((random.below(2) === 0 ? -1 : 1) * random.below(3_600_000));
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
