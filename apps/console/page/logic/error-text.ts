/** An error in words. */

import { isStatusError } from '@listwatch/api';

/** The message of the server, or of the error itself. */
export function errorText(error: unknown): string {
  if (isStatusError(error)) return error.status.message ?? error.message;
  return error instanceof Error ? error.message : JSON.stringify(error);
}
