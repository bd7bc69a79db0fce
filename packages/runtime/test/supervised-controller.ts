/** A process of the model of controllers: what its reconciles do, and what it does when its controller ends. */

import { sleep } from '@listwatch/api';
import type { FakeClock } from '@listwatch/api/fake-clock';
import type { Cluster } from '@listwatch/client';
import {
  type Controller,
  ControllerError,
  controller,
  LeaderElectionError,
  leaderElection,
  type ReconcileContext,
  type ReconcileRequest,
  type ReconcileResult,
  TerminalError,
} from '../src/index.ts';
import { CandidateProcess } from './candidate-process.ts';
import { LEASE } from './lease-server.ts';
import { type ModelBackend, modelCluster, parts } from './model-cluster.ts';
import { KEYS, linkedThing } from './model-keys.ts';
import { type Thing, thing, things } from './model-object.ts';
import { type ActiveRun, ReconcileRecord, type RunEnd } from './reconcile-record.ts';
import type { SeededRandom } from './seeded-random.ts';

const LONGEST_REQUEUE_MS = 60_000;

/** What the reconciles and controllers of one run do. */
export interface Scenario {
  readonly backend: ModelBackend;
  readonly clock: FakeClock;
  readonly random: SeededRandom;
  readonly concurrency: number;
  readonly elected: boolean;
  /** Reconciles write parts. A reconcile then waits for the caches, so that its turn cannot be seen. */
  readonly writes: boolean;
  readonly reconcileTimeoutMs: number;
  readonly stopGraceMs: number;
  /** All reconciles that run, of all processes. */
  readonly active: Set<ActiveRun>;
  /** What reconciles do: anything, nothing, or nothing in 1 ms. */
  mood: 'calm' | 'storm' | 'trouble';
}

/** One `run` of a controller. */
export interface Life {
  readonly record: ReconcileRecord;
  readonly controller: Controller;
  /** How often each object had changed when it began. */
  readonly changesBefore: ReadonlyMap<string, number>;
}

/** A process that runs its controller again whenever it has ended, as a supervisor would. */
export class SupervisedController {
  readonly process: CandidateProcess;
  readonly lives: Life[] = [];
  readonly problems: string[] = [];
  readonly #scenario: Scenario;
  #stop = new AbortController();
  #isOver = false;

  constructor(scenario: Scenario) {
    this.#scenario = scenario;
    this.process = new CandidateProcess(scenario.clock);
  }

  /** The life that reconciles now. */
  get life(): Life | undefined {
    const last = this.lives.at(-1);
    return last?.record.phase === 'running' ? last : undefined;
  }

  async supervise(): Promise<void> {
    const { backend, random, elected } = this.#scenario;
    const cluster = modelCluster(this.process, backend, random);
    for (let count = 0; !this.#isOver; count++) {
      const { signal } = this.#stop;
      const identity = `${this.process.trueTime}-${count}-${random.next()}`;
      const election = leaderElection(cluster, { lease: LEASE, identity });
      const work = (leading: AbortSignal): Promise<void> => this.#live(cluster, leading);
      try {
        await (elected ? election.run(work, { signal }) : work(signal));
      } catch (error) {
        if (!isExpected(error)) this.problems.push(`a controller ended with ${String(error)}`);
      }
    }
  }

  restart(): void {
    const stop = this.#stop;
    this.#stop = new AbortController();
    this.process.resume();
    this.process.trouble = 'none';
    if (this.life !== undefined) this.process.isTroubled = false;
    stop.abort();
  }

  end(): void {
    this.#isOver = true;
    this.restart();
  }

