/** Why a cluster cannot be watched, in one sentence for the person who wants to. */

import { findStatusError, isForbidden, isNotFound, isUnauthorized } from '@listwatch/api';
import { isTransportError } from '@listwatch/client';

/** What was tried. */
export interface Attempt {
  readonly server: string;
  /** `watch pods in default`. */
  readonly what: string;
}

/** The sentence for a refusal that no waiting cures: 401, 403, 404. Undefined for everything else. */
export function explainRefusal(error: unknown, { server, what }: Attempt): string | undefined {
  const refusal: unknown = findStatusError(error);
  if (isUnauthorized(refusal)) {
    return `${server} does not know you (401): ${refusal.message}; log in again, or look at the user of your context`;
  }
  if (isForbidden(refusal)) return `you may not ${what} (403): ${refusal.message}`;
  if (isNotFound(refusal)) return `${server} has nothing to ${what} (404): ${refusal.message}`;
  return undefined;
}

/** The sentence for a server that could not even be asked what it has; undefined for what nobody foresaw. */
export function explainNoAnswer(error: unknown, attempt: Attempt): string | undefined {
  const refused = explainRefusal(error, attempt);
  if (refused !== undefined) return refused;
  if (isTransportError(error, 'CONNECT')) {
    const hint = /certificate/iu.test(error.message) ? '; say whom to trust with --certificate-authority' : '';
    return `${error.message}${hint}`;
  }
  if (isTransportError(error)) return `${attempt.server} gives no answer: ${error.message}`;
  const status = findStatusError(error);
  return status === undefined ? undefined : `${attempt.server} refuses to ${attempt.what}: ${status.message}`;
}
