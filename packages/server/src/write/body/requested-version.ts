/** The resourceVersion that a client writes for. */

import { IntegerError, parseUint64, unknownError } from '@listwatch/api';

/** The number of a resourceVersion, 0 for `''`. Throws the 500 of kube-apiserver for one that is none. */
export function requestedVersion(text: string): bigint {
  if (text === '') return 0n;
  try {
    return parseUint64(text);
  } catch (error) {
    throw error instanceof IntegerError ? unknownError(error.message) : error;
  }
}
