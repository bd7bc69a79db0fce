/** One request under way, whatever carries it: its headers, its body, and every way in which it can end. */

import { type CancelTimer, type Clock } from '@listwatch/api';
import { onAbort } from '@listwatch/api/internal';
import type { TransportRequest, TransportResponse } from '../transport.ts';
import { TransportError } from '../transport-error.ts';
import { type BodySource, IncomingBody } from './incoming-body.ts';

export interface ExchangeOptions {
  readonly request: TransportRequest;
  readonly source: BodySource;
  readonly clock: Clock;
  /** Unless the request has its own. 0: for ever. */
  readonly headersTimeoutMs: number;
  /** It is over: nothing of it is left. */
  readonly onOver?: (() => void) | undefined;
}

interface Settle {
  readonly resolve: (response: TransportResponse) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * A transport tells it what arrives (`sent`, `head`, `data`, `end`, `fail`); it answers for the signal, the time limits and
 * the reader, and lets go of timers and listeners however the exchange ends. Calls after that are ignored.
 */
export class Exchange {
  readonly response: Promise<TransportResponse>;
  readonly #options: ExchangeOptions;
  readonly #body: IncomingBody;
  readonly #settle: Settle;
  readonly #unlink: () => void;
  #phase: 'over' | 'reading' | 'waiting' = 'waiting';
  #cancelTimer: CancelTimer | undefined;

  constructor(options: ExchangeOptions) {
    this.#options = options;
    const { request, source, clock } = options;
    let settle: Settle | undefined;
    this.response = new Promise((resolve, reject) => {
      settle = { resolve, reject };
    });
    if (settle === undefined) throw new TypeError('a promise runs its executor at once');
    this.#settle = settle;
    this.#body = new IncomingBody({
      source,
      clock,
      idleTimeoutMs: request.idleTimeoutMs,
      signal: request.signal,
      onIdle: (error) => this.stop(error),
      onReturn: () => this.stop(undefined),
    });
    this.#unlink = onAbort(request.signal, () => this.stop(request.signal?.reason));
  }

  get phase(): 'over' | 'reading' | 'waiting' {
    return this.#phase;
  }

  /** The request has left: from here on the server may be waited for. */
  sent(): void {
    const ms = this.#options.request.headersTimeoutMs ?? this.#options.headersTimeoutMs;
    if (this.#phase !== 'waiting' || ms <= 0 || this.#cancelTimer !== undefined) return;
    this.#cancelTimer = this.#options.clock.after(ms, () => {
      this.stop(new TransportError('HEADERS_TIMEOUT', `no answer to ${this.#title()} within ${ms} ms`));
    });
  }

  head(status: number, headers: Readonly<Record<string, string>>): void {
    if (this.#phase !== 'waiting') return;
    this.#phase = 'reading';
    this.#cancelTimer?.();
    this.#settle.resolve({ status, headers, body: this.#body });
  }

  data(chunk: Uint8Array): void {
    if (this.#phase === 'reading') this.#body.push(chunk);
  }

  end(): void {
    if (this.#phase === 'waiting') this.fail(new TransportError('CLOSED', `${this.#title()} ended without an answer`));
    if (this.#phase !== 'reading') return;
    this.#over();
    this.#body.finish();
  }

  /** The other side, or what is between, broke it. */
  fail(error: unknown): void {
    if (this.#phase === 'over') return;
    const waiting = this.#phase === 'waiting';
    this.#over();
    if (waiting) this.#settle.reject(error);
    else this.#body.fail(error);
  }

  /** Our side ends it: abort, time limit, `return()`, `close()`. */
  stop(reason: unknown): void {
    if (this.#phase === 'over') return;
    const waiting = this.#phase === 'waiting';
    this.#over();
    if (waiting) this.#settle.reject(reason);
    else this.#body.abandon(reason);
    this.#options.source.cancel(reason);
  }

  #over(): void {
    this.#phase = 'over';
    this.#cancelTimer?.();
    this.#unlink();
    this.#options.onOver?.();
  }

  #title(): string {
    const { method, path } = this.#options.request;
    return `${method} ${path}`;
  }
}
