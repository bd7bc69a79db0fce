/** Why a probe failed, in one sentence. */

import { findStatusError, type Status } from '@listwatch/api';
import { isTransportError } from '@listwatch/client';
import { TimeIsUp } from './limited-time.ts';

/** Messages of servers may be pages of HTML. */
const LONGEST = 300;

/** The sentence, without its subject: `403 Forbidden: ...`, `no answer within 30 s`. */
export function explainProbe(error: unknown): string {
  if (error instanceof TimeIsUp) return error.message;
  const status = findStatusError(error);
  if (status !== undefined) return short(`${status.httpCode} ${status.reason}: ${status.message}`);
  if (isTransportError(error)) return short(error.message);
  return short(error instanceof Error ? error.message : String(error));
}

/** The same for the Status of an ERROR event. */
export function explainStatus({ code = 0, reason = '', message = '' }: Partial<Status>): string {
  return short(`${code} ${reason}: ${message}`);
}

function short(text: string): string {
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}...` : text;
}
