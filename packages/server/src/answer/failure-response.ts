/** What a client is told when a request fails: a Status, in a form that it can read. */
import { internalError, isStatusError, MEDIA_TYPE, type StatusError } from '@listwatch/api';
import type { AnswerForm } from '../contract/answer-form.ts';
import type { BytesResponse } from '../contract/api-response.ts';
import { indentJson } from './json-layout.ts';
import { sealedStatus } from './sealed-message.ts';
import { yamlOfJson } from './yaml-layout.ts';

/** How a failure is laid out. */
export type FailureForm = Pick<AnswerForm, 'mediaType' | 'pretty'>;

const PLAIN: FailureForm = { mediaType: MEDIA_TYPE.json, pretty: false };

/** A Status has up to a hundred causes of a few KiB. A larger one comes from a handler that shows its input. */
const MAX_STATUS_BYTES = 1024 * 1024;

/** The failure of a request as a `StatusError`. Any other error becomes a 500 that hides its cause. Never throws. */
export function statusErrorOf(error: unknown): StatusError {
  try {
    return isStatusError(error) ? error : unforeseen();
  } catch {
    // Anything can be thrown, also an object whose members throw.
    return unforeseen();
  }
}

function unforeseen(): StatusError {
  return internalError('the server failed in a way that it did not foresee');
}

/** The answer for a failure, by default as JSON on one line. Never throws: the answer may be all that is left to send. */
export function failureResponse(error: StatusError, form: FailureForm = PLAIN): BytesResponse {
  try {
    return statusResponse(error, form);
  } catch {
    return statusResponse(unforeseen(), form);
  }
}

function statusResponse(error: StatusError, form: FailureForm): BytesResponse {
  const body = failureBody(error, form);
  const retryAfter = Math.ceil((error.retryAfterMs ?? 0) / 1000);
  return {
    type: 'bytes',
    status: error.httpCode >= 400 && error.httpCode <= 599 ? error.httpCode : 500,
    headers: {
      'content-type': body.mediaType,
      'x-content-type-options': 'nosniff',
      ...(retryAfter > 0 ? { 'retry-after': String(retryAfter) } : {}),
    },
    body: body.bytes,
  };
}

function failureBody(error: StatusError, form: FailureForm): { readonly mediaType: string; readonly bytes: Buffer } {
  const json = statusJson(error);
  if (form.mediaType !== MEDIA_TYPE.protobuf) return { mediaType: form.mediaType, bytes: layOut(json, form) };
  const message = sealedStatus(JSON.parse(json.toString()));
  if (message === undefined) return { mediaType: MEDIA_TYPE.json, bytes: layOut(json, PLAIN) };
  return { mediaType: MEDIA_TYPE.protobuf, bytes: message };
}

/** Throws when the Status has cycles, bigints or other members that JSON cannot hold. */
function statusJson({ status }: StatusError): Buffer {
  const json = Buffer.from(JSON.stringify(status), 'utf8');
  if (json.length <= MAX_STATUS_BYTES) return json;
  const { details: _details, message = '', ...rest } = status;
  return Buffer.from(JSON.stringify({ ...rest, message: `${message.slice(0, SHOWN_CHARACTERS)}...` }), 'utf8');
}

/** How much of its message a Status keeps that is too large. */
const SHOWN_CHARACTERS = 4096;

function layOut(json: Buffer, form: FailureForm): Buffer {
  if (form.mediaType === MEDIA_TYPE.yaml) return yamlOfJson(json);
  if (form.pretty) return indentJson(json);
  return Buffer.concat([json, NEW_LINE]);
}

const NEW_LINE = Buffer.from('\n');
