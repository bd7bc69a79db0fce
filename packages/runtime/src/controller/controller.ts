/** A controller: reconciles objects whenever they, or what belongs to them, have changed. */

import { type AbortOptions, type ApiObject, type CancelTimer, groupResourceText, sleep } from '@listwatch/api';
import { monotonicMs, onAbort } from '@listwatch/api/internal';
import type { Cluster, RestMapper } from '@listwatch/client';
import { linkSignal, restMapper } from '@listwatch/client/internal';
import { type EventRecorder, eventRecorder } from '../events/event-recorder.ts';
import { sharedInformers } from '../informer/shared-informers.ts';
import { LeaderElectionError } from '../leader/leader-election.ts';
import { LOW_PRIORITY, type WorkItem, type WorkQueue, workQueue } from '../queue/work-queue.ts';
import { ControllerError, isTerminalError } from './controller-error.ts';
import { type ControllerConfig, type ControllerOptions, resolveControllerOptions } from './controller-options.ts';
import { ControllerSources } from './controller-sources.ts';
import type { ReconcileContext } from './reconcile.ts';
import { reconcileContext } from './reconcile-context.ts';
import { type ControllerMetrics, ReconcileCounters, type ReconcileOutcome } from './reconcile-counters.ts';
import { reconcileKey } from './reconcile-key.ts';
import { StuckAlarm } from './stuck-alarm.ts';
import { WriteTracker } from './write-tracker.ts';

/** See {@link controller}. */
export interface Controller {
  readonly name: string;
  /**
   * Runs until the signal is aborted; resolves when nothing of it runs any more. Rejects with `SYNC_TIMEOUT` when the caches
   * could not be filled, and with `ALREADY_RUN` the second time.
   */
  run(options?: AbortOptions): Promise<void>;
  readonly metrics: ControllerMetrics;
  /** The keys that are being reconciled now. */
  readonly reconciling: readonly string[];
}

/**
 * Makes a controller. It does nothing before `run`.
 *
 * Reconciles start when all its caches are complete. One object is never reconciled twice at once; changes that come while it
 * waits or runs lead to one more run. See `docs/guarantees.md`.
 *
 * @example
 * await controller(cluster, {
 *   for: deployments,
 *   owns: [services],
 *   reconcile: async ({ object, key }, { cluster, log }) => {
 *     if (object === undefined) return;
 *     log.info({}, `reconciling ${key}`);
 *   },
 * }).run({ signal });
 */
export function controller<T extends ApiObject>(cluster: Cluster, options: ControllerOptions<T>): Controller {
  return new ClusterController(cluster, resolveControllerOptions(options));
}

class ClusterController<T extends ApiObject> implements Controller {
  readonly metrics: ReconcileCounters;
  readonly #cluster: Cluster;
  readonly #config: ControllerConfig<T>;
  readonly #queue: WorkQueue<string>;
  readonly #writes: WriteTracker;
  readonly #mapper: RestMapper;
  readonly #recorder: EventRecorder;
  readonly #alarm: StuckAlarm;
  #phase: 'new' | 'running' | 'stopped' = 'new';
  readonly #reconciling = new Set<string>();
  #ids = 0;

