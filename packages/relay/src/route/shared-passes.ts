/** Equal requests that the upstream answers share one answer: of those that come while one passes, none is sent alone. */

import type { Cluster } from '@listwatch/client';
import type { ApiRequest, ApiResponse } from '@listwatch/server/read';
import { SharedAnswers } from '../pass/shared-answers.ts';

type BytesAnswer = Extract<ApiResponse, { readonly type: 'bytes' }>;

/** Different requests that are shared at one time; others pass alone. */
const MAX_KEYS = 1000;
/** Who has waited so long for others passes alone. */
const WAIT_MS = 2000;

/**
 * The first one passes with its own login. Those that come before its end wait for one that is sent after they came, with the login of the relay: each
 * of them has been judged already, and the kinds are the relay's to read.
 */
export class SharedPasses {
  readonly #cluster: Pick<Cluster, 'clock' | 'raw'>;
  readonly #keyOf: (request: ApiRequest) => string;
  readonly #shared = new SharedAnswers<string, BytesAnswer | undefined>();
  #count = 0;

  /** Requests with one key are answered alike. */
  constructor(cluster: Pick<Cluster, 'clock' | 'raw'>, keyOf: (request: ApiRequest) => string = wholeKey) {
    this.#cluster = cluster;
    this.#keyOf = keyOf;
  }

  /** Requests that were answered so. */
  get count(): number {
    return this.#count;
  }

  /** Undefined: the request has to pass alone. Rejects with the reason of its signal. */
  async answer(request: ApiRequest): Promise<BytesAnswer | undefined> {
    const { signal } = request;
    const key = this.#keyOf(request);
    if (!this.#shared.isAsking(key)) {
      if (this.#shared.size < MAX_KEYS) void this.#shared.ask(key, () => ended(signal));
      return undefined;
    }
    const waits = new AbortController();
    const left = (): void => waits.abort(signal.reason);
    signal.addEventListener('abort', left, { once: true });
    const cancel = this.#cluster.clock.after(WAIT_MS, () => waits.abort(new Error('others take too long')));
    try {
      const answer = await this.#shared.ask(key, (all) => this.#ask(request, all), waits.signal);
      if (answer !== undefined) this.#count += 1;
      return answer;
    } catch {
      signal.throwIfAborted();
      return undefined;
    } finally {
      cancel();
      signal.removeEventListener('abort', left);
    }
  }

  async #ask(request: ApiRequest, signal: AbortSignal): Promise<BytesAnswer | undefined> {
    const accept = request.header('accept');
    const answer = await this.#cluster.raw(targetOf(request), {
      headers: accept === undefined ? {} : { accept },
      headersTimeoutMs: WAIT_MS,
      idleTimeoutMs: WAIT_MS,
      maxRetries: 0,
      signal,
    });
    const { 'content-type': contentType, warning } = answer.headers;
    if (answer.status !== 200 || contentType === undefined) {
      await answer.close();
      return undefined;
    }
    const headers = { 'content-type': contentType, ...(warning === undefined ? {} : { warning }) };
    return { type: 'bytes', status: 200, headers, body: Buffer.from(await answer.bytes()) };
  }
}

/** Whatever the bytes of the answer depend on: all that is asked, and in which form. */
function wholeKey(request: ApiRequest): string {
  return `${targetOf(request)}\n${request.header('accept') ?? ''}`;
}

function targetOf({ path, query }: ApiRequest): string {
  return query === '' ? path : `${path}?${query}`;
}

/** When the answer has been sent, or the client has gone. */
function ended(signal: AbortSignal): Promise<undefined> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve(undefined);
    signal.addEventListener('abort', () => resolve(undefined), { once: true });
  });
}
