/** An answer as the verbs give it, whatever protocol carries it. */

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
 * An answer that is made while it is sent: long lists. Chunks are taken as the socket takes them, so a slow reader holds
 * a snapshot and not a copy. The memory of a chunk may be used again once the next one is asked for. An iterator that
 * throws cuts the connection: the status line has gone already. Chunks near 64 KiB are sent at the least cost.
 */
export interface StreamResponse {
  readonly type: 'stream';
  readonly status: number;
  readonly headers: ResponseHeaders;
  readonly chunks: Iterable<Buffer> | AsyncIterable<Buffer>;
}

/** A watch. `start` is called once the headers have been flushed. */
export interface WatchResponse {
  readonly type: 'watch';
  readonly contentType: string;
  readonly start: (sink: WatchSink) => void;
}

/** An answer of the API. Failures are thrown as `StatusError` and written by the HTTP layer. */
export type ApiResponse = BytesResponse | StreamResponse | WatchResponse;
