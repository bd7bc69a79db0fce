/** Turns any HTTP answer, well-formed or not, and any ERROR event into a StatusError: the client's end of Status. */

import type { GroupResource } from '../objects/resource.ts';
import { genericFailure } from './generic-failure.ts';
import { isStatus, type Status } from './status.ts';
import { StatusError } from './status-error.ts';

/** A failed HTTP answer and what was asked. */
export interface FailedResponse {
  /** The HTTP status code. */
  readonly code: number;
  /** The body as text, whatever it is; only its beginning is shown. */
  readonly body: string;
  /** The `Content-Type` header. Absent: the body is taken for text. */
  readonly contentType?: string | null | undefined;
  /** The `Retry-After` header. Only whole seconds count; a date is ignored, as every Kubernetes client does. */
  readonly retryAfter?: string | null | undefined;
  readonly method?: string | undefined;
  readonly resource?: GroupResource | undefined;
  readonly name?: string | undefined;
}

/** How much of a foreign body is shown in a message, in characters. */
const SHOWN_MAX = 2048;

/** The error of a failed answer: the Status in its body, or else what its status code stands for. Never throws. */
export function statusErrorFromResponse(response: FailedResponse): StatusError {
  const { code, body, contentType, retryAfter, method, resource, name } = response;
  const retryAfterSeconds = parseRetryAfter(retryAfter);
  const retryAfterMs = retryAfterSeconds === undefined ? undefined : retryAfterSeconds * 1000;
  const status = parseStatus(body);
  if (status !== undefined) return new StatusError({ ...status, code: status.code ?? code }, { retryAfterMs });
  const isText = !contentType || /^\s*text\//i.test(contentType);
  const serverMessage = isText ? body.slice(0, SHOWN_MAX).trim() : 'unknown';
  return genericFailure(code, { serverMessage, method, resource, name, retryAfterSeconds, unexpected: true });
}

/** The error of the object of an ERROR event. An object that is not a Status becomes an InternalError that shows it. */
export function statusErrorFromObject(object: unknown): StatusError {
  if (isStatus(object)) return new StatusError(object);
  const shown = (JSON.stringify(object) ?? String(object)).slice(0, SHOWN_MAX);
  return genericFailure(500, { serverMessage: `unexpected object: ${shown}`, unexpected: true });
}

/** Reads a `Retry-After` header: whole seconds, or `undefined` when it is absent or has another form. */
export function parseRetryAfter(header: string | null | undefined): number | undefined {
  return header && /^[0-9]{1,9}$/.test(header) ? Number(header) : undefined;
}

function parseStatus(body: string): Status | undefined {
  if (!body.trimStart().startsWith('{')) return undefined;
  try {
    const value: unknown = JSON.parse(body);
    return isStatus(value) && value.status !== 'Success' ? value : undefined;
  } catch {
    return undefined;
  }
}
