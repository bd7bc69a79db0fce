/** Runs several controllers as one program: shared caches, leader election, probes, metrics, one stop. */

import { hostname } from 'node:os';
import { type AbortOptions, type ApiObject, sleep } from '@listwatch/api';
import { monotonicMs, onAbort } from '@listwatch/api/internal';
import { type Cluster, decorateCluster, type ServerReport } from '@listwatch/client';
import { linkSignal } from '@listwatch/client/internal';
import type { Registry } from 'prom-client';
import { replaceFile } from '../checkpoint/file-replacement.ts';
import { type Controller, controller } from '../controller/controller.ts';
import { resolveControllerOptions } from '../controller/controller-options.ts';
import { followedBy } from '../controller/controller-sources.ts';
import { withFacts } from '../controller/logger.ts';
import { observedInformers, type SharedInformers } from '../informer/shared-informers.ts';
import { type LeaderElection, LeaderElectionError, leaderElection } from '../leader/leader-election.ts';
import { RightsRecorder } from '../rights/rights-recorder.ts';
import { usedRightsText } from '../rights/used-right.ts';
import { logCacheWarning, missingCaches, reportCache } from './cache-report.ts';
import { cacheName, liveness, type ManagerPhase, type RunnableState, readiness } from './health-report.ts';
import { HealthServer, plainAnswer } from './health-server.ts';
import { LeaseReport } from './lease-report.ts';
import { ManagerError } from './manager-error.ts';
import { ManagerMetrics } from './manager-metrics.ts';
import {
  type ManagedControllerOptions,
  type ManagerConfig,
  type ManagerOptions,
  resolveManagerOptions,
} from './manager-options.ts';
import { remindUntil } from './reminder.ts';
import type { Runnable } from './runnable.ts';
import { RunnableGroup } from './runnable-group.ts';
import { type CacheDemand, fillCaches } from './warm-caches.ts';
import { WriteFence } from './write-fence.ts';

/** See {@link manager}. */
export interface Manager {
  /** Shared by everything that is added. */
  readonly informers: SharedInformers;
  /** The metrics. Register your own here, or `collectDefaultMetrics({ register: manager.registry })`. */
  readonly registry: Registry;
  /** The address of the probes and the metrics, while they are served. */
  readonly health: string | undefined;
  /** Does this process lead? Without leader election it does while it runs. */
  readonly isLeading: boolean;
  /** Adds a controller. Throws for options that are wrong, a name that is taken, and after `run`. */
  add<T extends ApiObject>(options: ManagedControllerOptions<T>): Controller;
  /** Adds any other work. Throws for a name that is taken, and after `run`. */
  add(runnable: Runnable): void;
  /**
   * Runs until the signal is aborted. Resolves when nothing of it runs any more. Rejects with the first error of what was
   * added, `LEADERSHIP_LOST`, `SYNC_TIMEOUT`, `HEALTH_SERVER`, or `STOP_TIMEOUT`: end the process then.
   */
  run(options?: AbortOptions): Promise<void>;
}

/**
 * Makes a manager. It does nothing before `run`.
 *
 * It starts the server for probes, fills all caches, runs what needs no leadership, waits until it leads, and runs the rest. It
 * stops in the other order, and gives the lease up last.
 *
 * @example
 * const web = manager(cluster, { leaderElection: { lease: { namespace: 'default', name: 'web' } } });
 * web.add({ name: 'web', for: deployments, owns: [services], reconcile });
 * await web.run({ signal: untilSignal() });
 */
export function manager(cluster: Cluster, options: ManagerOptions = {}): Manager {
  return new ClusterManager(cluster, resolveManagerOptions(options));
}

interface ManagedRunnable {
  readonly name: string;
  readonly needsLeadership: boolean;
  readonly beforeCaches: boolean;
  readonly run: (signal: AbortSignal) => Promise<void> | void;
  readonly notReady?: (() => string | undefined) | undefined;
  /** The keys that it reconciles now. */
  readonly keys?: (() => readonly string[]) | undefined;
}

/** So many keys of a controller are named when the manager stops. */
const NAMED_KEYS_MAX = 5;

