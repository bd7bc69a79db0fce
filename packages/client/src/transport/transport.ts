/** The narrow contract between this package and whatever carries its bytes. Features are decorators over it. */

import type { AbortOptions } from '@listwatch/api';
import type { MessageSocket, UpgradeOffer } from './message-socket.ts';

/** One request. Its body is bytes, so that it can be sent again. */
export interface TransportRequest extends AbortOptions {
  readonly method: 'DELETE' | 'GET' | 'PATCH' | 'POST' | 'PUT';
  /** The path and the query as they go on the wire: `/api/v1/pods?watch=true`. */
  readonly path: string;
  /** Names in lower case. Several values go out as several lines: `impersonate-group` may not be joined by commas. */
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: Uint8Array | undefined;
  /** How long the server may take until its headers are here. Absent: the transport's own limit. */
  readonly headersTimeoutMs?: number | undefined;
  /** How often a layer may send it again. Absent: its own limit. 0: a 429 is an answer that the caller wants to see. */
  readonly maxRetries?: number | undefined;
  /** How long the body may be silent. Absent: for ever, as a watch may be; its liveness is watched above this. */
  readonly idleTimeoutMs?: number | undefined;
  /**
   * Ask for a WebSocket. The method is GET, but what it opens may run a command: it is never sent twice. A transport that has
   * none sends it as a plain request, and the server refuses that.
   */
  readonly upgrade?: UpgradeOffer | undefined;
}

/** An answer whose headers have arrived; every status is an answer, also 500. */
export interface TransportResponse {
  readonly status: number;
  /** Names in lower case; several values of one name are joined by `, `. */
  readonly headers: Readonly<Record<string, string>>;
  /**
   * The body as it arrives, for one reader. It is pulled: who does not read holds the sender back. `return()` closes the
   * exchange, and so does the request's signal. A body that is cut before its end throws `CLOSED`; it never just ends.
   * A chunk belongs to the reader until it asks for the next one.
   */
  readonly body: AsyncIterable<Uint8Array>;
  /** The connection, when the status is 101; the body is empty then. Whoever gets it must close it. */
  readonly socket?: MessageSocket | undefined;
}

/**
 * Carries requests to one server. Rejects with a `TransportError`, with the signal's own reason, or with the `ConfigError` of
 * a certificate or a login that is needed and not to be had.
 */
export interface Transport extends AsyncDisposable {
  /** What carries the bytes, for messages and metrics: `http/1.1`, `http/2`, `fetch`, `websocket`, `loopback`. */
  readonly name: string;
  send(request: TransportRequest): Promise<TransportResponse>;
  /** Ends every exchange and gives back the sockets. Safe to call twice. */
  close(): Promise<void>;
}

/** A feature: retry, auth, logging. `compose` in one visible place puts them in order. */
export type TransportDecorator = (next: Transport) => Transport;
