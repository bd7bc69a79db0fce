/** One seeded run: a cluster under load, faults one after the other, and the checks after each and at the end. */

import { type Clock, systemClock } from '@listwatch/api';
import { type Cluster, connect } from '@listwatch/client';
import type { StorageEngine } from '@listwatch/storage';
import { SeededRandom } from '../server/seeded-random.ts';
import { type LoadWorld, randomSelection } from '../server/watched-selection.ts';
import { checkWatcher } from '../server/watcher-record.ts';
import { checkLists } from './check-lists.ts';
import { checkWrites } from './check-writes.ts';
import { type ClusterProcesses, startClusterProcesses } from './cluster-processes.ts';
import { CommittedChanges } from './committed-changes.ts';
import { missingLines } from './expected-lines.ts';
import { FAULT_TYPES, type FaultStep, type FaultType, faultText, planFaults, RELAY_FAULT_TYPES } from './fault-plan.ts';
import { injectFault } from './inject-fault.ts';
import { RecordedInformer } from './recorded-informer.ts';
import { RecordedLists } from './recorded-lists.ts';
import { RecordedWatcher } from './recorded-watcher.ts';
import { type RecordedOperation, RecordedWriter } from './recorded-writer.ts';
import { cachedReads } from './relay-chain.ts';
import type { ServerLogLine } from './server-log.ts';

export interface ClusterRunOptions {
  readonly seed: number;
  /** What Node runs `listwatch` with. */
  readonly command: readonly string[];
  /** Are there relays in front of the first server, with clients of their own? Default: false. */
  readonly relays?: boolean | undefined;
  /** The same of an earlier version: the run begins with it, and its first fault is the upgrade. Default: no upgrade. */
  readonly from?: readonly string[] | undefined;
  /** An engine on the members themselves, not through a proxy, whose keys are all keys of the cluster. */
  readonly openEngine: (endpoints: readonly string[]) => StorageEngine;
  /** Default: 140. */
  readonly watchers?: number | undefined;
  /** Default: 60. */
  readonly informers?: number | undefined;
  /** Default: 16. */
  readonly writers?: number | undefined;
  /** Default: 5. */
  readonly faults?: number | undefined;
  /** No fault lasts longer. Default: no limit but that of the plan. */
  readonly faultMs?: number | undefined;
  /** Default: all. */
  readonly types?: readonly FaultType[] | undefined;
  readonly log?: ((line: string) => void) | undefined;
  /** Told of every line that a server writes. */
  readonly onServerLine?: ((server: number, line: ServerLogLine) => void) | undefined;
}

export interface ClusterRunSummary {
  readonly seed: number;
  readonly faults: readonly string[];
  readonly operations: number;
  /** Writes whose outcome nobody knows. */
  readonly unknown: number;
  readonly changes: number;
  readonly events: number;
  readonly lists: number;
  readonly relists: number;
  /** How long all watchers and informers took to have everything again, after each fault. */
  readonly recoveryMs: readonly number[];
  readonly violations: readonly string[];
}

const NAMESPACES = ['run-a', 'run-b', 'run-c', 'run-d'];
const NAMES = 12;
const CLIENTS = 12;
const RECOVERY_MS = 90_000;
const LEAK_MS = 30_000;
const LINE_MS = 5000;
/** Who is later than this is named in the log. */
const LATE_MS = 3000;

/** Runs it. A violation is a result, not an error; an error means that the run itself could not go on. */
export async function runCluster(options: ClusterRunOptions): Promise<ClusterRunSummary> {
  const { log = () => {} } = options;
  const { command, from, relays = false, onServerLine } = options;
  const relayCommand = relays ? command : undefined;
  await using processes = await startClusterProcesses({ command: from ?? command, relayCommand, onLine: onServerLine });
  const engine = options.openEngine(processes.members.map(({ endpoint }) => endpoint));
  try {
    log(`seed ${options.seed}: three members, three servers and ${processes.relays.length} relays run`);
    return await new ClusterRun(options, processes, engine, log).run();
  } finally {
    await engine.close();
  }
}