class ClusterManager implements Manager {
  readonly informers: SharedInformers;
  readonly #config: ManagerConfig;
  readonly #metrics: ManagerMetrics;
  readonly #rights: RightsRecorder | undefined;
  /** Counted. */
  readonly #cluster: Cluster;
  readonly #fence = new WriteFence(() => this.#election?.checkLease() ?? true);
  /** For what needs leadership: it refuses to write once the lease is lost. */
  readonly #fenced: Cluster;
  readonly #health: HealthServer | undefined;
  readonly #lease: LeaseReport | undefined;
  readonly #election: LeaderElection | undefined;
  readonly #members = new Map<string, ManagedRunnable>();
  readonly #demands: CacheDemand[] = [];
  readonly #group: RunnableGroup;
  readonly #stop = linkSignal();
  #phase: ManagerPhase = 'new';
  #isLeading = false;
  #failure: { readonly error: unknown } | undefined;
  #stopped: Promise<void> | undefined;

  constructor(cluster: Cluster, config: ManagerConfig) {
    this.#config = config;
    this.#metrics = new ManagerMetrics(cluster.server);
    this.#rights = config.recordRights === undefined ? undefined : new RightsRecorder();
    const counted = decorateCluster(cluster, this.#metrics.requests(cluster.clock));
    this.#cluster = this.#rights === undefined ? counted : decorateCluster(counted, this.#rights.decorate);
    this.#fenced = decorateCluster(this.#cluster, this.#fence.decorate);
    const { logger } = config;
    this.informers = observedInformers(this.#cluster, {
      onOpened: (cache, scope) => void reportCache(cache, scope, { logger, clock: cluster.clock }),
      onWarning: (resource, scope, warning) => logCacheWarning(logger, cacheName(resource, scope), warning),
    });
    this.#health = config.health === undefined ? undefined : this.#healthServer(config.health);
    const { leaderElection: election } = config;
    this.#lease = election && new LeaseReport(logger, cluster.clock, election.lease);
    this.#election = this.#candidate();
    this.#group = new RunnableGroup((name, error) => {
      logger.error({ runnable: name, error }, 'a runnable failed; the manager stops');
      this.#fail(error);
    });
    const servers = (): readonly ServerReport[] => cluster.servers ?? [];
    this.#metrics.follow({ informers: this.informers, servers, leader: this.#leaderSource() });
  }

  get registry(): Registry {
    return this.#metrics.registry;
  }

  get health(): string | undefined {
    return this.#health?.url;
  }

  get isLeading(): boolean {
    return this.#isLeading;
  }

  add<T extends ApiObject>(options: ManagedControllerOptions<T>): Controller;
  add(runnable: Runnable): void;
  add<T extends ApiObject>(added: ManagedControllerOptions<T> | Runnable): Controller | undefined {
    if (this.#phase !== 'new') throw new ManagerError('ALREADY_RUN', 'add must be called before run');
    if ('run' in added) {
      this.#addRunnable(added);
      return undefined;
    }
    return this.#addController(added);
  }

  async run({ signal }: AbortOptions = {}): Promise<void> {
    if (this.#phase !== 'new') throw new ManagerError('ALREADY_RUN', 'the manager was run before');
    this.#phase = 'starting';
    const stop = (): void => this.#stop.abort(signal?.reason);
    const unlink = onAbort(signal, stop);
    if (signal?.aborted === true) stop();
    try {
      await this.#work(this.#stop.signal);
    } catch (error) {
      // What only says that it was stopped is no failure.
      if (!this.#stop.signal.aborted || error !== this.#stop.signal.reason) this.#fail(error);
    } finally {
      await this.#shutDown();
      // After the release of the lease, which needs a right, too.
      await this.#writeRights();
      unlink();
      this.#phase = 'stopped';
    }
    if (this.#failure !== undefined) throw this.#failure.error;
  }

  #addRunnable({ name, run, beforeCaches = false, needsLeadership = true, notReady }: Runnable): void {
    if (typeof run !== 'function') throw new TypeError('run must be a function');
    if (beforeCaches && needsLeadership)
      throw new TypeError(`${name} cannot start before the caches: only what needs no leadership can`);
    const cluster = needsLeadership ? this.#fenced : this.#cluster;
    const logger = withFacts(this.#config.logger, { runnable: name });
    const { informers } = this;
    const inside = (signal: AbortSignal): Promise<void> | void => run({ signal, cluster, informers, logger });
    this.#take({ name, needsLeadership, beforeCaches, notReady, run: inside });
  }

  #addController<T extends ApiObject>({ needsLeadership = true, ...options }: ManagedControllerOptions<T>): Controller {
    const { logger } = this.#config;
    const own = { informers: this.informers, logger };
    const config = resolveControllerOptions<T>({ ...options, ...own });
    const { name, syncTimeoutMs } = config;
    // As client-go names it.
    const { reportingInstance = `${name}-${hostname()}` } = options;
    const cluster = needsLeadership ? this.#fenced : this.#cluster;
    const added = controller(cluster, { ...options, ...own, reportingInstance });
    const run = (signal: AbortSignal): Promise<void> => added.run({ signal });
    this.#take({ name, needsLeadership, beforeCaches: false, run, keys: () => added.reconciling });
    for (const { resource } of followedBy(config)) this.#rights?.know(resource);
    this.#demands.push({ controller: name, followed: followedBy(config), syncTimeoutMs });
    this.#metrics.addController(added);
    return added;
  }

  #take(member: ManagedRunnable): void {
    const { name } = member;
    if (typeof name !== 'string' || name === '') throw new TypeError('name must be a text that is not empty');
    if (this.#members.has(name)) throw new TypeError(`the manager already has ${name}: give one of them another name`);
    this.#members.set(name, member);
  }

  async #work(stop: AbortSignal): Promise<void> {
    if (stop.aborted) return;
    const { logger } = this.#config;
    await this.#health?.listen();
    for (const member of this.#members.values()) if (member.beforeCaches) this.#group.start(member, stop);
    await this.#fill(stop);
    if (stop.aborted) return;
    this.#phase = 'running';
    logger.info({ health: this.health, informers: this.informers.size }, 'the caches are complete');
    for (const member of this.#members.values())
      if (!member.needsLeadership && !member.beforeCaches) this.#group.start(member, stop);
    if (this.#election === undefined) await this.#lead(stop);
    else await this.#election.run((leading) => this.#lead(leading), { signal: stop });
  }

  async #fill(stop: AbortSignal): Promise<void> {
    const { clock } = this.#cluster;
    const done = remindUntil(clock, () =>
      this.#config.logger.info({ caches: missingCaches(this.informers.states()) }, 'waiting for the caches'),
    );
    try {
      await fillCaches(this.informers, this.#demands, clock, stop);
    } finally {
      done();
    }
  }

  /** Returns when nothing runs any more: the lease is released after that. Never rejects. */
  async #lead(leading: AbortSignal): Promise<void> {
    // Before anything else hears of it: no reconcile may send one more write.
    const off = onAbort(leading, () => {
      this.#isLeading = false;
      if (leading.reason instanceof LeaderElectionError) this.#lost(leading.reason);
    });
    this.#isLeading = !leading.aborted;
    if (this.#election !== undefined) this.#lease?.leads(this.#election.identity);
    for (const member of this.#members.values()) if (member.needsLeadership) this.#group.start(member, leading);
    await untilAborted(leading);
    await this.#shutDown();
    off();
  }

  #lost(reason: LeaderElectionError): void {
    const { lease } = this.#config.leaderElection ?? {};
    const error = new LeaderElectionError(`lease ${lease?.namespace}/${lease?.name}: ${reason.message}`);
    this.#fence.close(error);
    this.#config.logger.error({ error }, 'this process leads no more; the manager stops');
    this.#fail(error);
  }

  #fail(error: unknown): void {
    this.#failure ??= { error };
    // Not the error itself: a lost lease would cost those their grace that need no lease.
    this.#stop.abort(new ManagerError('STOPPED', 'the manager stops', { cause: error }));
  }

  #shutDown(): Promise<void> {
    this.#stopped ??= this.#end();
    return this.#stopped;
  }

  /** Runnables, caches, probes. One bound for all of it: a part that hangs must not keep the process. */
  async #end(): Promise<void> {
    this.#phase = 'stopping';
    this.#stop.abort(new ManagerError('STOPPED', 'the manager stops'));
    const { gracefulStopMs, logger } = this.#config;
    const { clock } = this.#cluster;
    const began = monotonicMs(clock);
    logger.info({ running: this.#stillRunning() }, 'the manager stops');
    const quiet = remindUntil(clock, () => logger.info({ running: this.#stillRunning() }, 'the manager still stops'));
    const done = linkSignal();
    const late = sleep(this.#cluster.clock, gracefulStopMs, done.signal).then(
      () => 'late',
      () => 'late',
    );
    const inTime = async (work: Promise<void>): Promise<boolean> => (await Promise.race([work, late])) !== 'late';
    if (!(await inTime(this.#group.ended()))) {
      const names = this.#group.running.join(', ');
      this.#fail(new ManagerError('STOP_TIMEOUT', `still running ${gracefulStopMs} ms after the stop: ${names}`));
    }
    // What still runs must not write once the lease is given up.
    this.#fence.close(new ManagerError('STOP_TIMEOUT', 'the manager has stopped'));
    await inTime(this.informers.close()).catch((error: unknown) => this.#fail(error));
    await this.#health?.close();
    done.abort();
    quiet();
    const seconds = ((monotonicMs(clock) - began) / 1000).toFixed(1);
    logger.info({ running: this.#stillRunning() }, `the manager has stopped, after ${seconds} s`);
  }

  /** Of those that have something to say of readiness. */
  #runnableStates(): readonly RunnableState[] {
    return [...this.#members.values()].flatMap(({ name, notReady }) =>
      notReady === undefined ? [] : [{ name, notReady: notReady() }],
    );
  }

  async #writeRights(): Promise<void> {
    const { recordRights: path, logger } = this.#config;
    if (path === undefined || this.#rights === undefined) return;
    const text = usedRightsText(this.#rights.used());
    try {
      await replaceFile(path, async (file) => {
        await file.writeFile(text);
      });
    } catch (error) {
      this.#fail(new ManagerError('RIGHTS_FILE', `${path} cannot be written`, { cause: error }));
      return;
    }
    const { leftOut } = this.#rights;
    logger.info({ path, leftOut }, 'the rights that were used are written; listwatch rbac makes roles of them');
  }

  /** What has not ended, and which keys it reconciles. */
  #stillRunning(): readonly string[] {
    return this.#group.running.map((name) => {
      const keys = this.#members.get(name)?.keys?.() ?? [];
      const more = keys.length > NAMED_KEYS_MAX ? ` and ${keys.length - NAMED_KEYS_MAX} more` : '';
      return keys.length === 0 ? name : `${name}: ${keys.slice(0, NAMED_KEYS_MAX).join(', ')}${more}`;
    });
  }

  #candidate(): LeaderElection | undefined {
    const { leaderElection: options } = this.#config;
    if (options === undefined) return undefined;
    const report = this.#lease;
    return leaderElection(this.#cluster, {
      ...options,
      onError: (error) => report?.failed(error),
      onRecovered: () => report?.recovered(),
      onWaiting: (wait) => report?.waiting(wait),
    });
  }

  #leaderSource(): { readonly name: string; readonly isLeading: () => boolean } | undefined {
    const name = this.#config.leaderElection?.lease.name;
    return name === undefined ? undefined : { name, isLeading: () => this.#isLeading };
  }

  #healthServer(options: NonNullable<ManagerConfig['health']>): HealthServer {
    return new HealthServer(options, {
      '/healthz': (verbose) => plainAnswer(200, liveness(this.#phase, verbose).text),
      '/readyz': (verbose) => {
        const { ok, text } = readiness(this.#phase, this.informers.states(), this.#runnableStates(), verbose);
        return plainAnswer(ok ? 200 : 503, text);
      },
      ...(this.#config.metrics ? { '/metrics': () => this.#metrics.page() } : {}),
    });
  }
}

function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else onAbort(signal, resolve);
  });
}