  async #live(cluster: Cluster, signal: AbortSignal): Promise<void> {
    const { backend, random, concurrency, reconcileTimeoutMs, stopGraceMs } = this.#scenario;
    const record = new ReconcileRecord(this.process, concurrency);
    const selection = { random: () => random.next(), compact: random.chance(0.2), onWarning: () => {} };
    const made = controller<Thing>(cluster, {
      for: things,
      selection,
      predicate: (change) => record.delivered(things.plural, change),
      watches: [
        {
          resource: parts,
          selection,
          map: (part: Thing) => [linkedThing(part)],
          predicate: (change) => record.delivered(parts.plural, change),
        },
      ],
      concurrency,
      reconcileTimeoutMs,
      stopGraceMs,
      reconcile: (request, context) => this.#reconcile(request, context, record),
    });
    this.lives.push({ record, controller: made, changesBefore: changesOf(backend) });
    signal.addEventListener('abort', () => {
      record.phase = signal.reason instanceof LeaderElectionError ? 'lost' : 'stopping';
    });
    try {
      await made.run({ signal });
    } finally {
      record.finish();
      this.problems.push(...record.problems);
    }
  }

  #reconcile(
    request: ReconcileRequest<Thing>,
    context: ReconcileContext,
    record: ReconcileRecord,
  ): Promise<ReconcileResult | undefined> {
    const { random, active, mood } = this.#scenario;
    const run = record.start(String(request.key), request.object, context);
    active.add(run);
    const end = (how: RunEnd): void => {
      active.delete(run);
      record.end(run, how);
    };
    this.problems.push(...twoLeaders(active));
    if (mood === 'trouble' && random.chance(0.1)) {
      end({ type: 'error' });
      throw new Error('at once');
    }
    return this.#work(request, context).then(
      (result) => {
        end({ type: 'success', requeueAfterMs: result?.requeueAfterMs });
        return result;
      },
      (error: unknown) => {
        end({ type: error instanceof TerminalError ? 'terminal' : 'error' });
        throw error;
      },
    );
  }

  /** Does one thing of many. */
  async #work(
    { key }: ReconcileRequest<Thing>,
    { signal, cluster }: ReconcileContext,
  ): Promise<ReconcileResult | undefined> {
    const { random, mood, writes } = this.#scenario;
    if (mood === 'storm') await sleep(this.process, 1, signal);
    if (mood !== 'trouble') return undefined;
    const target = random.pick(...KEYS);
    switch (random.below(writes ? 10 : 8)) {
      case 0:
        throw new Error('trouble');
      case 1:
        throw new TerminalError('for good');
      case 2:
        // Longer than the timeout and the grace, and the signal ends it.
        await sleep(this.process, random.below(40_000), signal);
        return undefined;
      case 3:
        // A reconcile that ignores its signal.
        await sleep(this.process, random.below(4_000));
        return undefined;
      case 4:
        return { requeueAfterMs: random.below(LONGEST_REQUEUE_MS) };
      case 5:
        await sleep(this.process, random.below(2_000), signal);
        return { requeueAfterMs: 1 + random.below(1_000) };
      case 8:
        await cluster.update(
          parts,
          thing(target, '0', random.pick(KEYS.indexOf(keyOf(String(key))), random.below(100))),
        );
        return undefined;
      case 9:
        await cluster.delete(parts, { namespace: target.slice(0, 1), name: target.slice(2) });
        return { requeueAfterMs: random.below(50) };
      default:
        await sleep(this.process, 1 + random.below(3), signal);
        return undefined;
    }
  }
}

function keyOf(text: string): (typeof KEYS)[number] {
  return KEYS.find((key) => key === text) ?? KEYS[0];
}

/** A controller that cannot fill its caches gives up, and so does a leader that has lost. */
function isExpected(error: unknown): boolean {
  if (error instanceof LeaderElectionError) return true;
  return error instanceof ControllerError && error.code === 'SYNC_TIMEOUT';
}

export function changesOf({ servers }: ModelBackend): ReadonlyMap<string, number> {
  const [first, second] = servers;
  return new Map([
    ...Array.from(first?.changes ?? [], ([key, count]) => [`${things.plural} ${key}`, count] as const),
    ...Array.from(second?.changes ?? [], ([key, count]) => [`${parts.plural} ${key}`, count] as const),
  ]);
}

/** Reconciles of two processes at once, neither of which is stopped or told to end. */
export function twoLeaders(active: ReadonlySet<ActiveRun>): readonly string[] {
  const free = [...active].filter((run) => !run.process.isStopped && !run.signal.aborted && !run.isLeaving);
  const processes = new Set(free.map(({ process }) => process));
  return processes.size > 1 ? [`two leaders reconcile: ${free.map(({ key }) => key).join(', ')}`] : [];
}