/** A clock whose time of day can be set; its timers run on. */
class SettableClock implements Clock {
  #offsetMs = 0;

  now(): number {
    return systemClock.now() + this.#offsetMs;
  }

  after(ms: number, action: () => void): ReturnType<Clock['after']> {
    return systemClock.after(ms, action);
  }

  jump(byMs: number): void {
    this.#offsetMs += byMs;
  }
}

class ClusterRun {
  readonly #options: ClusterRunOptions;
  readonly #processes: ClusterProcesses;
  readonly #engine: StorageEngine;
  readonly #log: (line: string) => void;
  readonly #random: SeededRandom;
  readonly #clock = new SettableClock();
  readonly #world: LoadWorld = {
    namespaces: NAMESPACES,
    names: Array.from({ length: NAMES }, (_, index) => `object-${index}`),
  };
  readonly #operations: RecordedOperation[] = [];
  readonly #violations: string[] = [];
  readonly #recoveryMs: number[] = [];
  /** The relays that have answered something from their caches. */
  readonly #usedRelays = new Set<number>();

  constructor(
    options: ClusterRunOptions,
    processes: ClusterProcesses,
    engine: StorageEngine,
    log: (line: string) => void,
  ) {
    this.#options = options;
    this.#processes = processes;
    this.#engine = engine;
    this.#log = log;
    this.#random = new SeededRandom(options.seed);
  }

  async run(): Promise<ClusterRunSummary> {
    const { seed, watchers = 140, informers = 60, writers = 16, faults = 5, relays = false, from } = this.#options;
    const { types = relays ? [...FAULT_TYPES, ...RELAY_FAULT_TYPES] : FAULT_TYPES } = this.#options;
    const { faultMs = Number.POSITIVE_INFINITY } = this.#options;
    const plan = planFaults(this.#random, faults, types, from !== undefined).map((step) => ({
      ...step,
      forMs: Math.min(step.forMs, faultMs),
    }));
    // Who has the relays knows the servers as well: it goes on while they are away.
    const urls = [...this.#processes.relays.toReversed(), ...this.#processes.servers].map(({ url }) => url);
    const clusters = await Promise.all(Array.from({ length: CLIENTS }, () => this.#connect(urls)));
    const single = await Promise.all(urls.map((url) => this.#connect([url])));
    const admin = clusters[0] ?? (await this.#connect(urls));
    await using truth = new CommittedChanges(this.#engine);
    await createNamespaces(admin);
    const clusterOf = (index: number): Cluster => clusters[index % clusters.length] ?? admin;
    const seen = Array.from({ length: watchers }, (_, index) => {
      const selection = randomSelection(this.#random, this.#world);
      const name = `watcher ${index} (${selection.path} ${JSON.stringify(selection.query)})`;
      const cluster = clusterOf(index);
      return new RecordedWatcher({ name, cluster, selection, random: this.#random, mayBeginEarlier: relays });
    });
    const caches = Array.from({ length: informers }, (_, index) => {
      const selection = randomSelection(this.#random, this.#world);
      return new RecordedInformer(`informer ${index} (${selection.path})`, clusterOf(index), selection);
    });
    const lists = new RecordedLists(single, new SeededRandom(seed + 1));
    const writing = Array.from({ length: writers }, (_, index) => {
      const random = new SeededRandom(seed * 1000 + index);
      return new RecordedWriter(`w${index}`, clusterOf(index), random, {
        world: this.#world,
        operations: this.#operations,
        onWritten: () => lists.wrote(),
        pauseMs: 40,
      });
    });
    for (const one of [...seen, ...writing, lists]) one.start();
    await Promise.all(caches.map((cache) => cache.synced));
    try {
      for (const step of plan) await this.#step(step, truth, seen, caches);
      await Promise.all(writing.map((writer) => writer.stop()));
      await lists.stop();
      await this.#recovered('at the end', truth, seen, caches);
      await this.#noteCachedReads();
      for (const index of this.#processes.relays.keys()) {
        if (!this.#usedRelays.has(index)) this.#violations.push(`relay ${index} answered nothing from its cache`);
      }
      this.#judge(truth, lists);
    } finally {
      await Promise.all([...writing, ...seen].map((one) => one.stop()));
      await lists.stop();
      await Promise.all(caches.map((cache) => cache.close()));
      await Promise.all([...clusters, ...single].map((cluster) => cluster.close()));
    }
    await this.#relaysEnd();
    await this.#nothingLeft();
    return {
      seed,
      faults: plan.map(faultText),
      operations: this.#operations.length,
      unknown: this.#operations.filter(({ output }) => output === undefined).length,
      changes: truth.changes.length,
      events: seen.reduce(
        (sum, { record }) => sum + record.segments.reduce((n, { events }) => n + events.length, 0),
        0,
      ),
      lists: lists.lists.length,
      relists: seen.reduce((sum, watcher) => sum + watcher.relists, 0),
      recoveryMs: this.#recoveryMs,
      violations: this.#violations,
    };
  }

  #connect(servers: readonly string[]): Promise<Cluster> {
    return connect({ ...this.#processes.credentials, servers, clock: this.#clock });
  }

  async #step(
    step: FaultStep,
    truth: CommittedChanges,
    watchers: readonly RecordedWatcher[],
    informers: readonly RecordedInformer[],
  ): Promise<void> {
    this.#log(`seed ${this.#options.seed}: ${faultText(step)}`);
    const compact = async (): Promise<void> => {
      // Not beyond what is recorded here: the checks need the whole history.
      await this.#engine
        .compact(truth.revision)
        .catch((error: unknown) => this.#log(`not compacted: ${String(error)}`));
    };
    const jumpClocks = (byMs: number): void => this.#clock.jump(byMs);
    const { command } = this.#options;
    const { servers } = this.#processes;
    const began = performance.now();
    await this.#noteCachedReads();
    await injectFault({ processes: this.#processes, compact, jumpClocks, command }, step);
    await this.#recovered(faultText(step), truth, watchers, informers);
    const unsaid = (): readonly string[] =>
      missingLines(
        step.fault,
        servers.map(({ log }) => log.since(began)),
      );
    await this.#eventually(performance.now() + LINE_MS, () => unsaid().length === 0);
    this.#violations.push(...unsaid().map((line) => `${faultText(step)}: ${line}`));
  }

  /** Before each fault: a relay that is killed begins to count anew, and its clients may stay with the other one. */
  async #noteCachedReads(): Promise<void> {
    for (const [index, relay] of this.#processes.relays.entries())
      if ((await cachedReads(relay)) > 0) this.#usedRelays.add(index);
  }

  /** Waits until everybody has seen everything up to now, and holds it against what was committed. */
  async #recovered(
    after: string,
    truth: CommittedChanges,
    watchers: readonly RecordedWatcher[],
    informers: readonly RecordedInformer[],
  ): Promise<void> {
    const started = performance.now();
    const until = await this.#storeRevision();
    const deadline = started + RECOVERY_MS;
    await this.#eventually(deadline, () => truth.revision >= until);
    if (truth.revision < until)
      this.#violations.push(`${after}: the store itself is recorded up to ${truth.revision} only, not ${until}`);
    let waiting = [...watchers];
    let told = started;
    let hopeful = started;
    await this.#eventually(deadline, () => {
      waiting = waiting.filter(({ record }) => checkWatcher(truth.changes, record, until) !== undefined);
      // Who was told something wrong stays wrong, however long the run waits.
      if (!waiting.every(({ record }) => checkWatcher(truth.changes, record) !== undefined))
        hopeful = performance.now();
      if (performance.now() - hopeful > LATE_MS) return true;
      if (waiting.length > 0 && performance.now() - told > LATE_MS) {
        told = performance.now();
        this.#log(`${waiting.length} watchers are late: ${waiting[0]?.record.name}: ${waiting[0]?.story}`);
      }
      return waiting.length === 0;
    });
    for (const watcher of waiting) {
      const violation = checkWatcher(truth.changes, watcher.record, until);
      if (violation !== undefined) {
        const { guarantee, message } = violation;
        this.#violations.push(`${after}: ${guarantee}: ${watcher.record.name}: ${message} (${watcher.story})`);
      }
    }
    // The writers go on: an informer is compared with what is there at one moment, and may need some attempts.
    let late = [...informers];
    await this.#eventually(deadline, () => {
      late = late.filter((informer) => informer.difference(truth.last) !== undefined);
      if (late.length > 0 && performance.now() - told > LATE_MS) {
        told = performance.now();
        this.#log(`${late.length} informers are late: ${late[0]?.difference(truth.last)} ${late[0]?.story}`);
      }
      return late.length === 0;
    });
    for (const informer of late)
      this.#violations.push(`${after}: ${informer.difference(truth.last)} (${informer.story})`);
    for (const { violations } of informers) this.#violations.push(...violations.splice(0));
    this.#takeAlarms(after);
    this.#recoveryMs.push(Math.round(performance.now() - started));
    this.#log(`seed ${this.#options.seed}: all is well again after ${this.#recoveryMs.at(-1)} ms`);
  }

  /** Everybody has gone: from the last to the first each relay lets go of the one before it. */
  async #relaysEnd(): Promise<void> {
    for (const [index, relay] of [...this.#processes.relays.entries()].toReversed()) {
      const left = (): number => relay.clientConnections ?? 0;
      await this.#eventually(performance.now() + LEAK_MS, () => left() === 0);
      if (left() > 0) this.#violations.push(`relay ${index} has ${left()} connections of clients that are gone`);
      await relay.terminate();
    }
  }

  /** Everybody has gone: the servers have no connection of a client any more, one at most to each member, and end when they are asked. */
  async #nothingLeft(): Promise<void> {
    const { servers } = this.#processes;
    const leaks = (): readonly string[] =>
      servers.flatMap(({ clientConnections = 0, toUpstream }, index) => {
        const members = toUpstream.map(({ connections }) => connections);
        return [
          ...(clientConnections > 0
            ? [`server ${index} has ${clientConnections} connections of clients that are gone`]
            : []),
          ...(Math.max(...members) > 1 ? [`server ${index} has ${members.join()} connections to the members`] : []),
        ];
      });
    await this.#eventually(performance.now() + LEAK_MS, () => leaks().length === 0);
    this.#violations.push(...leaks());
    await Promise.all(servers.map((server) => server.terminate()));
    this.#takeAlarms('at the end');
  }

  #takeAlarms(after: string): void {
    for (const { log } of [...this.#processes.servers, ...this.#processes.relays]) {
      this.#violations.push(...log.alarms.splice(0).map((line) => `${after}: a server wrote: ${line}`));
    }
  }

  async #storeRevision(): Promise<bigint> {
    for (let attempt = 0; ; attempt += 1) {
      try {
        return await this.#engine.revision();
      } catch (error) {
        if (attempt === 5) throw error;
      }
    }
  }

  async #eventually(deadline: number, isTrue: () => boolean): Promise<void> {
    while (!isTrue() && performance.now() < deadline) {
      await new Promise((resolve) => {
        setTimeout(resolve, 100);
      });
    }
  }

  #judge(truth: CommittedChanges, lists: RecordedLists): void {
    const acknowledged = this.#operations.flatMap(({ revision, returnedAt }) =>
      revision === undefined ? [] : [{ revision, returnedAt }],
    );
    this.#violations.push(
      ...checkWrites(this.#operations, truth.changes),
      ...checkLists(lists.lists, truth.changes, acknowledged),
    );
  }
}

async function createNamespaces(cluster: Cluster): Promise<void> {
  const namespaces = { group: '', version: 'v1', plural: 'namespaces', kind: 'Namespace', namespaced: false };
  for (const name of NAMESPACES) await cluster.create(namespaces, { metadata: { name } });
}
