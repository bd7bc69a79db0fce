/** For the packages of this workspace only: it may change without notice. */

export { newestOf } from './watcher/seen-history.ts';
export { runWatcher, type WatcherSink } from './watcher/watcher-driver.ts';
export { resolveWatcherOptions } from './watcher/watcher-options.ts';
export type { WatcherOutput, WatcherState } from './watcher/watcher-state.ts';
