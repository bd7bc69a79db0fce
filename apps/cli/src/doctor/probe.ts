/** Requests of the doctor: bounded in bytes, timed, and counted. */

import type { Cluster, Transport, TransportRequest } from '@listwatch/client';
import { createCluster } from '@listwatch/client';

/** How much was asked of the server. */
export interface RequestCount {
  requests: number;
}

/** Options of one request. */
export interface AskOptions {
  readonly method?: TransportRequest['method'] | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Stop reading here. 0: the status alone is of interest. Default: 4 MiB. */
  readonly maxBytes?: number | undefined;
}

/** An answer, or its beginning. */
export interface ProbeAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly bytes: Buffer;
  /** False when the answer was longer than `maxBytes`. */
  readonly isComplete: boolean;
  /** Until the headers were here, in milliseconds. */
  readonly headersMs: number;
  /** The wall clock when it was sent and when its headers came. */
  readonly sentAt: number;
  readonly receivedAt: number;
}

/** Every status is an answer; rejects with a `TransportError` or the signal's reason. */
export type Ask = (path: string, options?: AskOptions) => Promise<ProbeAnswer>;

const MAX_BYTES = 4 * 1024 * 1024;
/** One object: kube-apiserver stores 1.5 MiB, and a server that sends more without an end must not fill the memory. */
const MAX_OBJECT_BYTES = 16 * 1024 * 1024;

async function leaveOpen(): Promise<void> {}

/** A cluster whose requests are counted. Closing it leaves the connection open. */
export function countedCluster(inner: Cluster, counts: readonly RequestCount[]): Cluster {
  const { transport } = inner;
  const counted: Transport = {
    get name() {
      return transport.name;
    },
    send: (request) => {
      for (const count of counts) count.requests += 1;
      return transport.send(request);
    },
    close: leaveOpen,
    [Symbol.asyncDispose]: leaveOpen,
  };
  const { server, namespace, clock } = inner;
  return createCluster(counted, {
    server,
    namespace,
    clock,
    userAgent: 'listwatch-doctor',
    maxObjectBytes: MAX_OBJECT_BYTES,
  });
}

/** Sends requests over `transport` until `signal` is aborted. */
export function asker(transport: Transport, signal: AbortSignal): Ask {
  return async (path, { method = 'GET', headers = {}, body, maxBytes = MAX_BYTES } = {}) => {
    const sentAt = Date.now();
    const started = performance.now();
    const response = await transport.send({
      method,
      path,
      // Of its own, so that no layer unpacks the answer: its size on the wire is of interest.
      headers: {
        accept: 'application/json',
        'accept-encoding': 'identity',
        'user-agent': 'listwatch-doctor',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: Buffer.from(JSON.stringify(body)) }),
      signal,
    });
    const headersMs = performance.now() - started;
    const receivedAt = Date.now();
    const { bytes, isComplete } = await readBounded(response.body, maxBytes);
    return { status: response.status, headers: response.headers, bytes, isComplete, headersMs, sentAt, receivedAt };
  };
}

async function readBounded(
  body: AsyncIterable<Uint8Array>,
  maxBytes: number,
): Promise<Pick<ProbeAnswer, 'bytes' | 'isComplete'>> {
  if (maxBytes === 0) {
    await body[Symbol.asyncIterator]().return?.();
    return { bytes: Buffer.alloc(0), isComplete: false };
  }
  const chunks: Uint8Array[] = [];
  let length = 0;
  let isComplete = true;
  for await (const chunk of body) {
    // A chunk belongs to the reader only until the next one.
    chunks.push(chunk.slice());
    length += chunk.length;
    if (length > maxBytes) {
      isComplete = false;
      break;
    }
  }
  return { bytes: Buffer.concat(chunks), isComplete };
}

/** The JSON of an answer; undefined when it is none. */
export function answerJson({ bytes, isComplete }: Pick<ProbeAnswer, 'bytes' | 'isComplete'>): unknown {
  if (!isComplete) return undefined;
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    return undefined;
  }
}
