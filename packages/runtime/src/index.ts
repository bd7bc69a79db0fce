/** A cache of a cluster that is always right. Start at `informer`; `watcher` is the stream below it. */

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
