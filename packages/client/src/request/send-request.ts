/** Sends one request and waits for the headers of its answer. A refusal becomes a `StatusError`. */

import { HEADER, MEDIA_TYPE, type StatusError, statusErrorFromResponse } from '@listwatch/api';
import { ByteBuffer } from '../json/byte-buffer.ts';
import type { Transport, TransportRequest, TransportResponse } from '../transport/transport.ts';
import { isTransportError, TransportError } from '../transport/transport-error.ts';
import type { RequestSubject } from './named-failure.ts';
import { readUpTo } from './read-body.ts';

/** How much of an error response is read. A large Status has some hundred KiB; a proxy's page may never end. */
const MAX_REFUSAL_BYTES = 1024 * 1024;

/** How much of an unexpected answer goes into the message. */
const SHOWN_BYTES = 200;

/** What a refusal without a Status of its own is about. */
type RefusedSubject = Partial<Pick<RequestSubject, 'name' | 'resource'>>;

/**
 * Sends a request. Resolves when the server has begun to answer with the media type that is expected; the body must then be read
 * or closed. Rejects with the server's `StatusError`, with `PROTOCOL` for an answer that the API does not give, and as the
 * transport does.
 */
export async function exchange(
  transport: Transport,
  request: TransportRequest,
  subject: RefusedSubject,
  mediaType: string = MEDIA_TYPE.json,
): Promise<TransportResponse> {
  request.signal?.throwIfAborted();
  const response = await transport.send(request);
  const { status } = response;
  if (status >= 400) throw await refusedAnswer(response, request, subject);
  if (status >= 300 && status < 400) throw await redirected(response, request);
  const contentType = response.headers[HEADER.contentType.toLowerCase()];
  if (status < 200 || status > 206 || !hasMediaType(contentType, mediaType)) {
    const shown = new TextDecoder().decode(await readUpTo(response.body, SHOWN_BYTES));
    const answer = `${status} with ${contentType ?? 'no content type'}: ${JSON.stringify(shown)}`;
    throw new TransportError('PROTOCOL', `${request.method} ${request.path} was answered ${answer}`);
  }
  return response;
}

/** Never followed: credentials would go to another server, and a write would come back as a read. */
async function redirected({ status, headers, body }: TransportResponse, request: TransportRequest): Promise<Error> {
  await readUpTo(body, SHOWN_BYTES);
  const target =
    headers['location'] === undefined ? 'nowhere' : JSON.stringify(headers['location'].slice(0, SHOWN_BYTES));
  const advice = 'redirects are not followed; connect to the address of the server itself';
  return new TransportError(
    'PROTOCOL',
    `${request.method} ${request.path} was redirected with ${status} to ${target}: ${advice}`,
  );
}

/** The error that a refusal stands for; reads its body. */
export async function refusedAnswer(
  response: TransportResponse,
  { method, signal }: TransportRequest,
  { resource, name }: RefusedSubject,
): Promise<StatusError> {
  const { status: code, headers } = response;
  const bytes = await refusalBody(response.body, signal);
  return statusErrorFromResponse({
    code,
    body: new TextDecoder().decode(bytes),
    contentType: headers[HEADER.contentType.toLowerCase()],
    retryAfter: headers[HEADER.retryAfter.toLowerCase()],
    method,
    resource,
    name,
  });
}

/** Reads what it can: the status code counts, even when the connection breaks before the body is complete. */
async function refusalBody(body: AsyncIterable<Uint8Array>, signal: AbortSignal | undefined): Promise<Uint8Array> {
  const buffer = new ByteBuffer();
  try {
    await readUpTo(body, MAX_REFUSAL_BYTES, buffer);
  } catch (error) {
    signal?.throwIfAborted();
    if (!isTransportError(error)) throw error;
  }
  return buffer.bytes;
}

/** An answer without a content type is taken for what is expected; decoding will show. */
function hasMediaType(contentType: string | undefined, expected: string): boolean {
  if (contentType === undefined || contentType === '') return true;
  const [mediaType = ''] = contentType.split(';');
  return mediaType.trim().toLowerCase() === expected;
}
