/** An answer of the verbs, whatever protocol carries it. */

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
}

/** A watch. `start` is called once the headers have been flushed. */
export interface WatchResponse {
  readonly type: 'watch';
  readonly contentType: string;
  readonly start: (sink: WatchSink) => void;
}

/** An answer of the API. Failures are thrown as `StatusError` and written by the HTTP layer. */
export type ApiResponse = BytesResponse | StreamResponse | WatchResponse;
