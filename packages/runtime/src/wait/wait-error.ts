/** Why a wait ended without its condition. */

import { type ApiObject, ListWatchError } from '@listwatch/api';

/**
 * - `WAIT_TIMEOUT`: the condition did not hold in time.
 * - `WAIT_REFUSED`: the object cannot be watched: no permission, or no such resource; `cause` says which.
 * - `OBJECT_GONE`: the object with the given uid is gone, and the condition needs it.
 */
export type WaitErrorCode = 'OBJECT_GONE' | 'WAIT_REFUSED' | 'WAIT_TIMEOUT';

/** `object` is the last state that was seen. */
export class WaitError extends ListWatchError {
  readonly code: WaitErrorCode;
  readonly object: ApiObject | undefined;

  constructor(
    code: WaitErrorCode,
    message: string,
    { object, cause }: { readonly object: ApiObject | undefined; readonly cause?: unknown },
  ) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.object = object;
  }
}
