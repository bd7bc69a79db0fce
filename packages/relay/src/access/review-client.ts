/** Asks the upstream by reviews: who has a token, and what somebody may do. */

import { StatusError, serviceUnavailable, tooManyRequests } from '@listwatch/api';
import type { JsonRecord } from '@listwatch/api/values';
import type { Cluster } from '@listwatch/client';

/** Sends a review and gives the answer. Rejects when there is none: then nobody is let in. */
export type SendReview = (path: string, review: object) => Promise<JsonRecord>;

const ANSWER_MS = 10_000;

/** With the login of the relay, which needs the role `system:auth-delegator`. */
export function reviewClient(cluster: Pick<Cluster, 'raw'>): SendReview {
  return async (path, review) => {
    try {
      const answer = await cluster.raw(path, {
        method: 'POST',
        body: review,
        headers: { accept: 'application/json' },
        headersTimeoutMs: ANSWER_MS,
        idleTimeoutMs: ANSWER_MS,
        maxRetries: 0,
      });
      if (!answer.ok) {
        await answer.close();
        throw new Error(`the upstream server answered ${answer.status}`);
      }
      return await answer.json();
    } catch (cause) {
      throw cannotAsk(cause);
    }
  };
}

/** A 503: the client comes back. The message does not show what the upstream said to the relay. */
export function cannotAsk(cause: unknown): StatusError {
  const message =
    'the relay cannot ask the upstream server who you are and what you may do; try again, or ask that server';
  return new StatusError(serviceUnavailable(message).status, { cause });
}

/** A 429. */
export function tooManyReviews(): StatusError {
  return tooManyRequests('too many reviews of access wait for the upstream server', 1);
}
