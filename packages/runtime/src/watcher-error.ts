/** Which step of a watcher failed. */

import { ListWatchError } from '@listwatch/api';

/**
 * - `INITIAL_LIST_FAILED`: a page of the list, or the stream of initial events.
 * - `NO_END_MARKER`: the initial events came, or none did, and the bookmark that ends them never.
 * - `WATCH_START_FAILED`: the server refused the watch or could not be reached.
 * - `WATCH_ERROR`: the server ended the watch with an ERROR event (410 and others).
 * - `WATCH_FAILED`: the stream broke, fell silent, ended at once, went back in time, or was no watch.
 * - `NO_RESOURCE_VERSION`: the server's list or event has no usable version: nothing can be resumed.
 */
export type WatcherErrorCode =
  | 'INITIAL_LIST_FAILED'
  | 'NO_END_MARKER'
  | 'NO_RESOURCE_VERSION'
  | 'WATCH_ERROR'
  | 'WATCH_FAILED'
  | 'WATCH_START_FAILED';

/** A failure of a watcher; its `cause` is always the `StatusError` or `TransportError` behind it. */
export class WatcherError extends ListWatchError {
  readonly code: WatcherErrorCode;

  constructor(code: WatcherErrorCode, message: string, options: { readonly cause: unknown }) {
    super(message, options);
    this.code = code;
  }
}
