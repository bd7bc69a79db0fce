/** A cache of a cluster that is always right. Start at `informer`; `watcher` is the stream below it. */

export type { WatchedCluster } from './watched-cluster.ts';
export type { BackoffOptions } from './watcher/backoff.ts';
export { type Watcher, watcher } from './watcher/watcher.ts';
export type { InitialStrategy, WatcherOptions } from './watcher/watcher-options.ts';
export type { WatcherProgress } from './watcher/watcher-progress.ts';
export { WatcherError, type WatcherErrorCode } from './watcher-error.ts';
export type {
  ApplyEvent,
  DeleteEvent,
  ErrorEvent,
  InitApplyEvent,
  InitDoneEvent,
  InitEvent,
  WatcherEvent,
} from './watcher-event.ts';
