/** The HTTPS server of webhooks. */

import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { ManagerError } from '../manager/manager-error.ts';
import { PipelineBound } from '../manager/pipeline-bound.ts';
import { onResponseEnd } from '../manager/response-end.ts';
import type { ServingPair } from './certificate/serving-pair.ts';
import { answerNode } from './node-listener.ts';
import type { WebhookCalls } from './webhook-calls.ts';

/** API servers keep a few connections each. */
const LIMITS = { connections: 1000, headerBytes: 16_384, headersMs: 10_000, requestMs: 35_000 };
/** Go's clients forget an idle connection after 90 s: one that they still use must not be closed here. */
const KEEP_ALIVE_MS = 120_000;

export class WebhookServer {
  readonly #calls: WebhookCalls;
  #server: Server | undefined;
  #isEnding = false;
  readonly #sockets = new Set<Socket>();
  readonly #bound = new PipelineBound();
  #answering = 0;
  #onAnswered: (() => void) | undefined;

  constructor(calls: WebhookCalls) {
    this.#calls = calls;
  }

  /** Undefined before it listens. */
  get port(): number | undefined {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a server on a port has no other kind of address
    return (this.#server?.address() as AddressInfo | null | undefined)?.port;
  }

  /** New connections get this certificate; those that are open keep theirs. */
  use({ cert, key }: ServingPair): void {
    const context = { cert, key, minVersion: 'TLSv1.2' } as const;
    if (this.#server === undefined) this.#server = this.#create(context);
    else this.#server.setSecureContext(context);
  }

  /** Call `use` before. Rejects with `WEBHOOK_SERVER` when the address is taken or not ours. */
  async listen(host: string | undefined, port: number): Promise<void> {
    const server = this.#server;
    if (server === undefined) throw new TypeError('the server needs a certificate before it listens');
    await new Promise<void>((resolve, reject) => {
      server.once('error', (cause) => {
        const message = `cannot serve webhooks on ${host ?? ''}:${port}: ${cause.message}`;
        reject(new ManagerError('WEBHOOK_SERVER', message, { cause }));
      });
      server.listen({ host, port }, resolve);
    });
    // For want of file descriptors, for example. Without a listener it would end the process.
    server.removeAllListeners('error').on('error', () => {});
  }

  /** From now on connections are closed behind their answers. */
  drain(): void {
    this.#isEnding = true;
  }

  /** Takes no more connections; resolves when every call has its answer. */
  async close(): Promise<void> {
    this.drain();
    const server = this.#server;
    if (server === undefined || !server.listening) return;
    const closed = new Promise<void>((resolve) => {
      server.close(() => resolve());
    });
    server.closeIdleConnections();
    await this.#answered();
    // A connection on which nothing was ever asked is not idle to Node: API servers keep such ones, and would keep this process.
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }

  /** Resolves when no answer is on its way. */
  async #answered(): Promise<void> {
    if (this.#answering === 0) return;
    await new Promise<void>((resolve) => {
      this.#onAnswered = resolve;
    });
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    if (!this.#bound.admits(request, response)) return;
    this.#answering++;
    onResponseEnd(request, response, () => {
      this.#answering--;
      if (this.#answering === 0) this.#onAnswered?.();
    });
    void answerNode(this.#calls, request, response, this.#isEnding);
  }

  #create(context: { readonly cert: string; readonly key: string; readonly minVersion: 'TLSv1.2' }): Server {
    const server = createServer(
      {
        ...context,
        handshakeTimeout: LIMITS.headersMs,
        maxHeaderSize: LIMITS.headerBytes,
        headersTimeout: LIMITS.headersMs,
        requestTimeout: LIMITS.requestMs,
        keepAliveTimeout: KEEP_ALIVE_MS,
      },
      (request, response) => this.#answer(request, response),
    );
    server.on('connection', (socket: Socket) => {
      this.#sockets.add(socket);
      socket.once('close', () => this.#sockets.delete(socket));
    });
    server.maxConnections = LIMITS.connections;
    server.on('clientError', (_, socket) => socket.destroy());
    server.on('tlsClientError', (_, socket) => socket.destroy());
    return server;
  }
}
