/** A transport without a wire: requests are handed to a server in the same process. */

import { systemClock } from '@listwatch/api';
import type { Exchange } from '../exchange/pending-request.ts';
import { Exchanges, type TimingOptions } from '../exchange/pending-requests.ts';
import { Gate, pump } from '../exchange/pump.ts';
import type { Transport, TransportRequest, TransportResponse } from '../transport.ts';
import { isTransportError, TransportError } from '../transport-error.ts';

/** A server in this process. It sees the request's signal aborted, or the body's `return()`, when the client goes away. */
export interface LoopbackHandler {
  handle(request: TransportRequest): Promise<TransportResponse>;
}

/** Carries requests to a server in this process. */
export function createLoopbackTransport(handler: LoopbackHandler, options: TimingOptions = {}): Transport {
  return new LoopbackTransport(handler, options);
}

class LoopbackTransport implements Transport {
  readonly name = 'loopback';
  readonly #handler: LoopbackHandler;
  readonly #exchanges: Exchanges;

  constructor(handler: LoopbackHandler, { clock = systemClock, headersTimeoutMs }: TimingOptions) {
    this.#handler = handler;
    this.#exchanges = new Exchanges(clock, headersTimeoutMs);
  }

  async send(request: TransportRequest): Promise<TransportResponse> {
    this.#exchanges.admit(request);
    const gone = new AbortController();
    const gate = new Gate();
    const source = {
      pause: () => gate.pause(),
      resume: () => gate.resume(),
      cancel: (reason: unknown) => {
        gone.abort(reason);
        gate.resume();
      },
    };
    const exchange = this.#exchanges.start(request, source);
    exchange.sent();
    void this.#run(exchange, gate, { ...request, signal: gone.signal });
    return exchange.response;
  }

  async close(): Promise<void> {
    this.#exchanges.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #run(exchange: Exchange, gate: Gate, request: TransportRequest): Promise<void> {
    try {
      const { status, headers, body } = await this.#handler.handle(request);
      const chunks = body[Symbol.asyncIterator]();
      exchange.head(status, headers);
      // The server may be asleep in its body and deaf to everything but this.
      const leave = (): void => void chunks.return?.().then(undefined, () => {});
      request.signal?.addEventListener('abort', leave, { once: true });
      if (request.signal?.aborted === true) leave();
      const read = async (): Promise<Uint8Array | undefined> => {
        const { done, value } = await chunks.next();
        // A copy: it is kept until the reader comes for it, and the server fills its memory again before that.
        return done === true ? undefined : new Uint8Array(value);
      };
      await pump(exchange, gate, read, closedBy);
    } catch (error) {
      exchange.fail(closedBy(error));
    }
  }
}

function closedBy(cause: unknown): TransportError {
  if (isTransportError(cause)) return cause;
  const detail = cause instanceof Error ? cause.message : String(cause);
  return new TransportError('CLOSED', `the server in this process failed: ${detail}`, { cause });
}
