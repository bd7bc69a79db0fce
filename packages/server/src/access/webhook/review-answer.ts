/** What a webhook answers. */

import { isRecord, jsonType } from '@listwatch/api/values';
import { EndpointError } from '../authentication/json-endpoint.ts';

/** The status of its review. */
export interface ReviewStatus {
  readonly allowed: boolean;
  readonly denied: boolean;
  readonly reason: string;
}

const KIND = 'SubjectAccessReview';
const GROUP = 'authorization.k8s.io/';

/** Reads it strictly: a text is no permission, even when it says `true`. Throws an `EndpointError`. */
export function reviewStatus(answer: unknown): ReviewStatus {
  if (!isRecord(answer)) throw wrong(`must be an object, not ${jsonType(answer)}`);
  const { kind = '', apiVersion = '', status = {} } = answer;
  if (kind !== '' && kind !== KIND) throw wrong(`must be a ${KIND}, not a ${JSON.stringify(kind)}`);
  if (apiVersion !== '' && !(typeof apiVersion === 'string' && apiVersion.startsWith(GROUP))) {
    throw wrong(`must be of ${GROUP}v1 or v1beta1, not of ${JSON.stringify(apiVersion)}`);
  }
  if (status === null) return { allowed: false, denied: false, reason: '' };
  if (!isRecord(status)) throw wrong(`status must be an object, not ${jsonType(status)}`);
  return {
    allowed: flag(status['allowed'], 'status.allowed'),
    denied: flag(status['denied'], 'status.denied'),
    reason: text(status['reason'], 'status.reason'),
  };
}

function flag(value: unknown, field: string): boolean {
  if (value === undefined || value === null) return false;
  if (typeof value === 'boolean') return value;
  throw wrong(`${field} must be true or false, not ${jsonType(value)}`);
}

function text(value: unknown, field: string): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'string') return value;
  throw wrong(`${field} must be a text, not ${jsonType(value)}`);
}

function wrong(problem: string): EndpointError {
  return new EndpointError(`the answer of the webhook cannot be used: ${problem}`, false);
}
