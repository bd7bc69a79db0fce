/** One distinct Event of a recorder: how often it was seen, and what the server knows of it. */

import type { NewObject } from '@listwatch/client';
import { microTime } from '../leader/election-lease.ts';
import type { KubeEvent } from './kube-event.ts';

/** client-go's times. */
const FINISH_MS = 6 * 60_000;
const REFRESH_MS = 30 * 60_000;

/** What a sweep does with an entry. */
export type SweepStep = 'drop' | 'keep' | 'write' | 'write-and-drop';

export interface EventEntry {
  readonly key: string;
  readonly event: NewObject<KubeEvent>;
  observed: number;
  lastObservedAt: number;
  /** As often as the server was told, or has refused to hear. */
  told: number;
  toldAt: number;
  /** Has the server taken it? Then only its series grows. */
  exists: boolean;
  /** Waits for a writer, or has one. */
  isPending: boolean;
  /** Nobody has seen it for a while: the next write is the last one. */
  isFinished: boolean;
}

/** An entry that was seen once. */
export function newEntry(key: string, event: NewObject<KubeEvent>, now: number): EventEntry {
  return {
    key,
    event,
    observed: 1,
    lastObservedAt: now,
    told: 0,
    toldAt: now,
    exists: false,
    isPending: false,
    isFinished: false,
  };
}

/** The first occurrence is written, and the second as a series. Later ones are counted, and written by sweeps. */
export function isDue({ observed, told }: EventEntry): boolean {
  return told < Math.min(observed, 2);
}

/** What is to be done with an entry that does not wait for a writer. */
export function sweepStep(entry: EventEntry, now: number): SweepStep {
  const hasNews = entry.observed > entry.told;
  if (now - entry.lastObservedAt >= FINISH_MS) return hasNews ? 'write-and-drop' : 'drop';
  if (isDue(entry)) return 'write';
  return hasNews && now - entry.toldAt >= REFRESH_MS ? 'write' : 'keep';
}

/** The part of the Event that grows. */
export function seriesOf({ observed, lastObservedAt }: EventEntry): Pick<KubeEvent, 'series'> {
  if (observed < 2) return {};
  return { series: { count: observed, lastObservedTime: microTime(lastObservedAt) } };
}
