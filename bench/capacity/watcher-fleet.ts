/** Thousands of watchers in processes of their own. */

import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Protocol } from '../server/connection.ts';
import { LatencyHistogram } from '../server/latency-histogram.ts';
import type { Target } from '../server/target.ts';
import { requireOpenFiles } from './open-files.ts';
import type { WatcherAnswer, WatcherOrder, WatcherReport, WatchPlan } from './watcher-plan.ts';

const PATIENCE_MS = 300_000;

/** How the watchers connect. */
export interface FleetOptions {
  readonly targets: readonly Target[];
  readonly protocol: Protocol;
  readonly watchesPerConnection: number;
  readonly watches: readonly WatchPlan[];
  /** Default: one for each server, at least two. */
  readonly processes?: number | undefined;
}

/** What all watchers saw together. */
export interface FleetReport {
  readonly delivered: number;
  readonly lost: number;
  readonly bytes: number;
  readonly ended: number;
  readonly latencies: LatencyHistogram;
  readonly cpuMicros: number;
}

/** The watchers of all processes as one. */
export class WatcherFleet implements AsyncDisposable {
  readonly #children: readonly ChildProcess[];
  #done: Promise<unknown> = Promise.resolve();

  private constructor(children: readonly ChildProcess[]) {
    this.#children = children;
  }

  /** Watch number i goes to target i modulo their number. Resolves when all watches have begun. */
  static async open({
    targets,
    protocol,
    watchesPerConnection,
    watches,
    processes = Math.max(2, targets.length),
  }: FleetOptions): Promise<WatcherFleet> {
    requireOpenFiles(Math.ceil(watches.length / watchesPerConnection / Math.min(processes, targets.length)));
    const script = fileURLToPath(new URL('watcher-process.ts', import.meta.url));
    const children = Array.from({ length: processes }, () => fork(script, { execArgv: process.execArgv }));
    const fleet = new WatcherFleet(children);
    try {
      await Promise.all(
        children.map(async (child, i) => {
          const target = targets[i % targets.length];
          if (target === undefined) throw new RangeError('there is no server to watch');
          const { url, token } = target;
          const own = watches.filter((_, j) => j % processes === i);
          const opened = answerOf(child, 'opened');
          tell(child, { type: 'open', url, token, protocol, watchesPerConnection, watches: own });
          await opened;
        }),
      );
      return fleet;
    } catch (error) {
      await fleet[Symbol.asyncDispose]();
      throw error;
    }
  }

  /** Counts from here on: writes are due from `start` on, one each `intervalMs`. */
  async begin(start: number, intervalMs: number, writes: number): Promise<void> {
    const done = this.#children.map((child) => answerOf(child, 'done'));
    this.#done = Promise.all(done);
    this.#done.catch(() => {});
    const begun = this.#children.map((child) => answerOf(child, 'begun'));
    for (const child of this.#children) tell(child, { type: 'begin', start, intervalMs, writes });
    await Promise.all(begun);
  }

  /** What has been seen, when all is there or `patienceMs` are over. */
  async end(patienceMs: number): Promise<FleetReport> {
    let timer: NodeJS.Timeout | undefined;
    const over = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, patienceMs);
    });
    await Promise.race([this.#done, over]);
    clearTimeout(timer);
    const reports = await Promise.all(
      this.#children.map(async (child) => {
        const reported = answerOf(child, 'report');
        tell(child, { type: 'report' });
        return reported;
      }),
    );
    return joined(reports.filter((report): report is WatcherReport => report.type === 'report'));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(
      this.#children.map(async (child) => {
        if (child.exitCode !== null || child.signalCode !== null) return;
        const exited = new Promise((resolve) => child.once('exit', resolve));
        child.kill('SIGKILL');
        await exited;
      }),
    );
  }
}

function joined(reports: readonly WatcherReport[]): FleetReport {
  const latencies = new LatencyHistogram();
  const sums = { delivered: 0, lost: 0, bytes: 0, ended: 0, cpuMicros: 0 };
  for (const report of reports) {
    sums.delivered += report.delivered;
    sums.lost += report.missing;
    sums.bytes += report.bytes;
    sums.ended += report.ended;
    sums.cpuMicros += report.cpuMicros;
    latencies.addCounts(report.latencies);
  }
  return { ...sums, latencies };
}

function tell(child: ChildProcess, order: WatcherOrder): void {
  child.send(order);
}

function answerOf(child: ChildProcess, type: WatcherAnswer['type']): Promise<WatcherAnswer> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => settle(() => reject(new Error(`no watcher process said ${type}`))), PATIENCE_MS);
    const settle = (then: () => void): void => {
      clearTimeout(timer);
      child.off('exit', onExit).off('message', onMessage);
      then();
    };
    const onExit = (): void => settle(() => reject(new Error('a process with watchers ended')));
    const onMessage = (message: WatcherAnswer): void => {
      if (message.type === 'failed') settle(() => reject(new Error(message.message)));
      else if (message.type === type) settle(() => resolve(message));
    };
    child.on('exit', onExit).on('message', onMessage);
  });
}
