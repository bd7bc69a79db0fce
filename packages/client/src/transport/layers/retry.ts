/** Sends again what may be sent again, by the rules of client-go. */

import { type AbortOptions, type Clock, sleep } from '@listwatch/api';
import { drainBody } from '../exchange/drain.ts';
import type { Transport, TransportDecorator, TransportRequest, TransportResponse } from '../transport.ts';
import { isTransportError, TransportError } from '../transport-error.ts';
import { CloseableWaits } from './closeable-waits.ts';
import { isWatchRequest, wrap } from './decorate.ts';

export interface RetryOptions {
  readonly clock: Clock;
  /** How often a request is sent again. Default: 10, as client-go. */
  readonly maxRetries?: number | undefined;
  /** Asked before each repetition, after its delay: a rate limit. */
  readonly beforeRetry?: ((options: AbortOptions) => Promise<void>) | undefined;
}

const MAX_RETRIES = 10;
/** After a broken connection. */
const BROKEN_DELAY_MS = 1000;
/** With 999 999 999 s, which is 31 years, a request would never be answered. */
const LONGEST_DELAY_MS = 600_000;
const TOO_MANY_REQUESTS = 429;
const SERVER_ERROR = 500;

type Attempt =
  | { readonly type: 'answered'; readonly response: TransportResponse }
  | { readonly type: 'failed'; readonly error: unknown };

/**
 * Repeats an answer of 429 or 5xx that says in whole seconds when to come back: the server has done nothing then, so this
 * holds for writes as well. Repeats a read whose connection broke, and a watch that was not answered in time. A write
 * that may have been carried out is never sent twice; neither is anything to a server that cannot be reached.
 */
export function retry({ clock, maxRetries = MAX_RETRIES, beforeRetry }: RetryOptions): TransportDecorator {
  if (!Number.isInteger(maxRetries) || maxRetries < 0) throw new RangeError(`maxRetries is no count: ${maxRetries}`);
  return (next) => {
    const waits = new CloseableWaits();
    const send: Transport['send'] = async (request) => {
      let before: unknown;
      for (let retries = 0; ; retries += 1) {
        const attempt = await attemptOf(next.send(request));
        const limit = Math.min(maxRetries, request.maxRetries ?? maxRetries);
        const delayMs = retries < limit && !waits.isClosed ? delayOf(request, attempt) : undefined;
        if (delayMs === undefined) return outcome(attempt, before);
        before = attempt.type === 'failed' ? attempt.error : before;
        if (attempt.type === 'answered') await drainBody(attempt.response);
        await waits.wait(request.signal, async (signal) => {
          await sleep(clock, delayMs, signal);
          await beforeRetry?.({ signal });
        });
      }
    };
    return wrap(next, send, () => waits.close());
  };
}

async function attemptOf(sending: Promise<TransportResponse>): Promise<Attempt> {
  try {
    return { type: 'answered', response: await sending };
  } catch (error) {
    return { type: 'failed', error };
  }
}

/** When to send it again; undefined: not at all. */
function delayOf(request: TransportRequest, attempt: Attempt): number | undefined {
  if (attempt.type === 'failed') return mayRepeat(request, attempt.error) ? BROKEN_DELAY_MS : undefined;
  const { status, headers } = attempt.response;
  if (status !== TOO_MANY_REQUESTS && status < SERVER_ERROR) return undefined;
  return retryAfterMs(headers['retry-after']);
}

function mayRepeat(request: TransportRequest, error: unknown): boolean {
  // A WebSocket is asked for by GET, but it may have started a command.
  if (request.method !== 'GET' || request.upgrade !== undefined || request.signal?.aborted === true) return false;
  return isTransportError(error, 'CLOSED') || (isWatchRequest(request) && isTransportError(error, 'HEADERS_TIMEOUT'));
}

/** Whole seconds. A date, the other form, counts as nothing: clocks differ. So does more than a caller would wait for. */
function retryAfterMs(value: string | undefined): number | undefined {
  const ms = value !== undefined && /^\d{1,9}$/u.test(value.trim()) ? Number(value) * 1000 : undefined;
  return ms === undefined || ms > LONGEST_DELAY_MS ? undefined : ms;
}

function outcome(attempt: Attempt, before: unknown): TransportResponse {
  if (attempt.type === 'answered') return attempt.response;
  const { error } = attempt;
  if (!isTransportError(error) || !isTransportError(before) || before.message === error.message) throw error;
  // The last failure alone may hide what began it: refused now, because the server crashed on the first attempt.
  throw new TransportError(error.code, `${error.message} (the attempt before: ${before.message})`, { cause: error });
}
