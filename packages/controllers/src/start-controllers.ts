/** Starts the controllers. Start here. */

import { sleep } from '@listwatch/api';
import { type Cluster, linkSignal } from '@listwatch/client';
import { type Controller, leaderElection, type SharedInformers, sharedInformers } from '@listwatch/runtime';
import type { BuiltInController } from './built-in-controller.ts';
import { builtInControllers, CONTROLLER_NAMES } from './built-in-controllers.ts';
import { selectControllers } from './controller-selection.ts';
import { type ControllersConfig, type ControllersOptions, resolveControllersOptions } from './controllers-options.ts';
import type { GarbageCollector } from './garbage/garbage-collector.ts';
import type { GarbageCollectorMetrics } from './garbage/garbage-metrics.ts';

/** Controllers that run. */
export interface RunningControllers extends AsyncDisposable {
  /** Those that were selected and have something to do. */
  readonly names: readonly string[];
  /**
   * Resolves when the caches of all are complete: what changes from now on is seen. With leader election that is when this
   * process leads. Rejects when it is closed before.
   */
  readonly ready: Promise<void>;
  /** Does this process lead? Always true without leader election. */
  readonly isLeading: boolean;
  /** The controllers of the runtime that run now, for metrics. */
  readonly controllers: readonly Controller[];
  /** The numbers of the garbage collector, when it was selected. */
  readonly garbage: GarbageCollectorMetrics | undefined;
  /** Ends all of them; resolves when nothing of them runs any more. Safe to call twice. */
  close(): Promise<void>;
}

/**
 * Starts the controllers that a Kubernetes API needs. Failures are logged and retried; none of them ends the process. The
 * cluster stays open.
 *
 * @example
 * await using controllers = startControllers(cluster, { controllers: ['*', '-token-cleaner-controller'] });
 * await controllers.ready;
 */
export function startControllers(cluster: Cluster, options: ControllersOptions = {}): RunningControllers {
  const config = resolveControllersOptions(cluster, options);
  const names = selectControllers(config.controllers, CONTROLLER_NAMES);
  return new ControllerSet(cluster, config, builtInControllers(names, config));
}

/** The wait before a controller that could not start, or a lost lead, is tried again. */
const RETRY_MS = { first: 1000, longest: 60_000 } as const;

function isGarbageCollector(controller: BuiltInController): controller is GarbageCollector {
  return controller.name === 'garbage-collector-controller';
}

class ControllerSet implements RunningControllers {
  readonly names: readonly string[];
  readonly ready: Promise<void>;
  readonly garbage: GarbageCollectorMetrics | undefined;
  readonly #cluster: Cluster;
  readonly #config: ControllersConfig;
  readonly #stop = linkSignal();
  readonly #running = new Map<string, Controller>();
  readonly #ended: Promise<unknown>;
  readonly #waiting: Set<string>;
  #isLeading: boolean;
  #becomeReady: () => void = () => {};
  #giveUp: (reason: unknown) => void = () => {};

  constructor(cluster: Cluster, config: ControllersConfig, all: readonly BuiltInController[]) {
    this.#cluster = cluster;
    this.#config = config;
    this.#isLeading = config.election === undefined;
    this.names = all.map(({ name }) => name);
    this.garbage = all.find(isGarbageCollector)?.metrics;
    this.#waiting = new Set(all.flatMap(({ name, signalsReady }) => (signalsReady === true ? [name] : [])));
    this.ready = new Promise((resolve, reject) => {
      this.#becomeReady = resolve;
      this.#giveUp = reject;
    });
    // Nobody need wait for it.
    this.ready.catch(() => undefined);
    if (this.#waiting.size === 0) this.#becomeReady();
    const everywhere = all.filter(({ onEveryServer }) => onEveryServer === true);
    const byLeader = all.filter(({ onEveryServer }) => onEveryServer !== true);
    this.#ended = Promise.all([this.#runAll(everywhere, this.#stop.signal), this.#lead(byLeader)]);
  }

  get isLeading(): boolean {
    return this.#isLeading;
  }

  get controllers(): readonly Controller[] {
    return [...this.#running.values()];
  }

  async close(): Promise<void> {
    this.#stop.abort(new Error('the controllers stop'));
    this.#giveUp(new Error('the controllers were stopped before they were ready'));
    await this.#ended;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #lead(controllers: readonly BuiltInController[]): Promise<void> {
    const { election, logger } = this.#config;
    if (controllers.length === 0) return;
    if (election === undefined) return this.#runAll(controllers, this.#stop.signal);
    await this.#untilStopped('the leader election of the controllers', async () => {
      // A candidate runs once: after a lost lead there is a new one.
      const candidate = leaderElection(this.#cluster, {
        onError: (error) => logger.warn({ error }, 'the lease of the controllers cannot be read or written'),
        ...election,
      });
      const lead = async (signal: AbortSignal): Promise<void> => {
        logger.info({ identity: candidate.identity }, 'this server leads: its controllers start');
        this.#isLeading = true;
        await this.#runAll(controllers, signal);
        this.#isLeading = false;
      };
      await candidate.run(lead, { signal: this.#stop.signal });
    });
  }

  /** Never rejects. Resolves when the signal is aborted and all have ended. */
  async #runAll(controllers: readonly BuiltInController[], signal: AbortSignal): Promise<void> {
    if (controllers.length === 0) return;
    const informers = sharedInformers(this.#cluster);
    await Promise.all(controllers.map((one) => this.#runOne(one, informers, signal)));
    await informers.close();
  }

  #runOne(built: BuiltInController, informers: SharedInformers, signal: AbortSignal): Promise<void> {
    const { clusterFor, logger } = this.#config;
    const { name } = built;
    return this.#untilStopped(
      `the controller ${name}`,
      async () => {
        try {
          await built.run({
            cluster: clusterFor(name),
            informers,
            logger,
            signal,
            onReady: () => this.#isReady(name),
            onController: (made) => this.#running.set(made.name, made),
          });
        } finally {
          this.#running.delete(name);
        }
      },
      signal,
    );
  }

  #isReady(name: string): void {
    this.#waiting.delete(name);
    if (this.#waiting.size === 0) this.#becomeReady();
  }

  /** Repeats the work with backoff until the signal is aborted. Never rejects. */
  async #untilStopped(what: string, work: () => Promise<void>, signal: AbortSignal = this.#stop.signal): Promise<void> {
    let waitMs: number = RETRY_MS.first;
    while (!signal.aborted) {
      try {
        await work();
        waitMs = RETRY_MS.first;
      } catch (error) {
        if (signal.aborted) return;
        this.#config.logger.error({ error, retryAfterMs: waitMs }, `${what} has failed and is started again`);
      }
      await sleep(this.#cluster.clock, waitMs, signal).catch(() => undefined);
      waitMs = Math.min(waitMs * 2, RETRY_MS.longest);
    }
  }
}
