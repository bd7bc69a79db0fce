/** HTTP/2 where the server speaks it, HTTP/1.1 where it does not. */

import type { SocketTransport } from '../socket-transport.ts';
import type { TransportRequest, TransportResponse } from '../transport.ts';
import { createHttp1Transport, type Http1TransportOptions } from './http1-transport.ts';
import { createHttp2Transport, type Http2TransportOptions, Http2Unsupported } from './http2-transport.ts';

export type NegotiatedTransportOptions = Http1TransportOptions & Http2TransportOptions;

/** The first handshake decides, and the decision is kept: a proxy that cuts HTTP/2 off does so for good. */
export function createNegotiatedTransport(options: NegotiatedTransportOptions): SocketTransport {
  return new NegotiatedTransport(options);
}

class NegotiatedTransport implements SocketTransport {
  readonly #options: NegotiatedTransportOptions;
  #chosen: SocketTransport;
  #closed = false;

  constructor(options: NegotiatedTransportOptions) {
    this.#options = options;
    // Without TLS there is nobody to negotiate with: plain addresses are proxies of the old kind.
    const secure = new URL(options.server).protocol === 'https:';
    this.#chosen = secure ? createHttp2Transport(options) : createHttp1Transport(options);
  }

  get name(): string {
    return this.#chosen.name;
  }

  async send(request: TransportRequest): Promise<TransportResponse> {
    const tried = this.#chosen;
    try {
      return await tried.send(request);
    } catch (error) {
      if (!(error instanceof Http2Unsupported) || this.#closed) throw error;
      // Nothing was sent. Of many that failed at once the first changes over.
      if (this.#chosen === tried) this.#chosen = createHttp1Transport(this.#options);
      return this.#chosen.send(request);
    }
  }

  reconnect(): void {
    this.#chosen.reconnect();
  }

  close(): Promise<void> {
    this.#closed = true;
    return this.#chosen.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}