  constructor(cluster: Cluster, config: ControllerConfig<T>) {
    this.#cluster = cluster;
    this.#config = config;
    this.#queue = workQueue({ clock: cluster.clock, backoff: config.backoff });
    this.#writes = new WriteTracker(cluster.clock, config.readYourWritesMs);
    this.#mapper = restMapper(cluster);
    const { name, reportingInstance, logger } = config;
    this.#recorder = eventRecorder(cluster, { controller: name, instance: reportingInstance, logger });
    this.#alarm = new StuckAlarm(cluster.clock, config.warnAfterMs, (change) => this.metrics.addStuck(change));
    this.metrics = new ReconcileCounters(config.concurrency, this.#queue.metrics, this.#recorder);
  }

  get name(): string {
    return this.#config.name;
  }

  get reconciling(): readonly string[] {
    return [...this.#reconciling];
  }

  async run({ signal }: AbortOptions = {}): Promise<void> {
    if (this.#phase !== 'new') throw new ControllerError('ALREADY_RUN', `the controller ${this.name} was run before`);
    this.#phase = 'running';
    const informers = this.#config.informers ?? sharedInformers(this.#cluster);
    // Before the signal is linked: bad options throw here.
    const sources = this.#follow(informers);
    const stop = linkSignal(signal);
    try {
      await this.#synced(sources, stop.signal);
      await this.#work(sources, stop.signal);
    } catch (error) {
      // A stop during the first lists is a stop like any other.
      if (!stop.signal.aborted) throw error;
    } finally {
      this.#phase = 'stopped';
      this.#queue.close();
      stop.unlink();
      // Nothing of a process that has lost its lease is written.
      await this.#recorder.close(signal?.reason instanceof LeaderElectionError ? { flushMs: 0 } : {});
      await sources.close();
      if (this.#config.informers === undefined) await informers.close();
    }
  }

  #follow(informers: ReturnType<typeof sharedInformers>): ControllerSources<T> {
    const { logger, name } = this.#config;
    return new ControllerSources(this.#config, informers, {
      onKey: (key, live) => this.#queue.add(key, { priority: live ? 0 : LOW_PRIORITY }),
      onChange: (store) => this.#writes.saw(store),
      onMapperError: (error, resource, key) =>
        logger.error({ controller: name, resource: groupResourceText(resource), key, error }, 'a mapper threw'),
      onBlocked: (error, resource) =>
        logger.warn(
          { controller: name, resource: groupResourceText(resource), error },
          'a cache cannot be filled; no reconcile starts before it is',
        ),
    });
  }

  async #synced(sources: ControllerSources<T>, signal: AbortSignal): Promise<void> {
    const { syncTimeoutMs } = this.#config;
    const giveUp = linkSignal(signal);
    try {
      const aborted = new Promise<never>((_, reject) => {
        onAbort(giveUp.signal, () => reject(giveUp.signal.reason));
        if (giveUp.signal.aborted) reject(giveUp.signal.reason);
      });
      const late = syncTimeoutMs === 0 ? aborted : this.#late(sources, syncTimeoutMs, giveUp.signal);
      await Promise.race([sources.synced(), late, aborted]);
    } finally {
      giveUp.abort();
      giveUp.unlink();
    }
  }

  async #late(sources: ControllerSources<T>, ms: number, signal: AbortSignal): Promise<never> {
    await sleep(this.#cluster.clock, ms, signal);
    const { reason, cause } = sources.notSynced() ?? { reason: 'handlers are not done', cause: undefined };
    throw new ControllerError(
      'SYNC_TIMEOUT',
      `the controller ${this.name} has no complete cache after ${ms} ms: ${reason}`,
      { cause },
    );
  }

  /** Resolves when a stop was asked for and the last reconcile has ended. */
  async #work(sources: ControllerSources<T>, signal: AbortSignal): Promise<void> {
    const grace = linkSignal();
    let cancelGrace: CancelTimer | undefined;
    const end = (): void => grace.abort(new ControllerError('STOPPED', `the controller ${this.name} stops`));
    const off = onAbort(signal, () => {
      // Another process may lead by now: its reconciles and these must not both write.
      if (signal.reason instanceof LeaderElectionError) end();
      else cancelGrace = this.#cluster.clock.after(this.#config.stopGraceMs, end);
    });
    const worker = async (): Promise<void> => {
      while (!signal.aborted) {
        const item = this.#queue.takeNow() ?? (await this.#queue.take(signal));
        if (item === undefined) return;
        await this.#process(item, sources, signal, grace.signal);
      }
    };
    const workers = Array.from({ length: this.#config.concurrency }, worker);
    try {
      // `allSettled`: a worker that ends with the stop must not end the wait for one whose reconcile still runs.
      await Promise.allSettled(workers);
    } finally {
      off();
      cancelGrace?.();
    }
  }

  /** Never rejects: what a reconcile throws is its outcome. */
  async #process(
    item: WorkItem<string>,
    sources: ControllerSources<T>,
    stop: AbortSignal,
    grace: AbortSignal,
  ): Promise<void> {
    const { key } = item;
    const settled = await this.#writes.settled(key, stop);
    // The wait may have been long: nothing begins after a stop, or after the loss of a lease.
    if (stop.aborted) return item.done();
    // The state is read now: changes since the key was taken need no run of their own.
    item.begin();
    const run = linkSignal(grace);
    const { reconcileTimeoutMs } = this.#config;
    const timeout =
      reconcileTimeoutMs === 0
        ? undefined
        : this.#cluster.clock.after(reconcileTimeoutMs, () => run.abort(this.#tooLong(key)));
    const object = sources.store.get(key);
    const context = reconcileContext(
      {
        cluster: this.#cluster,
        mapper: this.#mapper,
        recorder: this.#recorder,
        config: this.#config,
        sources,
        tracker: this.#writes,
      },
      { id: `${this.name}-${++this.#ids}`, item, object, signal: run.signal },
    );
    this.metrics.begin(!settled);
    this.#reconciling.add(key);
    const { clock } = this.#cluster;
    const began = monotonicMs(clock);
    const ended = this.#alarm.watch(context.log);
    let outcome: ReconcileOutcome = 'success';
    try {
      const result = await this.#config.reconcile({ key: reconcileKey(key), object }, context);
      const { requeueAfterMs = 0, priority = item.priority } = result ?? {};
      // What is no number is not taken for 0: `addAfter` throws, and the reconcile has failed.
      if (!(requeueAfterMs <= 0)) {
        this.#queue.addAfter(key, requeueAfterMs, { priority });
        outcome = 'requeue_after';
      }
      this.#queue.forget(key);
    } catch (error) {
      outcome = this.#failed(item, context, error);
    } finally {
      timeout?.();
      ended();
      run.unlink();
      this.#reconciling.delete(key);
      this.metrics.end(outcome, monotonicMs(clock) - began);
      item.done();
    }
  }

  #failed(
    { key, priority, failures }: WorkItem<string>,
    { log, signal }: Pick<ReconcileContext, 'log' | 'signal'>,
    error: unknown,
  ): ReconcileOutcome {
    if (isTerminalError(error)) {
      this.#queue.forget(key);
      log.error({ error }, 'the reconcile failed for good; it is not retried until the object changes');
      return 'terminal_error';
    }
    this.#queue.retry(key, { priority });
    const timedOut = signal.reason instanceof ControllerError && signal.reason.code === 'RECONCILE_TIMEOUT';
    log.error({ error, failures: failures + 1 }, timedOut ? 'the reconcile took too long' : 'the reconcile failed');
    return timedOut ? 'timeout' : 'error';
  }

  #tooLong(key: string): ControllerError {
    const { reconcileTimeoutMs } = this.#config;
    return new ControllerError(
      'RECONCILE_TIMEOUT',
      `the reconcile of ${key} took longer than ${reconcileTimeoutMs} ms`,
    );
  }
}
