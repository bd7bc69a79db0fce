/** Requests from within the process: no socket, but the same pipeline as every other request. */
import { Readable } from 'node:stream';
import type { AbortOptions } from '@listwatch/api';
import type { UserInfo } from '../../contract/api-request.ts';
import type { IncomingRequest } from '../../contract/incoming-request.ts';
import { headerText } from '../header-text.ts';

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
   * Has one reader, which pulls it: a slow reader holds the server back. `return()` and the request's signal end the
   * exchange. A body that the server cuts throws a `LoopbackError` with `CLOSED`; it never just ends. A chunk is valid
   * until the next one is pulled, and others may read the same bytes: never change them.
   */
  readonly body: AsyncIterable<Uint8Array>;
}

/** Options of a request from within the process. */
export interface LoopbackOptions {
  /** The user, when the caller knows it. Default: the user that the request's headers authenticate. */
  readonly user?: UserInfo | undefined;
}

/** The request as the pipeline takes it. */
export function incomingLoopback(request: LoopbackRequest, { user }: LoopbackOptions): IncomingRequest {
  return new IncomingLoopback(request, user);
}

class IncomingLoopback implements IncomingRequest {
  readonly method: string;
  readonly target: string;
  readonly protocol = 'loopback';
  readonly user: UserInfo | undefined;
  readonly body: Readable;
  readonly #headers: LoopbackRequest['headers'];

  constructor({ method, path, headers, body }: LoopbackRequest, user: UserInfo | undefined) {
    this.method = method;
    this.target = path;
    this.user = user;
    this.body = bodyStream(body);
    this.#headers = headers;
  }

  get rawHeaders(): readonly string[] {
    return rawHeaders(this.#headers);
  }

  header(name: string): string | undefined {
    return Object.hasOwn(this.#headers, name) ? headerText(this.#headers[name]) : undefined;
  }

  peer(): string {
    return '127.0.0.1';
  }

  certificate(): undefined {
    return undefined;
  }
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
