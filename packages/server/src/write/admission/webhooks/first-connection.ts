/** The first connection to a webhook: the handshake decides between HTTP/2 and HTTP/1.1. */

import { type ClientHttp2Session, connect as connectHttp2, constants } from 'node:http2';
import { type ConnectionOptions, connect as connectTls, type TLSSocket } from 'node:tls';
import { abortable } from '@listwatch/api/internal';
import { readAnswer, type WebhookAnswer } from './webhook-answer.ts';

/** The outcome of the handshake. */
export type FirstConnection =
  | { readonly protocol: 'h2'; readonly session: ClientHttp2Session }
  | { readonly protocol: 'http/1.1'; readonly socket: TLSSocket };

/** How the connection is opened. */
export interface FirstConnectionOptions {
  readonly tls: ConnectionOptions;
  /** `Host`. */
  readonly authority: string;
  /** An idle session is closed after this time. */
  readonly idleMs: number;
}

/**
 * A connection that is being opened, shared by all calls that wait for it: concurrent first calls would else open one
 * each, of which only the last is kept. It is given up when the last of them stops waiting.
 */
export class ConnectionOpening {
  readonly #ending = new AbortController();
  readonly #opened: Promise<FirstConnection>;
  #waiting = 0;
  #isOver = false;

  /** `take` gets the connection before any call does. */
  constructor(options: FirstConnectionOptions, take: (connection: FirstConnection) => void) {
    this.#opened = open(options, this.#ending.signal).then((connection) => {
      if (this.#isOver) {
        destroy(connection);
        throw new Error('the connection was given up');
      }
      this.#isOver = true;
      take(connection);
      return connection;
    });
    // The calls that wait hear of it; there may be none any more.
    this.#opened.catch(() => (this.#isOver = true));
  }

  /** Has it succeeded, failed or been given up? */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** Rejects with the error of the connection, and with the signal's reason. */
  async wait(signal: AbortSignal): Promise<void> {
    this.#waiting += 1;
    try {
      await abortable(this.#opened, signal);
    } finally {
      this.#waiting -= 1;
      if (this.#waiting === 0) this.cancel();
    }
  }

  cancel(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#ending.abort(new Error('the connection is not wanted any more'));
  }
}

function destroy(connection: FirstConnection): void {
  if (connection.protocol === 'h2') connection.session.destroy();
  else connection.socket.destroy();
}

async function open({ tls, authority, idleMs }: FirstConnectionOptions, signal: AbortSignal): Promise<FirstConnection> {
  const socket = await connected(connectTls({ ...tls, ALPNProtocols: ['h2', 'http/1.1'] }), signal);
  if (socket.alpnProtocol !== 'h2') return { protocol: 'http/1.1', socket };
  const session = connectHttp2(`https://${authority}`, { createConnection: () => socket });
  session.on('error', () => session.destroy());
  session.setTimeout(idleMs, () => session.close());
  session.unref();
  return { protocol: 'h2', session };
}

function connected(socket: TLSSocket, signal: AbortSignal): Promise<TLSSocket> {
  return new Promise((resolve, reject) => {
    const abort = (): void => {
      socket.destroy();
      reject(signal.reason);
    };
    if (signal.aborted) {
      abort();
      return;
    }
    signal.addEventListener('abort', abort, { once: true });
    const done = (): void => signal.removeEventListener('abort', abort);
    socket.once('secureConnect', () => {
      done();
      resolve(socket);
    });
    socket.once('error', (error) => {
      done();
      reject(error);
    });
    socket.once('close', () => {
      done();
      reject(Object.assign(new Error('closed'), { code: 'ECONNRESET' }));
    });
  });
}

/** Sends a body in a stream of its own. Rejects with the error of the session, and with the signal's reason. */
export function postInSession(
  session: ClientHttp2Session,
  {
    path,
    body,
    headers,
  }: { readonly path: string; readonly body: Buffer; readonly headers: Readonly<Record<string, string>> },
  signal: AbortSignal,
): Promise<WebhookAnswer> {
  return new Promise((resolve, reject) => {
    const lower = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
    const stream = session.request({ ':method': 'POST', ':path': path, ...lower, 'content-length': body.length });
    const abort = (): void => {
      stream.close(constants.NGHTTP2_CANCEL);
      reject(signal.reason);
    };
    signal.addEventListener('abort', abort, { once: true });
    stream.on('close', () => {
      signal.removeEventListener('abort', abort);
      reject(Object.assign(new Error('closed'), { code: 'ECONNRESET' }));
    });
    stream.on('error', reject);
    stream.on('response', (head) => resolve(readAnswer(stream, head[':status'] ?? 0, head)));
    stream.end(body);
  });
}
