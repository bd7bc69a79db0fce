/** What a client is told when a request fails: a Status, in a form that it can read. */
import { internalError, isStatusError, MEDIA_TYPE, type StatusError } from '@listwatch/api';
import type { AnswerForm } from '../contract/answer-form.ts';
import type { BytesResponse } from '../contract/api-response.ts';
import { indentJson } from './json-layout.ts';
import { yamlOfJson } from './yaml-layout.ts';

/** How a failure is laid out. */
export type FailureForm = Pick<AnswerForm, 'mediaType' | 'pretty'>;

const PLAIN: FailureForm = { mediaType: MEDIA_TYPE.json, pretty: false };

/** The failure of a request as a `StatusError`; what is none becomes a 500 that tells nothing of the inside. */
export function statusErrorOf(error: unknown): StatusError {
  return isStatusError(error) ? error : internalError('the server failed in a way that it did not foresee');
}

/** The answer for a failure, by default as JSON on one line. Never throws. */
export function failureResponse(error: StatusError, form: FailureForm = PLAIN): BytesResponse {
  const json = Buffer.from(JSON.stringify(error.status), 'utf8');
  const retryAfter = Math.ceil((error.retryAfterMs ?? 0) / 1000);
  return {
    type: 'bytes',
    status: error.httpCode >= 400 && error.httpCode <= 599 ? error.httpCode : 500,
    headers: {
      'content-type': form.mediaType,
      'x-content-type-options': 'nosniff',
      ...(retryAfter > 0 ? { 'retry-after': String(retryAfter) } : {}),
    },
    body: layOut(json, form),
  };
}

function layOut(json: Buffer, form: FailureForm): Buffer {
  if (form.mediaType === MEDIA_TYPE.yaml) return yamlOfJson(json);
  if (form.pretty) return indentJson(json);
  return Buffer.concat([json, NEW_LINE]);
}

const NEW_LINE = Buffer.from('\n');
