/** Messages in both directions on an HTTP/2 stream, read when the reader asks. */

import type { ClientSession } from '../http2/client-session.ts';
import type { ClientStream, StreamFailure, StreamListener } from '../http2/client-stream.ts';
import type { HeaderFields } from '../http2/hpack-decoder.ts';
import { type CallOutcome, failureOutcome, headerOutcome, missingStatus, trailerOutcome } from './call-status.ts';
import type { GrpcStream } from './grpc-connection.ts';
import { frameOf, MessageFrames } from './message-frames.ts';

/** What a stream needs. */
export interface MessageStreamOptions {
  readonly session: ClientSession;
  /** The headers of the call. */
  readonly block: Buffer;
  readonly maxMessageBytes: number;
  /** The stream is over. */
  readonly onOver: () => void;
}

/** A stream that works until the server, the reader or the connection ends it. */
export class MessageStream implements GrpcStream, StreamListener {
  readonly #stream: ClientStream;
  readonly #options: MessageStreamOptions;
  readonly #frames: MessageFrames;
  #messages: Buffer[] = [];
  #next = 0;
  /** Bytes of messages that were not read: the server gets no window for them. */
  #unread = 0;
  #hasHeaders = false;
  #outcome: { readonly outcome: CallOutcome } | undefined;
  #error: Error | undefined;
  #isOver = false;
  #wake: (() => void) | undefined;

  constructor(options: MessageStreamOptions) {
    this.#options = options;
    this.#frames = new MessageFrames(options.maxMessageBytes);
    this.#stream = options.session.open(this, options.block, undefined, false);
  }

  get error(): Error | undefined {
    return this.#error;
  }

  send(message: Buffer): void {
    if (!this.#isOver) this.#options.session.write(this.#stream, frameOf(message));
  }

  take(): Buffer | undefined {
    const message = this.#messages[this.#next];
    if (message === undefined) return undefined;
    this.#next += 1;
    if (this.#next < this.#messages.length) return message;
    this.#messages = [];
    this.#next = 0;
    if (!this.#isOver) this.#options.session.consume(this.#stream, this.#unread);
    this.#unread = 0;
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
    if (!this.#isOver) this.#options.session.cancel(this.#stream);
    this.#messages = [];
    this.#next = 0;
    this.#end(undefined);
  }

  onHeaders(fields: HeaderFields): void {
    this.#outcome ??= this.#hasHeaders ? { outcome: trailerOutcome(fields) } : headerOutcome(fields);
    this.#hasHeaders = true;
  }

  onData(bytes: Buffer): void {
    // The body of an error page is of no use.
    if (this.#outcome !== undefined) return;
    const before = this.#messages.length;
    try {
      this.#frames.push(bytes, this.#messages);
    } catch (error) {
      this.#options.session.cancel(this.#stream);
      this.#end(error instanceof Error ? error : new Error(String(error)));
      return;
    }
    // A message that is larger than the window could never be completed: only whole ones wait for the reader.
    if (this.#messages.length > before || this.#next < before) this.#unread += bytes.length;
    else this.#options.session.consume(this.#stream, bytes.length);
    if (this.#messages.length > before) this.#wake?.();
  }

  onEnd(): void {
    this.#end(this.#outcome === undefined ? missingStatus() : this.#outcome.outcome);
  }

  onFailure(failure: StreamFailure): void {
    this.#end(this.#outcome?.outcome ?? failureOutcome(failure));
  }

  /** Messages that have arrived can still be read. */
  #end(error: Error | undefined): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#error = error;
    this.#options.onOver();
    this.#wake?.();
  }
}
