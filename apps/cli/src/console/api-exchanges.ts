/** Exchanges with the API behind the door: bounded in number, and ended with the browser or its login. */

import type { ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { tooManyRequests } from '@listwatch/api';
import type { Upstream, UpstreamAnswer, UpstreamRequest } from './console-upstream.ts';
import { refused } from './door-refusal.ts';
import type { LoginSession, LoginSessions } from './login-sessions.ts';

/** Requests and WebSockets at one time, of all browsers that are logged in. */
const ACTIVE_MAX = 256;

/** Options of {@link ApiExchanges}. */
export interface ApiExchangeOptions {
  readonly upstream: Upstream;
  readonly sessions: LoginSessions;
  /** Hears why the API could not be asked. */
  readonly onError: (error: unknown) => void;
}

export class ApiExchanges {
  readonly #options: ApiExchangeOptions;
  #active = 0;

  constructor(options: ApiExchangeOptions) {
    this.#options = options;
  }

  get active(): number {
    return this.#active;
  }

  /** Runs an exchange whose other end is `end`. Throws the 429. */
  async run(
    session: LoginSession,
    end: Duplex | ServerResponse,
    exchange: (signal: AbortSignal) => Promise<void>,
  ): Promise<void> {
    if (this.#active >= ACTIVE_MAX) throw tooManyRequests('the console has too many requests at one time', 1);
    const gone = new AbortController();
    const cut = (): void => gone.abort();
    const cancel = this.#options.sessions.onEnd(session, () => {
      gone.abort();
      end.destroy();
    });
    end.once('close', cut);
    this.#active += 1;
    try {
      await exchange(gone.signal);
    } finally {
      this.#active -= 1;
      cancel();
      end.off('close', cut);
    }
  }

  /** Throws the 503 when there is no answer. */
  async ask(request: UpstreamRequest): Promise<UpstreamAnswer> {
    try {
      return await this.#options.upstream(request);
    } catch (cause) {
      if (request.signal?.aborted !== true) this.#options.onError(cause);
      // Why is for the terminal: the message of a login program may contain what the page must not see.
      throw refused(503, 'the API server cannot be reached; the terminal of the console says why', { cause });
    }
  }
}
