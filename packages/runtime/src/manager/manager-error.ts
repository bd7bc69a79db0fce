/** What can go wrong with a manager itself. */

import { ListWatchError } from '@listwatch/api';

/**
 * - `ALREADY_RUN`: `run` was called a second time, or `add` after `run`.
 * - `HEALTH_SERVER`: the server for probes and metrics cannot listen; `cause` says why.
 * - `RIGHTS_FILE`: the file of `recordRights` cannot be written; `cause` says why.
 * - `STOPPED`: the manager stops; the reason of a runnable's signal when it was not your own signal that was aborted.
 * - `STOP_TIMEOUT`: something still ran `gracefulStopMs` after the stop; the message names it.
 * - `WEBHOOK_SERVER`: the server of webhooks cannot listen; `cause` says why.
 */
export type ManagerErrorCode =
  | 'ALREADY_RUN'
  | 'HEALTH_SERVER'
  | 'RIGHTS_FILE'
  | 'STOPPED'
  | 'STOP_TIMEOUT'
  | 'WEBHOOK_SERVER';

export class ManagerError extends ListWatchError {
  readonly code: ManagerErrorCode;

  constructor(code: ManagerErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
