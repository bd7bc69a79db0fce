/** Requests to the server itself, past every fault: what a test does to the world, not what it tests. */

import { MEDIA_TYPE, statusErrorFromResponse } from '@listwatch/api';
import type { LoopbackRequest, LoopbackResponse } from '@listwatch/server';

/** Answers one request. */
export type Send = (request: LoopbackRequest) => Promise<LoopbackResponse>;

/** One request whose answer is JSON. Throws the `StatusError` of a refusal. */
export async function requestJson(send: Send, method: string, path: string, object?: object): Promise<unknown> {
  const content = { 'content-type': MEDIA_TYPE.json };
  const payload = object === undefined ? {} : { body: Buffer.from(JSON.stringify(object)) };
  const headers = { accept: MEDIA_TYPE.json, ...(object === undefined ? {} : content) };
  const { status, headers: answered, body } = await send({ method, path, headers, ...payload });
  const chunks: Uint8Array[] = [];
  // A copy: the memory is the server's again when the next chunk is asked for.
  for await (const chunk of body) chunks.push(new Uint8Array(chunk));
  const text = Buffer.concat(chunks).toString();
  if (status < 400) return JSON.parse(text);
  const [contentType, retryAfter] = [answered['content-type'], answered['retry-after']];
  throw statusErrorFromResponse({ code: status, body: text, contentType, retryAfter, method });
}
