/** The decorator through which faults reach a transport. */

import { type Transport, TransportError, type TransportRequest, type TransportResponse } from '@listwatch/client';
import { FaultyExchange, type FaultyWorld } from './faulty-exchange.ts';

/** Carries requests as `next` does, but for the faults. */
export class FaultTransport implements Transport {
  readonly name: string;
  readonly #next: Transport;
  readonly #world: FaultyWorld;
  readonly #closing = new AbortController();
  readonly #own = new WeakSet<FaultyExchange>();

  constructor(next: Transport, world: FaultyWorld) {
    this.name = next.name;
    this.#next = next;
    this.#world = world;
  }

  async send(request: TransportRequest): Promise<TransportResponse> {
    request.signal?.throwIfAborted();
    if (this.#closing.signal.aborted) return this.#next.send(request);
    const exchange = new FaultyExchange(request, this.#world, this.#closing.signal);
    this.#own.add(exchange);
    return exchange.run((sent) => this.#next.send(sent));
  }

  async close(): Promise<void> {
    const closed = new TransportError('CLIENT_CLOSED', 'the client was closed by its own close()');
    this.#closing.abort(closed);
    // Those that a fault holds hear nothing of this from below.
    for (const exchange of this.#world.exchanges) if (this.#own.has(exchange)) exchange.body?.fail(closed);
    await this.#next.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}
