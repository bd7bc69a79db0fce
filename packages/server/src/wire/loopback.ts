/** A request from within the process: no socket, and still the whole way of every other request. */
import { Readable } from 'node:stream';
import type { AbortOptions } from '@listwatch/api';
import type { UserInfo } from '../contract/api-request.ts';
import { type Arrival } from '../contract/arrival.ts';
import { headerText } from './header-text.ts';

/** One request; the shape is that of a client's transport, so that neither side has to know the other. */
export interface LoopbackRequest extends AbortOptions {
  readonly method: string;
  /** The path and the query: `/api/v1/pods?watch=true`. */
  readonly path: string;
  /** Names in lower case. Several values are read as if they had come in several lines. */
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: Uint8Array | undefined;
}

/** The answer, as soon as its head is known. */
export interface LoopbackResponse {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /**
   * For one reader, and pulled by it: who does not read holds the server back. `return()` ends the exchange, and so does
   * the request's signal. A body that the server cuts throws a `LoopbackError` with `CLOSED`; it never just ends. A chunk
   * belongs to the reader until it asks for the next one, and others may be reading the same bytes: never change them.
   */
  readonly body: AsyncIterable<Uint8Array>;
}

/** How a request from within is taken. */
export interface LoopbackOptions {
  /** Who asks, when the caller already knows. Default: whom the request's own headers show. */
  readonly user?: UserInfo | undefined;
}

/** The request as the pipeline takes it. */
export function loopbackArrival(request: LoopbackRequest, { user }: LoopbackOptions): Arrival {
  const { method, path, headers, body } = request;
  return {
    method,
    target: path,
    protocol: 'loopback',
    user,
    header: (name) => (Object.hasOwn(headers, name) ? headerText(headers[name]) : undefined),
    get rawHeaders() {
      return rawHeaders(headers);
    },
    body: bodyStream(body),
    certificate: () => undefined,
  };
}

function rawHeaders(headers: LoopbackRequest['headers']): readonly string[] {
  return Object.entries(headers).flatMap(([name, value]) => {
    const values = typeof value === 'string' ? [value] : value;
    return values.flatMap((one) => [name, one]);
  });
}

function bodyStream(body: Uint8Array | undefined): Readable {
  return new Readable({
    read() {
      if (body !== undefined && body.length > 0) this.push(body);
      this.push(null);
    },
  });
}
