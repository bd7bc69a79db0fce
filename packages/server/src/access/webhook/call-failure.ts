/** Why a webhook could not be asked, in the words of Kubernetes' own client. */

import { quote } from '@listwatch/api';
import { isRecord, recordOf, textOf } from '@listwatch/api/values';
import { type EndpointAnswer, EndpointError } from '../authentication/json-endpoint.ts';

const MESSAGES: ReadonlyMap<number, string> = new Map([
  [400, 'the server rejected our request for an unknown reason'],
  [401, 'the server has asked for the client to provide credentials'],
  [404, 'the server could not find the requested resource'],
  [405, 'the server does not allow this method on the requested resource'],
  [409, 'the server reported a conflict'],
  [422, 'the server rejected our request due to an error in our request'],
  [429, 'the server has received too many requests and has asked us to try again later'],
  [503, 'the server is currently unable to handle the request'],
  [504, 'the server was unable to return a response in the time allotted, but may still be processing the request'],
]);
/** The server's own words. */
const OWN_WORDS: ReadonlySet<number> = new Set([403, 406, 415]);

/** The message of an error of `url`. */
export function failureMessage(error: unknown, url: string): string {
  if (!(error instanceof EndpointError)) return error instanceof Error ? error.message : String(error);
  if (error.answer !== undefined) return answerMessage(error.answer);
  if (error.isTimeout) {
    return `Post ${quote(url)}: context deadline exceeded (Client.Timeout exceeded while awaiting headers)`;
  }
  const { cause } = error;
  if (cause === undefined) return error.message;
  const code = codeOf(cause);
  const { host } = new URL(url);
  if (code === 'ECONNREFUSED') return `Post ${quote(url)}: dial tcp ${host}: connect: connection refused`;
  return `Post ${quote(url)}: ${cause instanceof Error ? cause.message : error.message}`;
}

/** May another attempt succeed? Kubernetes' client tries again after a reset, 429, 500, 504 and `Retry-After`. */
export function isRetried(error: unknown): boolean {
  if (!(error instanceof EndpointError)) return false;
  const { answer, cause } = error;
  if (answer === undefined) return codeOf(cause) === 'ECONNRESET';
  const { status, hasRetryAfter } = answer;
  const isServerError = status >= 500 && status !== 503;
  return hasRetryAfter || isServerError || status === 429;
}

function answerMessage({ status, text }: EndpointAnswer): string {
  const said = text.trim();
  const known = statusMessage(said);
  if (known !== '') return known;
  if (OWN_WORDS.has(status)) return said;
  const message = MESSAGES.get(status);
  if (message !== undefined) return message;
  return status >= 500
    ? `an error on the server (${quote(said)}) has prevented the request from succeeding`
    : `the server responded with the status code ${status} but did not return more information`;
}

/** The message of a `Status`; `''` when it is none. */
function statusMessage(text: string): string {
  if (!text.startsWith('{')) return '';
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) && value['kind'] === 'Status' ? textOf(value['message']) : '';
  } catch {
    return '';
  }
}

function codeOf(cause: unknown): string {
  return cause instanceof Error && 'code' in cause ? textOf(recordOf({ code: cause.code })['code']) : '';
}
