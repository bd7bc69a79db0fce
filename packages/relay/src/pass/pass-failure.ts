/** What a client is told when its request could not be passed. */

import { badRequest, failure, type StatusError } from '@listwatch/api';

/** Codes of connections that did not come about. */
const AWAY: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOENT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ETIMEDOUT',
]);
/** Codes of requests that were not sent at all. */
const UNSENT: ReadonlySet<string> = new Set(['ECONNREFUSED', 'ENOENT', 'ENOTFOUND', 'EAI_AGAIN']);
const RETRY_SECONDS = 1;
const CUT: ReadonlySet<string> = new Set(['ECONNRESET', 'EPIPE']);

/**
 * The answer in place of that of the upstream. It says nothing of where the upstream is. A watch is told to come again: clients of
 * Go do so, and resume, where another failure makes them list.
 */
export function passFailure(error: unknown, isWatch = false): StatusError {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const cause = error instanceof Error ? error.cause : undefined;
  if (cause instanceof TypeError && 'code' in cause && cause.code === 'ERR_INVALID_CHAR') {
    return badRequest('a header of the request cannot be sent on');
  }
  if (AWAY.has(code)) {
    const retrySeconds = isWatch && UNSENT.has(code) ? RETRY_SECONDS : 0;
    return gatewayTimeout('the upstream API server cannot be reached', code, retrySeconds);
  }
  if (error instanceof DOMException && error.name === 'TimeoutError') {
    return gatewayTimeout('the upstream API server did not answer in time', '');
  }
  if (CUT.has(code)) return badGateway('the upstream API server broke the connection off before it answered', '');
  return badGateway('the upstream API server cannot be asked', code === '' ? messageOf(error) : code);
}

/** An upgrade that nobody asked for, or to another protocol. */
export function strangeUpgrade(): StatusError {
  return badGateway('the upstream API server changed the protocol unasked', '');
}

function gatewayTimeout(message: string, why: string, retryAfterSeconds = 0): StatusError {
  const text = why === '' ? message : `${message}: ${why}`;
  const details = retryAfterSeconds === 0 ? {} : { details: { retryAfterSeconds } };
  return failure({ code: 504, reason: 'Timeout', message: text, ...details });
}

function badGateway(message: string, why: string): StatusError {
  return failure({ code: 502, reason: '', message: why === '' ? message : `${message}: ${why}` });
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
