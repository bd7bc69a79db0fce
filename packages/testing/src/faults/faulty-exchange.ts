/** One request on its way through the faults, and the body of its answer. */

import { type Clock, sleep } from '@listwatch/api';
import {
  type LinkedSignal,
  linkSignal,
  TransportError,
  type TransportRequest,
  type TransportResponse,
} from '@listwatch/client';
import type { FaultRule } from './fault-rule.ts';
import { FaultyBody } from './faulty-body.ts';
import { asksForWatch } from './watch-request.ts';

/** How long a request that nobody answers is waited for, when it does not say itself. */
const HEADERS_TIMEOUT_MS = 30_000;

/** What all exchanges share. */
export interface FaultyWorld {
  readonly clock: Clock;
  readonly exchanges: Set<FaultyExchange>;
  /** The faults that are in place and about this request, oldest first. */
  rulesFor(request: TransportRequest): readonly FaultRule[];
}

/** Runs one request. */
export class FaultyExchange {
  readonly request: TransportRequest;
  readonly isWatch: boolean;
  readonly #world: FaultyWorld;
  /** What the transport below hears. The body's `return` alone would wait behind a read that waits, if that is a generator. */
  readonly #below: LinkedSignal;
  /** Aborted when the transport is closed. */
  readonly #closing: AbortSignal;
  readonly #whenSwallowed: Promise<void>;
  #announceSwallowed: () => void = () => {};
  #swallowed = false;
  #body: FaultyBody | undefined;

  constructor(request: TransportRequest, world: FaultyWorld, closing: AbortSignal) {
    this.request = request;
    this.isWatch = asksForWatch(request);
    this.#world = world;
    this.#below = linkSignal(request.signal);
    this.#closing = closing;
    this.#whenSwallowed = new Promise((resolve) => {
      this.#announceSwallowed = resolve;
    });
  }

  /** The body, once the head of the answer is there and until the reader has had all of it. */
  get body(): FaultyBody | undefined {
    return this.#body;
  }

  /** Whatever comes from now on vanishes, and nobody says so. */
  swallow(): void {
    this.#swallowed = true;
    this.#announceSwallowed();
    this.#body?.swallow();
  }

  /** Sends the request, unless a fault answers it or makes it vanish. */
  async run(send: (request: TransportRequest) => Promise<TransportResponse>): Promise<TransportResponse> {
    this.#world.exchanges.add(this);
    try {
      await this.#delay();
      const rules = this.#rules();
      const swallowing = rules.find(({ effect }) => effect.swallows === true);
      swallowing?.strike();
      if (swallowing !== undefined) return await this.#unanswered();
      return this.#deliver(this.#answer(rules) ?? (await this.#sent(send)));
    } catch (error) {
      this.#over();
      throw error;
    }
  }

  #rules(): readonly FaultRule[] {
    return this.#world.rulesFor(this.request);
  }

  async #delay(): Promise<void> {
    for (const rule of this.#rules()) {
      if (rule.effect.delayMs === undefined || !rule.active) continue;
      rule.strike();
      if (rule.effect.delayMs >= this.#limit) return this.#unanswered();
      await this.#wait(rule.effect.delayMs);
    }
  }

  #answer(rules: readonly FaultRule[]): TransportResponse | undefined {
    for (const rule of rules) {
      const answer = rule.active ? rule.effect.answer?.(this.request) : undefined;
      if (answer === undefined) continue;
      rule.strike();
      return answer;
    }
    return undefined;
  }

  /** The server's answer, unless it is swallowed on its way. */
  #sent(send: (request: TransportRequest) => Promise<TransportResponse>): Promise<TransportResponse> {
    return Promise.race([this.#passed(send), this.#whenSwallowed.then(() => this.#unanswered())]);
  }

  async #passed(send: (request: TransportRequest) => Promise<TransportResponse>): Promise<TransportResponse> {
    try {
      const response = await send({ ...this.request, signal: this.#below.signal });
      if (!this.#swallowed) return response;
      void response.body[Symbol.asyncIterator]().return?.();
    } catch (error) {
      if (!this.#swallowed) throw error;
    }
    return new Promise(() => {});
  }

  #deliver({ status, headers, body: source }: TransportResponse): TransportResponse {
    const { request, isWatch } = this;
    const body = new FaultyBody({
      request,
      isWatch,
      source,
      clock: this.#world.clock,
      rules: () => this.#rules(),
      onOver: () => this.#over(),
    });
    this.#body = body;
    if (this.#swallowed) body.swallow();
    return { status, headers, body };
  }

  #over(): void {
    this.#world.exchanges.delete(this);
    this.#below.unlink();
    this.#below.abort(new TransportError('CLOSED', 'the exchange is over'));
  }

  get #limit(): number {
    return this.request.headersTimeoutMs ?? HEADERS_TIMEOUT_MS;
  }

  /** Waits as long as a client waits for an answer that never comes. */
  async #unanswered(): Promise<never> {
    await this.#wait(this.#limit);
    throw new TransportError('HEADERS_TIMEOUT', `no answer came for ${this.#limit} ms`);
  }

  async #wait(ms: number): Promise<void> {
    using link = linkSignal(this.request.signal);
    const close = (): void => link.abort(this.#closing.reason);
    if (this.#closing.aborted) close();
    this.#closing.addEventListener('abort', close);
    try {
      await sleep(this.#world.clock, ms, link.signal);
    } finally {
      this.#closing.removeEventListener('abort', close);
    }
  }
}
