/** Explains in one sentence why a cluster cannot be watched. */

import { findStatusError, isForbidden, isNotFound, isUnauthorized } from '@listwatch/api';
import { isTransportError } from '@listwatch/client';

/** What was tried. */
export interface RequestAttempt {
  readonly server: string;
  /** `watch pods in default`. */
  readonly what: string;
}

/** Explains a refusal that retrying does not cure: 401, 403, 404. Undefined for everything else. */
export function explainRefusal(error: unknown, { server, what }: RequestAttempt): string | undefined {
  const refusal: unknown = findStatusError(error);
  if (isUnauthorized(refusal)) {
    return `${server} rejected the credentials (401): ${refusal.message}. Log in again, or check the user of your context.`;
  }
  if (isForbidden(refusal)) return `not allowed to ${what} (403): ${refusal.message}`;
  if (isNotFound(refusal)) return `${server} cannot ${what} (404): ${refusal.message}`;
  return undefined;
}

/** Explains why the resources of a server could not be discovered. Undefined for an unexpected error. */
export function explainNoAnswer(error: unknown, attempt: RequestAttempt): string | undefined {
  const refused = explainRefusal(error, attempt);
  if (refused !== undefined) return refused;
  if (isTransportError(error, 'CONNECT')) {
    const hint = /certificate/iu.test(error.message) ? '; pass its CA certificate with --certificate-authority' : '';
    return `${error.message}${hint}`;
  }
  if (isTransportError(error)) return `no answer from ${attempt.server}: ${error.message}`;
  const status = findStatusError(error);
  return status === undefined ? undefined : `${attempt.server} refused to ${attempt.what}: ${status.message}`;
}
