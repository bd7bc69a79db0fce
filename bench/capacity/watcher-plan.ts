/** What the parent and the processes with the watchers tell each other. */

import type { Protocol } from '../server/connection.ts';

/** One watch, and which of the writes it must see: number `first`, then each `stride`-th. */
export interface WatchPlan {
  readonly path: string;
  readonly first: number;
  readonly stride: number;
}

/** To a process with watchers. */
export type WatcherOrder =
  | {
      readonly type: 'open';
      readonly url: string;
      readonly token: string;
      readonly protocol: Protocol;
      readonly watchesPerConnection: number;
      readonly watches: readonly WatchPlan[];
    }
  /** Writes are due from `start` on, by {@link monotonicMs}, one each `intervalMs`. */
  | { readonly type: 'begin'; readonly start: number; readonly intervalMs: number; readonly writes: number }
  | { readonly type: 'report' };

/** What a process with watchers has seen since `begin`. */
export interface WatcherReport {
  readonly type: 'report';
  readonly delivered: number;
  readonly missing: number;
  readonly bytes: number;
  /** Watches that ended, which none should. */
  readonly ended: number;
  /** Latencies in tenths of a millisecond, and how often. */
  readonly latencies: readonly (readonly [number, number])[];
  readonly cpuMicros: number;
}

/** From a process with watchers. */
export type WatcherAnswer =
  | { readonly type: 'begun' | 'done' | 'opened' }
  | { readonly type: 'failed'; readonly message: string }
  | WatcherReport;

/** How many of the first `writes` writes a watch must see. */
export function expectedOf({ first, stride }: WatchPlan, writes: number): number {
  return first >= writes ? 0 : Math.floor((writes - 1 - first) / stride) + 1;
}

/** The same in all processes of a machine, unlike `performance.now`. */
export function monotonicMs(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}
