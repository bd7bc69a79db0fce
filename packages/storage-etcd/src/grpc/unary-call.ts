/** One request and its answer on an HTTP/2 stream. */

import { type ClientHttp2Stream, constants, type IncomingHttpHeaders } from 'node:http2';
import { type CallOutcome, headerOutcome, missingStatus, resetOutcome, trailerOutcome } from './call-status.ts';
import type { UnaryOptions } from './grpc-connection.ts';
import { GRPC_STATUS, GrpcError } from './grpc-error.ts';
import { frameOf, MessageFrames } from './message-frames.ts';

/** What a call needs. */
export interface UnaryCallOptions extends UnaryOptions {
  readonly stream: ClientHttp2Stream;
  readonly request: Buffer;
  readonly maxMessageBytes: number;
  /** Why the connection ended, if it did. */
  readonly lostBy: () => Error | undefined;
}

/** Sends the request; resolves with the answer. */
export function unaryCall(options: UnaryCallOptions): Promise<Buffer> {
  return new Promise((resolve, reject) => new UnaryCall(options, resolve, reject));
}

class UnaryCall {
  readonly #stream: ClientHttp2Stream;
  readonly #options: UnaryCallOptions;
  readonly #resolve: (message: Buffer) => void;
  readonly #reject: (reason: unknown) => void;
  readonly #frames: MessageFrames;
  readonly #messages: Buffer[] = [];
  readonly #deadline: NodeJS.Timeout;
  #outcome: { readonly outcome: CallOutcome } | undefined;
  #lost: Error | undefined;
  #isSettled = false;

  constructor(options: UnaryCallOptions, resolve: (message: Buffer) => void, reject: (reason: unknown) => void) {
    const { stream, request, maxMessageBytes, timeoutMs, signal } = options;
    this.#stream = stream;
    this.#options = options;
    this.#resolve = resolve;
    this.#reject = reject;
    this.#frames = new MessageFrames(maxMessageBytes);
    this.#deadline = setTimeout(this.#expire, timeoutMs);
    signal?.addEventListener('abort', this.#abort, { once: true });
    stream.on('response', this.#onHeaders);
    stream.on('data', this.#onData);
    stream.on('trailers', this.#onTrailers);
    stream.on('error', this.#onError);
    stream.on('close', this.#onClose);
    stream.end(frameOf(request));
  }

  readonly #onHeaders = (headers: IncomingHttpHeaders): void => {
    this.#outcome = headerOutcome(headers);
    // What follows is not an answer of gRPC: an error page is not read to its end.
    if (this.#outcome?.outcome !== undefined) this.#fail(this.#outcome.outcome);
  };

  readonly #onData = (chunk: Buffer): void => {
    if (this.#isSettled) return;
    try {
      this.#frames.push(chunk, this.#messages);
    } catch (error) {
      this.#fail(error);
    }
  };

  readonly #onTrailers = (trailers: IncomingHttpHeaders): void => {
    this.#outcome ??= { outcome: trailerOutcome(trailers) };
    // The usual end. Without a whole message wait for the close: pieces of it may still be in the stream.
    if (this.#outcome.outcome !== undefined || this.#messages.length > 0) this.#finish(this.#outcome.outcome);
  };

  readonly #onError = (error: Error): void => {
    this.#lost = error;
  };

  readonly #onClose = (): void => {
    if (this.#isSettled) return;
    if (this.#outcome !== undefined) return this.#finish(this.#outcome.outcome);
    const { rstCode, id } = this.#stream;
    const connectionError = this.#options.lostBy();
    if (connectionError === undefined && rstCode === constants.NGHTTP2_NO_ERROR) return this.#finish(missingStatus());
    const code = connectionError !== undefined && rstCode !== constants.NGHTTP2_REFUSED_STREAM ? undefined : rstCode;
    this.#finish(resetOutcome(code, connectionError ?? this.#lost, id !== undefined));
  };

  readonly #expire = (): void => {
    const details = `no answer within ${this.#options.timeoutMs} ms`;
    this.#fail(new GrpcError(GRPC_STATUS.DEADLINE_EXCEEDED, details));
  };

  readonly #abort = (): void => this.#fail(this.#options.signal?.reason);

  /** Ends a call that the server has not ended. */
  #fail(reason: unknown): void {
    if (this.#settle()) this.#reject(reason);
    this.#stream.close(constants.NGHTTP2_CANCEL);
  }

  #finish(outcome: CallOutcome): void {
    if (!this.#settle()) return;
    const [message] = this.#messages;
    if (outcome !== undefined) this.#reject(outcome);
    else if (message === undefined || this.#messages.length > 1 || this.#frames.isPartial)
      this.#reject(missingMessage());
    else this.#resolve(message);
  }

  /** True once. */
  #settle(): boolean {
    if (this.#isSettled) return false;
    this.#isSettled = true;
    clearTimeout(this.#deadline);
    this.#options.signal?.removeEventListener('abort', this.#abort);
    return true;
  }
}

function missingMessage(): GrpcError {
  return new GrpcError(GRPC_STATUS.INTERNAL, 'the server answered OK without exactly one whole message');
}
