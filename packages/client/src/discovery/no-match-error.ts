/** A kind or a name that the server does not serve. */

import { ListWatchError } from '@listwatch/api';

/** The REST mapper found no resource. The message says what was asked for and what there is. */
export class NoMatchError extends ListWatchError {
  override readonly code = 'NO_MATCH' as const;
}

/** Did the REST mapper find no resource? By the code and not by the class. */
export function isNoMatch(error: unknown): error is NoMatchError {
  return error instanceof Error && 'code' in error && error.code === 'NO_MATCH';
}
