/** What a client is told when a request fails: a Status, in a form that it can read. */
import { internalError, isStatusError, MEDIA_TYPE, type StatusError } from '@listwatch/api';
import type { BytesResponse } from './exchange.ts';
import { indentJson } from './json-layout.ts';
import { negotiateFailure } from './negotiate.ts';
import { yamlOfJson } from './yaml-layout.ts';

/** How the client reads. */
export interface FailureForm {
  readonly accept: string | undefined;
  readonly pretty: boolean;
}

/** The failure of a request as a `StatusError`; what is none becomes a 500 that tells nothing of the inside. */
export function statusErrorOf(error: unknown): StatusError {
  return isStatusError(error) ? error : internalError('the server failed in a way that it did not foresee');
}

/** The answer for a failure. Never throws. */
export function failureResponse(error: StatusError, form: FailureForm): BytesResponse {
  const json = Buffer.from(JSON.stringify(error.status), 'utf8');
  const negotiated = negotiateFailure(form.accept, form.pretty);
  const mediaType = negotiated?.mediaType ?? MEDIA_TYPE.json;
  const retryAfter = Math.ceil((error.retryAfterMs ?? 0) / 1000);
  return {
    type: 'bytes',
    status: error.httpCode >= 400 && error.httpCode <= 599 ? error.httpCode : 500,
    headers: {
      'content-type': mediaType,
      'x-content-type-options': 'nosniff',
      ...(retryAfter > 0 ? { 'retry-after': String(retryAfter) } : {}),
    },
    body: layOut(json, negotiated),
  };
}

function layOut(json: Buffer, form: ReturnType<typeof negotiateFailure>): Buffer {
  if (form?.mediaType === MEDIA_TYPE.yaml) return yamlOfJson(json);
  // A client that takes nothing that we write gets what a person could read.
  if (form === undefined || form.pretty) return indentJson(json);
  return Buffer.concat([json, NEW_LINE]);
}

const NEW_LINE = Buffer.from('\n');
