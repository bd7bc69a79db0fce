/** What can happen to a watcher. */

import type { ApiObject, ObjectEvent } from '@listwatch/api';
import type { WatcherError } from '../watcher-error.ts';
import type { HistoryAnswer } from './seen-history.ts';

/**
 * Kinds of failure, by what cures them.
 *
 * - `expired`: 410; the version or the page has left the history.
 * - `tooLarge`: the server has not seen this version.
 * - `throttled`: 429; wait.
 * - `unreachable`: no connection; nothing was asked.
 * - `unsupported`: 400, 405, 406, 422: the server does not take this request.
 * - `refused`: any other status, at the request: 401, 403, 404, 5xx.
 * - `serverError`: any other ERROR event: the server cannot go on with this watch.
 * - `protocol`: what came cannot be read; an event may have been in it.
 * - `broken`: the exchange broke or fell silent.
 */
export type FailureKind =
  | 'broken'
  | 'expired'
  | 'protocol'
  | 'refused'
  | 'serverError'
  | 'throttled'
  | 'tooLarge'
  | 'unreachable'
  | 'unsupported';

/** An attempt has failed. */
export interface FailureInput {
  readonly type: FailureKind;
  readonly error: WatcherError;
  /** How long the exchange lasted. */
  readonly livedMs: number;
  /** How long the server asks to wait. */
  readonly retryAfterMs?: number | undefined;
}

export type WatcherInput<T extends ApiObject = ApiObject> =
  /** A page begins; 1 is the first. */
  | { readonly type: 'page'; readonly number: number }
  /** Objects of the state came together: of a page, or ADDED before the marker. */
  | { readonly type: 'items'; readonly objects: readonly T[] }
  /** The last page is through. */
  | { readonly type: 'listed'; readonly resourceVersion: string | undefined }
  /** Objects have changed, one after the other; they came together. */
  | { readonly type: 'changes'; readonly events: readonly ObjectEvent<T>[] }
  | { readonly type: 'bookmark'; readonly resourceVersion: string }
  /** The bookmark that ends the initial events. */
  | { readonly type: 'marker'; readonly resourceVersion: string }
  /** The watch has been open for a second. */
  | { readonly type: 'steady' }
  /** The server ended the watch in order; `isTimeout`: when its `timeoutSeconds` were over. */
  | { readonly type: 'closed'; readonly livedMs: number; readonly isTimeout: boolean }
  /** The server was asked for the object that was seen last. */
  | ({ readonly type: 'checked' } & HistoryAnswer)
  /** Initial events have stopped coming, and no marker has. */
  | { readonly type: 'quiet' }
  /** The pause is over. */
  | { readonly type: 'elapsed' }
  | FailureInput;

/** The name of an input. */
export type WatcherInputType = WatcherInput['type'];
