/** Reads a document of a backend whole, within a time and a size: discovery and OpenAPI. */

import type { IncomingMessage } from 'node:http';
import { GatheredBytes } from '@listwatch/api/internal';
import type { Clock } from '@listwatch/storage';
import type { BackendAddress } from './backend-address.ts';
import { BackendError, backendReason } from './backend-error.ts';
import type { BackendPool } from './backend-pool.ts';
import { userHeaders } from './proxied-headers.ts';

const TIMEOUT_MS = 5000;
const DISCARDED_BYTES = 256 * 1024;

/** Which document, and how much of it. */
export interface DocumentRequest {
  readonly path: string;
  /** This server speaks for itself, and not for a user. */
  readonly user: 'system:aggregator' | 'system:kube-aggregator';
  readonly accept?: string | undefined;
  /** The tag of the document that is known already. */
  readonly etag?: string | undefined;
  /** A larger one is an error. 0: the body is not read. */
  readonly maxBytes: number;
}

export interface BackendDocument {
  readonly status: number;
  readonly contentType: string;
  readonly etag: string | undefined;
  readonly body: Buffer;
}

/** Rejects with a `BackendError`: the backend cannot be reached, is too slow, or its document too large. */
export async function readDocument(
  pool: BackendPool,
  address: BackendAddress,
  clock: Clock,
  request: DocumentRequest,
): Promise<BackendDocument> {
  const { path, user, accept, etag, maxBytes } = request;
  const attempt = new AbortController();
  const cancel = clock.after(TIMEOUT_MS, () => attempt.abort(new DOMException('timed out', 'TimeoutError')));
  try {
    const { message } = await pool.send(address, {
      method: 'GET',
      path,
      headers: [
        'User-Agent',
        'Go-http-client/1.1',
        'Accept-Encoding',
        'identity',
        ...(accept === undefined ? [] : ['Accept', accept]),
        ...(etag === undefined ? [] : ['If-None-Match', etag]),
        ...userHeaders({ name: user, groups: ['system:masters'] }),
      ],
      signal: attempt.signal,
    });
    if (maxBytes === 0) {
      discard(message, clock);
      return { status: message.statusCode ?? 0, contentType: '', etag: undefined, body: Buffer.alloc(0) };
    }
    const body = await bodyOf(message, maxBytes);
    return {
      status: message.statusCode ?? 0,
      contentType: message.headers['content-type'] ?? '',
      etag: message.headers.etag,
      body,
    };
  } catch (error) {
    if (error instanceof BackendError) throw error;
    const place = { ...address, serverName: pool.serverName };
    const reason = attempt.signal.aborted ? 'context deadline exceeded' : backendReason(error, place);
    throw new BackendError('unreachable', reason, { cause: error });
  } finally {
    cancel();
  }
}

async function bodyOf(message: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const bytes = new GatheredBytes();
  for await (const chunk of message) {
    bytes.add(chunk);
    if (bytes.length > maxBytes) throw new BackendError('unreachable', `the document has more than ${maxBytes} bytes`);
  }
  return Buffer.concat(bytes.chunks());
}

/** A small document is read to its end, so that the connection can be used again. One without an end is cut. */
function discard(message: IncomingMessage, clock: Clock): void {
  let size = 0;
  const cancel = clock.after(TIMEOUT_MS, () => message.destroy());
  message.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size > DISCARDED_BYTES) message.destroy();
  });
  message.on('error', () => undefined).on('close', cancel);
}
