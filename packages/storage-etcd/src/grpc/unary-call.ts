/** One request and its answer on an HTTP/2 stream. */

import type { ClientSession } from '../http2/client-session.ts';
import type { ClientStream, StreamFailure, StreamListener } from '../http2/client-stream.ts';
import type { HeaderFields } from '../http2/hpack-decoder.ts';
import { type CallOutcome, failureOutcome, headerOutcome, missingStatus, trailerOutcome } from './call-status.ts';
import type { UnaryOptions } from './grpc-connection.ts';
import { GRPC_STATUS, GrpcError } from './grpc-error.ts';
import { frameOf, MessageFrames } from './message-frames.ts';

/** What a call needs. */
export interface UnaryCallOptions extends UnaryOptions {
  readonly session: ClientSession;
  /** The headers of the call. */
  readonly block: Buffer;
  readonly request: Buffer;
  readonly maxMessageBytes: number;
  /** The call is over. */
  readonly onOver: () => void;
}

/** Sends the request; resolves with the answer. */
export function unaryCall(options: UnaryCallOptions): Promise<Buffer> {
  return new Promise((resolve, reject) => new UnaryCall(options, resolve, reject));
}

class UnaryCall implements StreamListener {
  readonly #stream: ClientStream;
  readonly #options: UnaryCallOptions;
  readonly #resolve: (message: Buffer) => void;
  readonly #reject: (reason: unknown) => void;
  readonly #frames: MessageFrames;
  readonly #messages: Buffer[] = [];
  readonly #deadline: NodeJS.Timeout;
  #hasHeaders = false;
  #outcome: { readonly outcome: CallOutcome } | undefined;
  #isSettled = false;

  constructor(options: UnaryCallOptions, resolve: (message: Buffer) => void, reject: (reason: unknown) => void) {
    const { session, block, request, maxMessageBytes, timeoutMs, signal } = options;
    this.#options = options;
    this.#resolve = resolve;
    this.#reject = reject;
    this.#frames = new MessageFrames(maxMessageBytes);
    this.#deadline = setTimeout(this.#expire, timeoutMs);
    signal?.addEventListener('abort', this.#abort, { once: true });
    this.#stream = session.open(this, block, frameOf(request), true);
  }

  onHeaders(fields: HeaderFields): void {
    this.#outcome ??= this.#hasHeaders ? { outcome: trailerOutcome(fields) } : headerOutcome(fields);
    this.#hasHeaders = true;
    // What follows is not an answer of gRPC: an error page is not read to its end.
    if (this.#outcome?.outcome !== undefined) this.#fail(this.#outcome.outcome);
  }

  onData(bytes: Buffer): void {
    this.#options.session.consume(this.#stream, bytes.length);
    try {
      this.#frames.push(bytes, this.#messages);
    } catch (error) {
      this.#fail(error);
    }
  }

  onEnd(): void {
    this.#finish(this.#outcome === undefined ? missingStatus() : this.#outcome.outcome);
  }

  onFailure(failure: StreamFailure): void {
    this.#finish(failureOutcome(failure));
  }

  readonly #expire = (): void => {
    const details = `no answer within ${this.#options.timeoutMs} ms`;
    const unsent = this.#stream.id === 0;
    this.#fail(new GrpcError(GRPC_STATUS.DEADLINE_EXCEEDED, details, { unsent }));
  };

  readonly #abort = (): void => this.#fail(this.#options.signal?.reason);

  /** Ends a call that the server has not ended. */
  #fail(reason: unknown): void {
    this.#options.session.cancel(this.#stream);
    if (this.#settle()) this.#reject(reason);
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
    const { signal, onOver } = this.#options;
    signal?.removeEventListener('abort', this.#abort);
    onOver();
    return true;
  }
}

function missingMessage(): GrpcError {
  return new GrpcError(GRPC_STATUS.INTERNAL, 'the server answered OK without exactly one whole message');
}
