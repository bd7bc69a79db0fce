/** Asks the upstream by reviews: who has a token, and what somebody may do. */

import { StatusError, serviceUnavailable, tooManyRequests } from '@listwatch/api';
import { isRecord, type JsonRecord } from '@listwatch/api/values';
import type { Cluster } from '@listwatch/client';

/** Sends a review and gives the answer. Rejects when there is none: then nobody is let in. */
export type SendReview = (path: string, review: object) => Promise<JsonRecord>;

const ANSWER_MS = 10_000;

/** What a gateway says for a server that is away. */
const GATEWAY: ReadonlySet<number> = new Set([502, 503, 504]);

/** A 503 for want of any answer. */
class NoAnswer extends StatusError {
  override readonly name: string = 'NoAnswer';
}

/** With the login of the relay, which needs the role `system:auth-delegator`. */
export function reviewClient(cluster: Pick<Cluster, 'raw'>): SendReview {
  return async (path, review) => {
    const answer = await unanswered(() =>
      cluster.raw(path, {
        method: 'POST',
        body: review,
        headers: { accept: 'application/json' },
        headersTimeoutMs: ANSWER_MS,
        idleTimeoutMs: ANSWER_MS,
        maxRetries: 0,
      }),
    );
    if (!answer.ok) {
      await answer.close();
      const cause = new Error(`the upstream server answered ${answer.status}`);
      throw GATEWAY.has(answer.status) ? noAnswer(cause) : cannotAsk(cause);
    }
    const text = await unanswered(() => answer.text());
    try {
      const parsed: unknown = JSON.parse(text);
      if (!isRecord(parsed)) throw new Error('the upstream server answered with something else than a review');
      return parsed;
    } catch (cause) {
      throw cannotAsk(cause);
    }
  };
}

async function unanswered<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (cause) {
    throw noAnswer(cause);
  }
}

/** Did the upstream say nothing at all? A server that refuses to answer, as a 403 or 429 says, is not away. */
export function isUnanswered(error: unknown): boolean {
  return error instanceof NoAnswer;
}

function noAnswer(cause: unknown): StatusError {
  return new NoAnswer(cannotAsk(cause).status, { cause });
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
