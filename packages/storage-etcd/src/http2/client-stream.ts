/** One stream of a client: one call. */

import type { HeaderFields } from './hpack-decoder.ts';

/** How a stream ended before the server ended it. */
export interface StreamFailure {
  /** The code of a reset; undefined when the connection was lost. */
  readonly code: number | undefined;
  readonly error: Error | undefined;
  /** The server has not seen the stream and never will. */
  readonly unsent: boolean;
}

/** Hears what happens on a stream. Nothing more comes after `onEnd` and `onFailure`. */
export interface StreamListener {
  /** The headers of the answer, and its trailers. */
  onHeaders(fields: HeaderFields): void;
  /** Give the bytes back with `consume` when they are read. */
  onData(bytes: Buffer): void;
  /** The server has ended the stream. */
  onEnd(): void;
  onFailure(failure: StreamFailure): void;
}

/** The state of a stream in its session. */
export class ClientStream {
  readonly listener: StreamListener;
  readonly block: Buffer;
  /** 0: it waits for its turn. */
  id = 0;
  /** How much may be sent and received. */
  sendWindow = 0;
  receiveWindow = 0;
  /** Bytes that were read and not reported to the server yet. */
  consumed = 0;
  /** What waits for the window of the server. */
  pending: Buffer[] = [];
  /** Everything has been handed over, and everything has been sent. */
  isEnding = false;
  isEnded = false;
  /** The headers of the answer have come. */
  hasHeaders = false;

  constructor(listener: StreamListener, block: Buffer) {
    this.listener = listener;
    this.block = block;
  }
}
