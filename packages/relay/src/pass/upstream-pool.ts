/** Connections to the upstream: kept between requests, whoever sends them, for credentials are in the requests alone. */

import { type Agent, type ClientRequest, Agent as PlainAgent } from 'node:http';
import { Agent as TlsAgent } from 'node:https';
import {
  exchangeHttp,
  type HttpAnswer,
  type InterimAnswer,
  retireAgent,
  StaleConnection,
} from '@listwatch/server/internal';
import { closeWhenSurprised } from './surprised-agent.ts';
import type { UpstreamTls } from './upstream.ts';

/** Shorter than any API server keeps an idle connection: it would else be closed at the moment of its use. */
const IDLE_MS = 30_000;
const MAX_IDLE = 256;
/** As Go takes them: kube-apiserver's own answers are far smaller. */
const MAX_HEADER_BYTES = 1024 * 1024;
/** Asking them once more changes nothing. */
const REPEATABLE: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

export interface UpstreamPoolParts {
  readonly url: URL;
  readonly tls?: (() => Promise<UpstreamTls>) | undefined;
  readonly socketPath?: string | undefined;
  readonly connectTimeoutMs: number;
}

/** A request to the upstream. */
export interface PooledRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: readonly string[];
  readonly signal: AbortSignal;
  readonly send?: ((request: ClientRequest) => void) | undefined;
  /** The protocol changes: a connection of its own. */
  readonly upgrades: boolean;
  readonly onInterim: (interim: InterimAnswer) => void;
}

/** The connections of one trust. */
interface Agents {
  readonly tls: UpstreamTls | undefined;
  readonly kept: Agent;
  readonly single: Agent;
}

/** Sends requests. */
export class UpstreamPool {
  /** As the `Host` header has it. */
  readonly host: string;
  readonly #parts: UpstreamPoolParts;
  readonly #isSecure: boolean;
  #agents: Agents | undefined;

  constructor(parts: UpstreamPoolParts) {
    this.#parts = parts;
    this.host = parts.url.host;
    this.#isSecure = parts.url.protocol === 'https:';
  }

  /** Rejects with the signal's reason, or with the error of the connection. */
  async send(request: PooledRequest): Promise<HttpAnswer> {
    const agents = await this.#current();
    try {
      return await this.#exchange(agents, request);
    } catch (error) {
      request.signal.throwIfAborted();
      if (!(error instanceof StaleConnection) || !REPEATABLE.has(request.method)) throw error;
      return this.#exchange(agents, request);
    }
  }

  /** Closes idle connections. */
  close(): void {
    if (this.#agents !== undefined) retireAgent(this.#agents.kept);
    this.#agents = undefined;
  }

  #exchange({ kept, single }: Agents, request: PooledRequest): Promise<HttpAnswer> {
    const { url, socketPath, connectTimeoutMs } = this.#parts;
    const { method, path, headers, signal, send, upgrades, onInterim } = request;
    const host = url.hostname.replace(/^\[|\]$/gu, '');
    const place =
      socketPath === undefined ? { host, port: Number(url.port) || (this.#isSecure ? 443 : 80) } : { socketPath };
    return exchangeHttp({
      options: { ...place, agent: upgrades ? single : kept, method, path, headers, maxHeaderSize: MAX_HEADER_BYTES },
      secure: this.#isSecure,
      signal,
      connectMs: connectTimeoutMs,
      send,
      onInterim,
    });
  }

  async #current(): Promise<Agents> {
    const tls = await this.#parts.tls?.();
    if (this.#agents !== undefined && this.#agents.tls === tls) return this.#agents;
    this.close();
    this.#agents = { tls, kept: this.#newAgent(tls, true), single: this.#newAgent(tls, false) };
    return this.#agents;
  }

  #newAgent(tls: UpstreamTls | undefined, keepAlive: boolean): Agent {
    const options = {
      keepAlive,
      maxFreeSockets: MAX_IDLE,
      timeout: IDLE_MS,
      noDelay: true,
      scheduling: 'lifo',
    } as const;
    if (!this.#isSecure) return closeWhenSurprised(new PlainAgent(options));
    const { ca, servername, rejectUnauthorized = true } = tls ?? {};
    return closeWhenSurprised(
      new TlsAgent({
        ...options,
        ALPNProtocols: ['http/1.1'],
        rejectUnauthorized,
        ...(ca === undefined ? {} : { ca }),
        ...(servername === undefined ? {} : { servername }),
      }),
    );
  }
}
