/** The resourceVersion that a write requires. */

import { IntegerError, parseUint64, unknownError } from '@listwatch/api';

/** The number of a resourceVersion, 0 for `''`. Throws the 500 of kube-apiserver for an invalid one. */
export function requestedVersion(text: string): bigint {
  if (text === '') return 0n;
  try {
    return parseUint64(text);
  } catch (error) {
    throw error instanceof IntegerError ? unknownError(error.message) : error;
  }
}
