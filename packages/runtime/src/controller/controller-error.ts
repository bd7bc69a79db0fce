/** What can go wrong with a controller itself. */

import { ListWatchError } from '@listwatch/api';

/**
 * - `SYNC_TIMEOUT`: caches had no complete state within `syncTimeoutMs`; the message names them, `cause` says why.
 * - `ALREADY_RUN`: `run` was called a second time.
 * - `RECONCILE_TIMEOUT`: a reconcile took longer than `reconcileTimeoutMs`; the reason of its signal.
 * - `STOPPED`: the controller stops; the reason of a reconcile's signal.
 */
export type ControllerErrorCode = 'ALREADY_RUN' | 'RECONCILE_TIMEOUT' | 'STOPPED' | 'SYNC_TIMEOUT';

export class ControllerError extends ListWatchError {
  readonly code: ControllerErrorCode;

  constructor(code: ControllerErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/**
 * Thrown by a reconcile that will not succeed until its object changes: it is reported and not retried.
 *
 * @example
 * throw new TerminalError('spec.schedule is no cron expression');
 */
export class TerminalError extends ListWatchError {
  override readonly code = 'TERMINAL';
}

/** Is it a `TerminalError`, also one of another copy of this package? */
export function isTerminalError(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'TERMINAL';
}
