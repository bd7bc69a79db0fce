/** A transport that answers by the byte as a test says, and remembers what was asked of it. */

import type { Transport, TransportRequest, TransportResponse } from '../src/transport/transport.ts';
import { TransportError } from '../src/transport/transport-error.ts';

/** A body that the test writes while it is read. It is pulled: `asked` counts the reads. */
export class ScriptedBody implements AsyncIterable<Uint8Array> {
  readonly #queue: (Error | Uint8Array | 'end')[] = [];
  #wake: (() => void) | undefined;
  #signal: AbortSignal | undefined;
  /** Reads that were begun. */
  asked = 0;
  /** Did the reader, or its signal, close the exchange before its end? */
  isClosed = false;

  /** What comes at once. A string is UTF-8; an Error breaks the connection; the body ends after the last unless it is left open. */
  constructor(...pieces: readonly (Error | Uint8Array | string)[]) {
    for (const piece of pieces) this.write(piece);
  }

  write(piece: Error | Uint8Array | string): this {
    this.#queue.push(typeof piece === 'string' ? new TextEncoder().encode(piece) : piece);
    this.#wake?.();
    return this;
  }

  end(): this {
    this.#queue.push('end');
    this.#wake?.();
    return this;
  }

  /** The signal of the request: closes the exchange. */
  follow(signal: AbortSignal | undefined): void {
    this.#signal = signal;
    signal?.addEventListener('abort', () => {
      this.isClosed = true;
      this.#wake?.();
    });
  }

  [Symbol.asyncIterator](): AsyncIterator<Uint8Array, undefined> {
    return {
      next: () => this.#next(),
      return: () => {
        this.isClosed = true;
        return Promise.resolve({ done: true, value: undefined });
      },
    };
  }

  async #next(): Promise<IteratorResult<Uint8Array, undefined>> {
    this.asked += 1;
    while (this.#queue.length === 0 && this.#signal?.aborted !== true) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    this.#signal?.throwIfAborted();
    const piece = this.#queue.shift();
    if (piece instanceof Error) throw piece;
    return piece === undefined || piece === 'end' ? { done: true, value: undefined } : { done: false, value: piece };
  }
}

/** What a test answers. */
export interface ScriptedAnswer {
  /** Default: 200. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** A string is sent whole. */
  readonly body: ScriptedBody | string;
}

/** Answers one request after the other; one for which there is no answer is not connected. */
export class ScriptedTransport implements Transport {
  readonly name = 'scripted';
  readonly requests: TransportRequest[] = [];
  readonly #answers: ScriptedAnswer[];
  isClosed = false;

  constructor(...answers: readonly ScriptedAnswer[]) {
    this.#answers = [...answers];
  }

  async send(request: TransportRequest): Promise<TransportResponse> {
    request.signal?.throwIfAborted();
    this.requests.push(request);
    const answer = this.#answers.shift();
    if (answer === undefined) throw new TransportError('CONNECT', 'nobody answers');
    const { status = 200, headers = { 'content-type': 'application/json' } } = answer;
    const body = typeof answer.body === 'string' ? new ScriptedBody(answer.body).end() : answer.body;
    body.follow(request.signal);
    return { status, headers, body };
  }

  async close(): Promise<void> {
    this.isClosed = true;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}
