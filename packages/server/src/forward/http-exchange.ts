/** One request to another server over HTTP/1.1, as Node's client sends it, and the beginning of its answer. */

import { type Agent, type ClientRequest, type IncomingMessage, request as requestHttp } from 'node:http';
import { type RequestOptions, request as requestHttps } from 'node:https';
import type { Readable } from 'node:stream';
import { TLSSocket } from 'node:tls';

/** An interim answer: `100 Continue`, `103 Early Hints`. */
export interface InterimAnswer {
  readonly status: number;
  readonly statusText: string;
  /** Names and values in turn. */
  readonly headers: readonly string[];
}

/** A request that is ready to be sent. */
export interface HttpExchange {
  /** Where it goes and what it says. `setHost` is false: `headers`, names and values in turn, has the Host. */
  readonly options: Omit<RequestOptions, 'headers'> & { readonly headers: readonly string[] };
  readonly secure: boolean;
  readonly signal: AbortSignal;
  /** How long it may take until the connection is ready. The answer has no limit here. */
  readonly connectMs: number;
  /** Sends the body and ends the request. Default: there is none. */
  readonly send?: ((request: ClientRequest) => void) | undefined;
  readonly onInterim?: ((interim: InterimAnswer) => void) | undefined;
  /** More interim answers than this are a failure: without an end they keep the loop busy. Default: no limit. */
  readonly maxInterim?: number | undefined;
  /** False: a 101 is a failure, because nobody asked for it. Default: true. */
  readonly upgrades?: boolean | undefined;
}

/** The answer: its body is not read yet. `upgrade` is the connection after a 101, with what came behind it. */
export interface HttpAnswer {
  readonly message: IncomingMessage;
  /** The request: not all of its body may have been sent. */
  readonly sent: ClientRequest;
  readonly upgrade?: { readonly socket: IncomingMessage['socket']; readonly first: Buffer } | undefined;
}

/** A kept connection was closed before it could be used again: nothing was answered, and the request may be sent once more. */
export class StaleConnection extends Error {
  override readonly name = 'StaleConnection';
}

/** Node refuses to send the request, or to make such a connection. */
export class UnsentRequest extends Error {
  override readonly name = 'UnsentRequest';
}

/** Sends a request. Rejects with the signal's reason, with one of the errors above, or with that of the connection. */
export function exchangeHttp({
  options,
  secure,
  signal,
  connectMs,
  send,
  onInterim,
  maxInterim = Number.POSITIVE_INFINITY,
  upgrades = true,
}: HttpExchange): Promise<HttpAnswer> {
  return new Promise((resolve, reject) => {
    let sent: ClientRequest;
    try {
      const headers = framedHeaders(options.headers, options.method, send !== undefined);
      const all = { ...options, headers, setHost: false, signal, timeout: connectMs };
      sent = secure ? requestHttps(all) : requestHttp(all);
    } catch (cause) {
      reject(new UnsentRequest(cause instanceof Error ? cause.message : String(cause), { cause }));
      return;
    }
    // Only until it is connected: an answer may take as long as its deadline.
    sent.on('timeout', () => {
      if (isConnecting(sent)) sent.destroy(new DOMException('timed out', 'TimeoutError'));
    });
    sent.on('response', (message) => resolve({ message, sent }));
    sent.on('upgrade', (message, socket, first) => {
      if (upgrades) return resolve({ message, sent, upgrade: { socket, first } });
      // The connection would be neither read nor closed.
      socket.destroy();
      return reject(new Error('the protocol was changed without being asked for'));
    });
    if (onInterim !== undefined || maxInterim < Number.POSITIVE_INFINITY) {
      let count = 0;
      sent.on('information', ({ statusCode: status, statusMessage: statusText, rawHeaders: headers }) => {
        count += 1;
        if (count > maxInterim) sent.destroy(new Error('too many 1xx answers'));
        else onInterim?.({ status, statusText, headers });
      });
    }
    sent.on('error', (error) => {
      if (signal.aborted) reject(signal.reason);
      else if (sent.reusedSocket && send === undefined && isCut(error)) reject(new StaleConnection());
      else reject(error);
    });
    if (send === undefined) sent.end();
    else send(sent);
  });
}

/** Node expects no body of these. */
const BODYLESS_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'DELETE', 'OPTIONS', 'TRACE']);

/**
 * Says where the body ends. Left to itself Node writes the body of a DELETE or GET without a length right behind the head: the next server
 * takes it for another request, with any user that its writer likes.
 */
function framedHeaders(headers: readonly string[], method = 'GET', hasBody: boolean): readonly string[] {
  const isFramed = headers.some((name, index) => index % 2 === 0 && FRAMING.test(name));
  if (isFramed) return headers;
  if (hasBody) return [...headers, 'Transfer-Encoding', 'chunked'];
  // Else Node sends the end of a chunked body, which is no part of the protocol after an upgrade.
  return BODYLESS_METHODS.has(method) ? headers : [...headers, 'Content-Length', '0'];
}

const FRAMING = /^(?:content-length|transfer-encoding)$/iu;

/** Sends a body as it comes, no faster than the other server takes it. */
export function sendBody(body: Readable, sent: ClientRequest): void {
  body.on('error', () => sent.destroy());
  // A client that stops in the middle must not look as if it had sent everything.
  const close = (): void => {
    if (!body.readableEnded && !sent.writableFinished) sent.destroy();
  };
  // It may have gone before the request could be made.
  if (body.destroyed) close();
  body.on('close', close);
  body.pipe(sent);
}

/** Closes idle connections. Those in use are closed when they come back. */
export function retireAgent(agent: Agent): void {
  agent.maxFreeSockets = 0;
  for (const sockets of Object.values(agent.freeSockets)) for (const socket of sockets ?? []) socket.destroy();
}

function isConnecting({ socket }: ClientRequest): boolean {
  if (socket === null || socket.connecting) return true;
  // No cipher: the handshake has not ended.
  return socket instanceof TLSSocket && (socket.getCipher() as unknown) === undefined;
}

function isCut(error: Error): boolean {
  return (
    error.message === 'socket hang up' || ('code' in error && (error.code === 'ECONNRESET' || error.code === 'EPIPE'))
  );
}
