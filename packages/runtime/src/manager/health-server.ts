/** The HTTP server for probes and metrics. */

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ManagerError } from './manager-error.ts';
import { PipelineBound } from './pipeline-bound.ts';

/** Where the probes and the metrics are served. */
export interface HealthServerOptions {
  /** Default: every address of the machine; the kubelet and Prometheus come from outside the pod. */
  readonly host?: string | undefined;
  /** Default: 8080. 0: any free port; `Manager.health` has it. */
  readonly port?: number | undefined;
}

/** One answer. */
export interface HealthAnswer {
  readonly status: number;
  readonly type: string;
  readonly text: string;
}

/** The answers by path. `verbose`: the query asks for details. */
export type HealthPages = Readonly<Record<string, (verbose: boolean) => HealthAnswer | Promise<HealthAnswer>>>;

/** Probes and scrapes are few and short: anything beyond these bounds is no probe. */
const LIMITS = { connections: 64, headerBytes: 8192, headersMs: 5000 };
const IDLE_MS = 10_000;

export class HealthServer {
  readonly #options: HealthServerOptions;
  readonly #pages: HealthPages;
  readonly #server: Server;
  readonly #bound = new PipelineBound();

  /** `idleMs`: a connection on which nothing moves for so long is closed. */
  constructor(options: HealthServerOptions, pages: HealthPages, idleMs: number = IDLE_MS) {
    this.#options = options;
    this.#pages = pages;
    this.#server = createServer(
      {
        maxHeaderSize: LIMITS.headerBytes,
        headersTimeout: LIMITS.headersMs,
        requestTimeout: LIMITS.headersMs,
        keepAliveTimeout: idleMs,
        connectionsCheckingInterval: LIMITS.headersMs,
      },
      (request, response) => {
        if (this.#bound.admits(request, response)) void this.#answer(request, response);
      },
    );
    this.#server.maxConnections = LIMITS.connections;
    // A reader that takes nothing of its answer for so long is cut off; otherwise its answer would stay in memory.
    this.#server.setTimeout(idleMs, (socket) => socket.destroy());
    this.#server.on('clientError', (_, socket) => socket.destroy());
  }

  /** `http://host:port` once it listens. */
  get url(): string | undefined {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a server on a port has no other kind of address
    const address = this.#server.address() as AddressInfo | null;
    if (address === null) return undefined;
    const { host = 'localhost' } = this.#options;
    return `http://${host.includes(':') ? `[${host}]` : host}:${address.port}`;
  }

  /** Open connections. */
  get connections(): Promise<number> {
    return new Promise((resolve, reject) => {
      this.#server.getConnections((error, count) => (error === null ? resolve(count) : reject(error)));
    });
  }

  /** Rejects with `HEALTH_SERVER` when the address is taken or not ours. */
  async listen(): Promise<void> {
    const { host, port = 8080 } = this.#options;
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', (cause) => {
        const where = `${host ?? ''}:${port}`;
        reject(
          new ManagerError('HEALTH_SERVER', `cannot serve probes and metrics on ${where}: ${cause.message}`, { cause }),
        );
      });
      this.#server.listen({ host, port }, resolve);
    });
    // For want of file descriptors, for example. Without a listener it would end the process.
    this.#server.removeAllListeners('error').on('error', () => {});
  }

  async close(): Promise<void> {
    if (!this.#server.listening) return;
    const closed = new Promise<void>((resolve) => {
      this.#server.close(() => resolve());
    });
    this.#server.closeAllConnections();
    await closed;
  }

  /** Never rejects. */
  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { status, type, text } = await this.#page(request);
    const headers: Record<string, string> = {
      'content-type': type,
      'content-length': String(Buffer.byteLength(text)),
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    };
    if (status === 405) headers['allow'] = 'GET, HEAD';
    // A body that nobody asked for is not read to its end.
    if (request.headers['content-length'] !== undefined || request.headers['transfer-encoding'] !== undefined)
      headers['connection'] = 'close';
    response.writeHead(status, headers).end(request.method === 'HEAD' ? undefined : text);
  }

  async #page({ method, url = '/' }: IncomingMessage): Promise<HealthAnswer> {
    if (method !== 'GET' && method !== 'HEAD') return plainAnswer(405, 'use GET\n');
    const mark = url.indexOf('?');
    const path = mark < 0 ? url : url.slice(0, mark);
    if (!Object.hasOwn(this.#pages, path)) return plainAnswer(404, 'not found\n');
    try {
      const verbose = mark >= 0 && new URLSearchParams(url.slice(mark)).has('verbose');
      return (await this.#pages[path]?.(verbose)) ?? plainAnswer(404, 'not found\n');
    } catch (error) {
      return plainAnswer(500, `${String(error)}\n`);
    }
  }
}

/** An answer in plain text. */
export function plainAnswer(status: number, text: string): HealthAnswer {
  return { status, type: 'text/plain; charset=utf-8', text };
}
