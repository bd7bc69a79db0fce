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
  /** Where it goes and what it says. `setHost` is false: `headers` has the Host. */
  readonly options: RequestOptions;
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
      const all = { ...options, setHost: false, signal, timeout: connectMs };
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
      // Nobody would read from it, nor close it.
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

/** Sends a body as it comes, no faster than the other server takes it. */
export function sendBody(body: Readable, sent: ClientRequest): void {
  body.on('error', () => sent.destroy());
  // A client that stops in the middle must not look as if it had sent everything.
  body.on('close', () => {
    if (!body.readableEnded && !sent.writableFinished) sent.destroy();
  });
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
