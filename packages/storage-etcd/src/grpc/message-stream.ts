/** Messages in both directions on an HTTP/2 stream, read when the reader asks. */

import { type ClientHttp2Stream, constants, type IncomingHttpHeaders } from 'node:http2';
import { type CallOutcome, headerOutcome, missingStatus, resetOutcome, trailerOutcome } from './call-status.ts';
import type { GrpcStream } from './grpc-connection.ts';
import { frameOf, MessageFrames } from './message-frames.ts';

/** What a stream needs. */
export interface MessageStreamOptions {
  readonly stream: ClientHttp2Stream;
  readonly maxMessageBytes: number;
  /** Why the connection ended, if it did. */
  readonly lostBy: () => Error | undefined;
}

/** So many messages wait for the reader before the server is held up by flow control. */
const MAX_WAITING = 64;

/** A stream that works until the server, the reader or the connection ends it. */
export class MessageStream implements GrpcStream {
  readonly #stream: ClientHttp2Stream;
  readonly #options: MessageStreamOptions;
  readonly #frames: MessageFrames;
  #messages: Buffer[] = [];
  #next = 0;
  #outcome: { readonly outcome: CallOutcome } | undefined;
  #error: Error | undefined;
  #lost: Error | undefined;
  #isOver = false;
  #wake: (() => void) | undefined;

  constructor(options: MessageStreamOptions) {
    this.#options = options;
    this.#frames = new MessageFrames(options.maxMessageBytes);
    this.#stream = options.stream;
    this.#stream.on('response', this.#onHeaders);
    this.#stream.on('data', this.#onData);
    this.#stream.on('trailers', this.#onTrailers);
    // The server has ended its side: nothing that is sent from here on would be read.
    this.#stream.on('end', () => this.#stream.end());
    this.#stream.on('error', this.#onError);
    this.#stream.on('close', this.#onClose);
  }

  get error(): Error | undefined {
    return this.#error;
  }

  send(message: Buffer): void {
    if (!this.#isOver && this.#stream.writable) this.#stream.write(frameOf(message));
  }

  take(): Buffer | undefined {
    const message = this.#messages[this.#next];
    if (message === undefined) return undefined;
    this.#next += 1;
    if (this.#next === this.#messages.length) {
      this.#messages = [];
      this.#next = 0;
      if (this.#stream.isPaused()) this.#stream.resume();
    }
    return message;
  }

  async next(): Promise<Buffer | undefined> {
    for (;;) {
      const message = this.take();
      if (message !== undefined || this.#isOver) return message;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
      this.#wake = undefined;
    }
  }

  cancel(): void {
    if (!this.#isOver) this.#stream.close(constants.NGHTTP2_CANCEL);
    this.#messages = [];
    this.#next = 0;
    this.#end(undefined);
  }

  readonly #onHeaders = (headers: IncomingHttpHeaders): void => {
    this.#outcome = headerOutcome(headers);
    if (this.#outcome?.outcome === undefined) return;
    this.#end(this.#outcome.outcome);
    this.#stream.close(constants.NGHTTP2_CANCEL);
  };

  readonly #onData = (chunk: Buffer): void => {
    if (this.#isOver) return;
    try {
      this.#frames.push(chunk, this.#messages);
    } catch (error) {
      this.#end(error instanceof Error ? error : new Error(String(error)));
      this.#stream.close(constants.NGHTTP2_CANCEL);
      return;
    }
    if (this.#messages.length - this.#next >= MAX_WAITING) this.#stream.pause();
    if (this.#messages.length > this.#next) this.#wake?.();
  };

  readonly #onTrailers = (trailers: IncomingHttpHeaders): void => {
    this.#outcome ??= { outcome: trailerOutcome(trailers) };
  };

  readonly #onError = (error: Error): void => {
    this.#lost = error;
  };

  readonly #onClose = (): void => {
    if (this.#outcome !== undefined) return this.#end(this.#outcome.outcome);
    const { rstCode, id } = this.#stream;
    const connectionError = this.#options.lostBy();
    if (connectionError === undefined && rstCode === constants.NGHTTP2_NO_ERROR) return this.#end(missingStatus());
    this.#end(
      resetOutcome(
        connectionError === undefined ? rstCode : undefined,
        connectionError ?? this.#lost,
        id !== undefined,
      ),
    );
  };

  /** Messages that have arrived can still be read. */
  #end(error: Error | undefined): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#error = error;
    this.#wake?.();
  }
}
