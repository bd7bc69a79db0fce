/** An answer of the verbs, whatever protocol carries it. */

import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import type { WatchSink } from './watch-sink.ts';

/** Header names in lower case. */
export type ResponseHeaders = Readonly<Record<string, string>>;

/** A whole answer. */
export interface BytesResponse {
  readonly type: 'bytes';
  readonly status: number;
  readonly headers: ResponseHeaders;
  readonly body: Buffer;
}

/**
 * An answer that is produced while it is sent, for long lists. The socket pulls the chunks, so a slow reader holds a snapshot
 * and not a copy. The memory of a chunk may be reused once the next one is pulled. An iterator that throws cuts the
 * connection, because the status line is already out. Chunks near 64 KiB are the cheapest to send.
 */
export interface StreamResponse {
  readonly type: 'stream';
  readonly status: number;
  readonly headers: ResponseHeaders;
  readonly chunks: Iterable<Buffer> | AsyncIterable<Buffer>;
  /** The values of `Set-Cookie` of an answer that is live: they cannot be joined to one header. Default: none. */
  readonly cookies?: readonly string[] | undefined;
  /**
   * Sends chunks at once, uncompressed, without a time limit: a followed log. A slow reader is not cut. Default: no.
   */
  readonly isLive?: boolean | undefined;
}

/** A connection that changes its protocol: the server copies the bytes in both directions. */
export interface TunnelResponse {
  readonly type: 'tunnel';
  /** The headers of the 101: names and values in turn. */
  readonly headers: readonly string[];
  readonly socket: Duplex;
  /** The bytes that the other side has already sent. */
  readonly first: Buffer;
  /** Absent: both sides speak the same protocol. */
  readonly translation?: TunnelTranslation | undefined;
}

/** A client with a WebSocket, and another side without one. */
export interface TunnelTranslation {
  /** The subprotocol that the client is told. */
  readonly protocol: string;
  /** Joins the client, whose WebSocket is open, with the socket of the tunnel. */
  readonly join: (client: WebSocket) => void;
}

/** A watch. `start` is called once the headers have been flushed. */
export interface WatchResponse {
  readonly type: 'watch';
  readonly contentType: string;
  /** Beside the type. Default: none. */
  readonly headers?: ResponseHeaders | undefined;
  /** Does it begin with objects? Then the sink is told when they are out. Default: no. */
  readonly hasInitial?: boolean | undefined;
  readonly start: (sink: WatchSink) => void;
}

/** An answer of the API. Failures are thrown as `StatusError` and written by the HTTP layer. */
export type ApiResponse = BytesResponse | StreamResponse | TunnelResponse | WatchResponse;
