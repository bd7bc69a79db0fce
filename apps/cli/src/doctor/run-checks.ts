/** Runs the checks: each with its own time limit, none able to take down another. */

import type { Cluster } from '@listwatch/client';
import { CannotCheck, type Check, type CheckContext, type CleanUpTask } from './check.ts';
import type { DoctorSettings } from './doctor-settings.ts';
import { explainProbe } from './explain-probe.ts';
import { Facts } from './facts.ts';
import { type Finding, fail, skipped, type Verdict, warn, worst } from './finding.ts';
import { TimeIsUp, withLimit } from './limited-time.ts';
import { asker, countedCluster, type RequestCount } from './probe.ts';

/** What one check found. */
export interface CheckReport {
  readonly name: string;
  readonly verdict: Verdict;
  readonly findings: readonly Finding[];
  readonly ms: number;
  /** Requests of this check alone; those for facts that several share count for the run. */
  readonly requests: number;
}

/** What is happening, for the status line. */
export interface DoctorProgress {
  /** Names of the checks that run now. */
  readonly running: ReadonlySet<string>;
  readonly done: number;
  readonly total: number;
  readonly requests: number;
}

/** The result of a run. */
export interface DoctorRun {
  readonly checks: readonly CheckReport[];
  readonly requests: number;
}

const CLEAN_UP_MS = 10_000;

/** Call `run` once. */
export class CheckRunner {
  readonly #cluster: Cluster;
  readonly #settings: DoctorSettings;
  readonly #signal: AbortSignal;
  readonly #facts: Facts;
  readonly #total: RequestCount = { requests: 0 };
  readonly #running = new Set<string>();
  readonly #leftovers: string[] = [];
  #done = 0;

  constructor(cluster: Cluster, settings: DoctorSettings, signal: AbortSignal) {
    this.#cluster = cluster;
    this.#settings = settings;
    this.#signal = signal;
    this.#facts = new Facts({ cluster: countedCluster(cluster, [this.#total]), settings, signal });
  }

  get progress(): DoctorProgress {
    const { requests } = this.#total;
    return { running: this.#running, done: this.#done, total: this.#settings.checks.length, requests };
  }

  /** What could not be cleaned up, and how to do it by hand. Complete when `run` has settled. */
  get leftovers(): readonly string[] {
    return this.#leftovers;
  }

  /** Rejects only when the signal is aborted; everything is cleaned up then, too. */
  async run(all: readonly Check[]): Promise<DoctorRun> {
    const checks = all.filter(({ name }) => this.#settings.checks.includes(name));
    const contact = await this.#facts.contact();
    if (contact.type === 'failed') {
      const reports = [
        report('server', [contact.finding]),
        ...checks
          .filter(({ name }) => name !== 'server')
          .map(({ name }) => report(name, [skipped('The server cannot be used; see server.')])),
      ];
      return { checks: reports, requests: this.#total.requests };
    }
    const waiting = (check: Check): boolean => (check.waitsMs?.(this.#settings) ?? 0) > 0;
    // Those that mostly wait run beside the others, which run one by one: they measure times.
    const running = [
      this.#inTurn(checks.filter((check) => !waiting(check))),
      ...checks.filter(waiting).map((check) => this.#runOne(check)),
    ];
    const settled = await Promise.allSettled(running);
    this.#signal.throwIfAborted();
    const reports = new Map(
      settled
        .flatMap((result) => (result.status === 'fulfilled' ? result.value : []))
        .map((one) => [one.name, one] as const),
    );
    return { checks: checks.flatMap(({ name }) => reports.get(name) ?? []), requests: this.#total.requests };
  }

  async #inTurn(checks: readonly Check[]): Promise<readonly CheckReport[]> {
    const reports: CheckReport[] = [];
    for (const check of checks) reports.push(...(await this.#runOne(check)));
    return reports;
  }

  async #runOne(check: Check): Promise<readonly CheckReport[]> {
    const { name, waitsMs } = check;
    const limitMs = this.#settings.timeoutMs + (waitsMs?.(this.#settings) ?? 0);
    const own: RequestCount = { requests: 0 };
    const cluster = countedCluster(this.#cluster, [this.#total, own]);
    const tasks: CleanUpTask[] = [];
    const started = performance.now();
    this.#running.add(name);
    let findings: readonly Finding[];
    try {
      findings = await withLimit(limitMs, this.#signal, (signal) => check.run(this.#context(cluster, signal, tasks)));
    } catch (error) {
      findings = [failure(error, limitMs)];
    }
    const left = await this.#cleanUp(tasks);
    this.#running.delete(name);
    this.#done += 1;
    return [report(name, [...findings, ...left], performance.now() - started, own.requests)];
  }

  #context(cluster: Cluster, signal: AbortSignal, tasks: CleanUpTask[]): CheckContext {
    return {
      cluster,
      ask: asker(cluster.transport, signal),
      settings: this.#settings,
      facts: this.#facts,
      signal,
      cleanUp: (task) => tasks.push(task),
    };
  }

  /** Not bound to the signal of the run: Ctrl-C must not leave anything behind. */
  async #cleanUp(tasks: readonly CleanUpTask[]): Promise<readonly Finding[]> {
    const findings: Finding[] = [];
    for (const { leftover, run } of tasks) {
      try {
        await withLimit(CLEAN_UP_MS, new AbortController().signal, run);
      } catch (error) {
        this.#leftovers.push(leftover);
        findings.push(warn(`Could not clean up: ${explainProbe(error)}.`, `Left behind: ${leftover}`));
      }
    }
    return findings;
  }
}

function report(name: string, findings: readonly Finding[], ms = 0, requests = 0): CheckReport {
  return { name, verdict: worst(findings.map(({ verdict }) => verdict)), findings, ms, requests };
}

function failure(error: unknown, limitMs: number): Finding {
  if (error instanceof CannotCheck) return skipped(`Not examined: ${error.message}.`);
  if (error instanceof TimeIsUp) {
    const advice = 'The server or something between is too slow or holds answers back. Try a longer --timeout.';
    return fail(`Not finished within ${Math.min(error.limitMs, limitMs) / 1000} s.`, advice);
  }
  return fail(`${explainProbe(error)}.`, 'Look at the logs of the server and of the proxies before it.');
}
