/** What can go wrong with an informer that is not a failure of its watch. */

import { ListWatchError } from '@listwatch/api';

/**
 * - `CLOSED`: the informer was closed before it could do what was asked.
 * - `OVERFLOW`: a reader with the policy `fail` fell too far behind.
 * - `SYNC_TIMEOUT`: no complete state within `syncTimeoutMs`; `cause` is the last failure, if there was one.
 */
export type InformerErrorCode = 'CLOSED' | 'OVERFLOW' | 'SYNC_TIMEOUT';

export class InformerError extends ListWatchError {
  readonly code: InformerErrorCode;

  constructor(code: InformerErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
