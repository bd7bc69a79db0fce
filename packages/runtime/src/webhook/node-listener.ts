/** Webhooks as a listener of Node's own servers, and of Express. */

import type { IncomingMessage, ServerResponse } from 'node:http';
import { GatheredBytes } from '@listwatch/api/internal';
import { onResponseEnd } from '../manager/response-end.ts';
import { readTlsAsStream } from './read-tls-as-stream.ts';
import { type CallAnswer, isCallAnswer, type OpenCall, type WebhookCalls } from './webhook-calls.ts';

/** Never rejects. `isEnding`: connections are closed behind their answers. */
export async function answerNode(
  calls: WebhookCalls,
  request: IncomingMessage,
  response: ServerResponse,
  isEnding: boolean,
): Promise<void> {
  readTlsAsStream(request.socket);
  const { method = 'GET', url = '/', headers } = request;
  const length = headers['content-length'];
  const opened = calls.open({
    method,
    url,
    contentType: headers['content-type'],
    contentLength: length === undefined ? undefined : Number(length),
  });
  const answer = isCallAnswer(opened) ? opened : await answerOpen(opened, request, response);
  if (answer === undefined || response.destroyed) return;
  // What is left of a body that nobody wants is not read.
  const closes = isEnding || !request.complete;
  response.writeHead(answer.status, {
    ...answer.headers,
    'content-length': String(Buffer.byteLength(answer.body)),
    'x-content-type-options': 'nosniff',
    ...(closes && { connection: 'close' }),
  });
  response.end(answer.body);
}

/** Undefined: nobody waits for an answer any more. */
async function answerOpen(
  call: OpenCall,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<CallAnswer | undefined> {
  const gone = new AbortController();
  onResponseEnd(request, response, () => gone.abort(new Error('the API server has closed the connection')));
  const bytes = new GatheredBytes();
  try {
    for await (const part of request) {
      const chunk: Buffer = part;
      const refusal = call.grow(chunk.length);
      if (refusal !== undefined) return refusal;
      bytes.add(chunk);
    }
  } catch {
    call.abandon();
    return undefined;
  }
  return call.answer(bytes.whole(), gone.signal);
}
