/** A server that answers JSON: an OIDC provider or a webhook. Bounded in time and size; redirects are refused. */

import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { GatheredBytes } from '@listwatch/api/internal';
import type { Clock } from '@listwatch/storage';

/** How to reach it. */
export interface JsonEndpointOptions {
  readonly url: string;
  /** PEM of the authorities to trust. Default: those that Node trusts. */
  readonly ca?: string | undefined;
  /** A client certificate, PEM. Default: none. */
  readonly cert?: string | undefined;
  readonly key?: string | undefined;
  /** Sent as a bearer token. Default: none. */
  readonly token?: string | undefined;
  /** The name that its certificate must have. Default: the host of the URL. */
  readonly serverName?: string | undefined;
  /** How long one request may take, with its answer. */
  readonly timeoutMs: number;
  readonly maxBytes: number;
  /** Connections at one time. Default: 32. */
  readonly maxSockets?: number | undefined;
}

/** An answer that is none of success. */
export interface EndpointAnswer {
  readonly status: number;
  /** The beginning of what it said. */
  readonly text: string;
  readonly hasRetryAfter: boolean;
}

/** A request that failed. `isTemporary`: another attempt may succeed. */
export class EndpointError extends Error {
  override readonly name: string = 'EndpointError';
  readonly isTemporary: boolean;
  readonly isTimeout: boolean;
  /** Undefined: there was none, or none that can be read. */
  readonly answer: EndpointAnswer | undefined;

  constructor(
    message: string,
    isTemporary: boolean,
    options: ErrorOptions & { readonly isTimeout?: boolean; readonly answer?: EndpointAnswer } = {},
  ) {
    super(message, options);
    this.isTemporary = isTemporary;
    this.isTimeout = options.isTimeout ?? false;
    this.answer = options.answer;
  }
}

/** Connections that stay open; more are made as needed. */
const FREE_SOCKETS = 2;
const SOCKETS_MAX = 32;
const ERROR_TEXT_MAX = 2048;

/** One address. Connections are kept for the next request. */
export class JsonEndpoint {
  readonly #options: JsonEndpointOptions;
  readonly #clock: Clock;
  readonly #agent: HttpAgent;

  constructor(options: JsonEndpointOptions, clock: Clock) {
    this.#options = options;
    this.#clock = clock;
    const { ca, cert, key, serverName: servername, maxSockets = SOCKETS_MAX } = options;
    const pool = { keepAlive: true, maxSockets, maxFreeSockets: FREE_SOCKETS };
    const tls = Object.fromEntries(Object.entries({ ca, cert, key, servername }).filter(([, value]) => value));
    this.#agent = isHttps(options.url) ? new HttpsAgent({ ...pool, ...tls }) : new HttpAgent(pool);
  }

  get(): Promise<unknown> {
    return this.#send('GET', undefined);
  }

  post(body: unknown): Promise<unknown> {
    return this.#send('POST', Buffer.from(JSON.stringify(body)));
  }

  /** Ends its connections. */
  close(): void {
    this.#agent.destroy();
  }

  async #send(method: string, body: Buffer | undefined): Promise<unknown> {
    const { url, token, timeoutMs } = this.#options;
    const controller = new AbortController();
    const cancel = this.#clock.after(timeoutMs, () => controller.abort());
    try {
      const { status, bytes, hasRetryAfter } = await new Promise<Answer>((resolve, reject) => {
        const headers = {
          accept: 'application/json',
          ...(body === undefined ? {} : { 'content-type': 'application/json', 'content-length': body.length }),
          ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        };
        const send = isHttps(url) ? httpsRequest : httpRequest;
        const sent = send(url, { method, headers, agent: this.#agent, signal: controller.signal }, (response) => {
          this.#collect(response).then(resolve, reject);
        });
        sent.on('error', reject);
        sent.end(body);
      });
      if (status < 200 || status > 299) {
        const answer = { status, text: bytes.toString('utf8', 0, ERROR_TEXT_MAX), hasRetryAfter };
        throw new EndpointError(`${url} answered ${status}`, isTemporaryStatus(status), { answer });
      }
      return parsed(bytes, url);
    } catch (error) {
      if (error instanceof EndpointError) throw error;
      const isTimeout = controller.signal.aborted;
      const reason = isTimeout ? `no answer within ${timeoutMs} ms` : reasonOf(error);
      throw new EndpointError(`${url}: ${reason}`, true, { cause: error, isTimeout });
    } finally {
      cancel();
    }
  }

  async #collect(response: IncomingMessage): Promise<Answer> {
    const { url, maxBytes } = this.#options;
    const bytes = new GatheredBytes();
    for await (const part of response) {
      if (!Buffer.isBuffer(part)) continue;
      bytes.add(part);
      if (bytes.length > maxBytes) throw new EndpointError(`${url} answered with more than ${maxBytes} bytes`, false);
    }
    const hasRetryAfter = response.headers['retry-after'] !== undefined;
    return { status: response.statusCode ?? 0, bytes: Buffer.concat(bytes.chunks()), hasRetryAfter };
  }
}

interface Answer {
  readonly status: number;
  readonly bytes: Buffer;
  readonly hasRetryAfter: boolean;
}

function parsed(bytes: Buffer, url: string): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    throw new EndpointError(`${url} did not answer with JSON`, false);
  }
}

function isHttps(url: string): boolean {
  return url.startsWith('https:');
}

function isTemporaryStatus(status: number): boolean {
  return status === 429 || status >= 500;
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message || error.name : String(error);
}
