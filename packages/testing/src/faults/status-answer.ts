/** Answers that a fault gives in place of the server. */

import { MEDIA_TYPE, type StatusError } from '@listwatch/api';
import type { TransportResponse } from '@listwatch/client';

/** The refusal of a request, as a server sends it. */
export function statusAnswer(error: StatusError): TransportResponse {
  const retryAfter = Math.ceil((error.retryAfterMs ?? 0) / 1000);
  return {
    status: error.httpCode,
    headers: { 'content-type': MEDIA_TYPE.json, ...(retryAfter > 0 ? { 'retry-after': String(retryAfter) } : {}) },
    body: oneChunk(json(error.status)),
  };
}

/** A watch that is accepted, and then says in its only event why it fails. */
export function errorWatch(error: StatusError): TransportResponse {
  return { status: 200, headers: { 'content-type': MEDIA_TYPE.json }, body: oneChunk(errorFrame(error)) };
}

/** The ERROR event with which a watch ends. */
export function errorFrame(error: StatusError): Uint8Array {
  return json({ type: 'ERROR', object: error.status });
}

function json(value: unknown): Uint8Array {
  return new TextEncoder().encode(`${JSON.stringify(value)}\n`);
}

async function* oneChunk(chunk: Uint8Array): AsyncGenerator<Uint8Array, undefined> {
  yield chunk;
}
