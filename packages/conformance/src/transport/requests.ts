/** The requests of the suite, and reading their answers. */

import type { Transport, TransportRequest, TransportResponse } from '@listwatch/client';

/** A path that is a watch to every transport. */
export const STREAM = '/stream?watch=true';
/** A path that is none. */
export const PLAIN = '/plain';

/** A GET of `path`. */
export function get(path: string, more: Partial<TransportRequest> = {}): TransportRequest {
  return { method: 'GET', path, headers: { accept: 'application/json' }, ...more };
}

/** Starts reading. The suite reads by hand, so that it decides when. */
export function reader({ body }: TransportResponse): AsyncIterator<Uint8Array> {
  return body[Symbol.asyncIterator]();
}

/** The rest, as text. */
export async function rest(response: TransportResponse): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of response.body) text += decoder.decode(chunk, { stream: true });
  return text;
}

/** What a promise is rejected with. A promise that is not rejected fails the test. */
export async function rejection(promise: PromiseLike<unknown>): Promise<unknown> {
  let value: unknown;
  try {
    value = await promise;
  } catch (error) {
    return error;
  }
  throw new Error(`nothing went wrong: ${JSON.stringify(value)}`);
}

/** Sends without waiting; a rejection before anybody looks is not an accident. */
export function sending(transport: Transport, request: TransportRequest): Promise<TransportResponse> {
  const response = transport.send(request);
  response.catch(() => {});
  return response;
}
