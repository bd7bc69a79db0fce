/** A server without a wire, for transports that have none: `handle` is answered by the test. */

import type { TransportRequest, TransportResponse } from '@listwatch/client';
import type { ScriptedExchange, ScriptedServer } from './scripted-exchange.ts';

/** What a loopback transport is given. */
export interface ScriptedHandler extends ScriptedServer {
  readonly handle: (request: TransportRequest) => Promise<TransportResponse>;
}

export function createScriptedHandler(): ScriptedHandler {
  const exchanges: ScriptedExchange[] = [];
  return {
    url: 'http://loopback',
    port: 0,
    ca: undefined,
    sockets: 0,
    exchanges,
    close: async () => {},
    handle: (request) =>
      new Promise((resolve) => {
        exchanges.push(new HandledExchange(request, resolve));
      }),
  };
}

type Item =
  | { readonly type: 'chunk'; readonly chunk: Uint8Array }
  | { readonly type: 'cut' }
  | { readonly type: 'end' };

class HandledExchange implements ScriptedExchange {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  readonly #respond: (response: TransportResponse) => void;
  readonly #items: Item[] = [];
  readonly #wake = new Set<() => void>();
  #taken = 0;
  #gone = false;

  constructor(request: TransportRequest, respond: (response: TransportResponse) => void) {
    this.method = request.method;
    this.path = request.path;
    this.headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
    this.body = request.body ?? new Uint8Array();
    this.#respond = respond;
    request.signal?.addEventListener('abort', () => this.#leave(), { once: true });
  }

  get closed(): boolean {
    return this.#gone;
  }

  head(status: number, headers: Readonly<Record<string, string>> = {}): void {
    this.#respond({ status, headers, body: this.#chunks() });
  }

  async write(chunk: Uint8Array | string): Promise<void> {
    this.#items.push({ type: 'chunk', chunk: typeof chunk === 'string' ? Buffer.from(chunk) : chunk });
    this.#changed();
    const written = this.#items.length;
    while (this.#taken < written && !this.#gone) await this.#change();
  }

  end(): void {
    this.#items.push({ type: 'end' });
    this.#changed();
  }

  cut(): void {
    this.#items.push({ type: 'cut' });
    this.#changed();
  }

  async *#chunks(): AsyncGenerator<Uint8Array> {
    try {
      for (;;) {
        const item = this.#items[this.#taken];
        if (this.#gone || item?.type === 'end') return;
        if (item?.type === 'cut') throw new Error('cut off');
        if (item === undefined) {
          await this.#change();
          continue;
        }
        this.#taken += 1;
        this.#changed();
        yield item.chunk;
      }
    } finally {
      this.#leave();
    }
  }

  #leave(): void {
    this.#gone = true;
    this.#changed();
  }

  #changed(): void {
    for (const wake of this.#wake) wake();
    this.#wake.clear();
  }

  #change(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake.add(resolve);
    });
  }
}
