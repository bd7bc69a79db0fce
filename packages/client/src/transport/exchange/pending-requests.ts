/** The exchanges that a transport has open, so that `close()` can end them all. */

import type { Clock } from '@listwatch/api';
import type { TransportRequest } from '../transport.ts';
import { TransportError } from '../transport-error.ts';
import type { BodySource } from './incoming-body.ts';
import { Exchange } from './pending-request.ts';

/** How long a server may think: longer than the minute after which an API server itself gives up a list. */
export const DEFAULT_HEADERS_TIMEOUT_MS = 90_000;

/** What every transport can be told. */
export interface TimingOptions {
  readonly clock?: Clock | undefined;
  /** How long a server may take to answer, for requests that do not say. Default: 90 000. 0: for ever. */
  readonly headersTimeoutMs?: number | undefined;
}

/** The open ones. */
export class Exchanges {
  readonly #clock: Clock;
  readonly #headersTimeoutMs: number;
  readonly #open = new Set<Exchange>();
  #closed = false;

  constructor(clock: Clock, headersTimeoutMs: number = DEFAULT_HEADERS_TIMEOUT_MS) {
    if (!(headersTimeoutMs >= 0)) throw new RangeError(`headersTimeoutMs is not a time: ${headersTimeoutMs}`);
    this.#clock = clock;
    this.#headersTimeoutMs = headersTimeoutMs;
  }

  /** Throws the signal's reason, or `CLIENT_CLOSED` once the transport is closed. The first line of every `send`. */
  admit({ signal }: TransportRequest): void {
    signal?.throwIfAborted();
    if (this.#closed) throw transportClosedError();
  }

  start(request: TransportRequest, source: BodySource, onOver?: () => void): Exchange {
    const exchange: Exchange = new Exchange({
      request,
      source,
      clock: this.#clock,
      headersTimeoutMs: this.#headersTimeoutMs,
      onOver: () => {
        this.#open.delete(exchange);
        onOver?.();
      },
    });
    this.#open.add(exchange);
    return exchange;
  }

  /** Ends them all, and admits no more. */
  close(): void {
    this.#closed = true;
    for (const exchange of this.#open) exchange.stop(transportClosedError());
  }
}

export function transportClosedError(): TransportError {
  return new TransportError('CLIENT_CLOSED', 'the client was closed by its own close()');
}
