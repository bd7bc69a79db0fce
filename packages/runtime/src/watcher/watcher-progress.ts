/** What a watcher is doing, for status lines and dashboards. */

import type { ApiObject, ResourceVersion } from '@listwatch/api';
import type { WatcherError } from '../watcher-error.ts';
import type { WatcherEvent } from '../watcher-event.ts';
import type { WatcherOutput, WatcherState } from './watcher-state.ts';

/** A moment of a watcher. */
export interface WatcherProgress {
  /** `watching` includes the check of the server's history before a watch resumes. */
  readonly phase: 'idle' | 'listing' | 'streaming' | 'waiting' | 'watching';
  /** When the phase began, in milliseconds since 1970. */
  readonly since: number;
  /** The page being listed. */
  readonly page: number;
  /** Objects of the present or last list. */
  readonly items: number;
  readonly resourceVersion?: ResourceVersion | undefined;
  readonly lastEventAt?: number | undefined;
  readonly lastBookmarkAt?: number | undefined;
  /** Watches that were opened, the first included. */
  readonly watches: number;
  /** Pauses since the last proven progress. */
  readonly failures: number;
  /** When a pause ends. */
  readonly retryAt?: number | undefined;
  readonly lastError?: WatcherError | undefined;
}

export const IDLE: Omit<WatcherProgress, 'since'> = { phase: 'idle', page: 0, items: 0, watches: 0, failures: 0 };

/** The progress after a state has been entered. */
export function observed(
  before: WatcherProgress,
  state: WatcherState,
  now: number,
  retryInMs?: number,
): WatcherProgress {
  const opens = state.type === 'watching' || state.type === 'streaming';
  const phase = state.type === 'checking' ? 'watching' : state.type;
  return {
    ...before,
    phase,
    since: phase === before.phase ? before.since : now,
    page: state.type === 'listing' ? state.page : before.page,
    watches: before.watches + (opens ? 1 : 0),
    failures: state.memory.failures,
    retryAt: retryInMs === undefined ? undefined : now + retryInMs,
  };
}

/** The progress after an output. */
export function told(
  before: WatcherProgress,
  output: WatcherEvent | WatcherOutput<ApiObject>,
  now: number,
): WatcherProgress {
  switch (output.type) {
    case 'init':
      return { ...before, items: 0 };
    case 'initApply':
      return { ...before, items: before.items + 1, lastEventAt: now };
    case 'initBatch':
      return { ...before, items: before.items + output.objects.length, lastEventAt: now };
    case 'initDone': {
      // The stream of initial events goes on as the watch.
      const phase = before.phase === 'streaming' ? { phase: 'watching' as const, since: now } : {};
      return { ...before, ...phase, resourceVersion: output.resourceVersion, lastEventAt: now };
    }
    case 'bookmark':
      return { ...before, resourceVersion: output.resourceVersion, lastBookmarkAt: now, failures: 0 };
    case 'apply':
    case 'changes':
    case 'delete':
      return { ...before, lastEventAt: now, failures: 0 };
    case 'error':
      return { ...before, lastError: output.error };
    case 'steady':
      return before;
  }
}
