/** The connections to one webhook: kept, over HTTP/1.1, or over HTTP/2 to this machine. */

import type { IncomingHttpHeaders } from 'node:http';
import { type ClientHttp2Session, connect as connectHttp2, constants } from 'node:http2';
import { Agent, request as httpsRequest, type RequestOptions } from 'node:https';
import type { Duplex, Readable } from 'node:stream';
import {
  type ConnectionOptions,
  checkServerIdentity,
  connect as connectTls,
  type PeerCertificate,
  type TLSSocket,
} from 'node:tls';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { checkedLookup } from '../../../forward/checked-lookup.ts';

/** The address of a webhook. */
export interface WebhookAddress {
  readonly host: string;
  readonly port: number;
  /** The name in its certificate; `''` for an IP address. */
  readonly servername: string;
  /** `Host`. */
  readonly authority: string;
  /** HTTP/2 is offered, as kube-apiserver does to its own machine. */
  readonly offersHttp2: boolean;
}

/** The HTTP answer of a webhook. */
export interface WebhookAnswer {
  readonly status: number;
  readonly contentType: string;
  readonly retryAfter: string;
  readonly body: Buffer;
}

/** An answer that is larger than any review. */
export class LongAnswer extends Error {
  override readonly name = 'LongAnswer';

  constructor() {
    super(`the answer has more than ${MAX_ANSWER_BYTES} bytes`);
  }
}

/** As much as a request may have. */
export const MAX_ANSWER_BYTES: number = 3 * 1024 * 1024;
const IDLE_MS = 90_000;
const MAX_SOCKETS = 64;
const MAX_FREE_SOCKETS = 8;
const HEADERS = {
  'Content-Type': 'application/json',
  Accept: 'application/json, */*',
  'Accept-Encoding': 'gzip',
  'User-Agent': 'kube-apiserver-admission',
};

const unzip = promisify(gunzip);

/** The connections to one address with one set of authorities. */
export class WebhookClient {
  readonly #address: WebhookAddress;
  readonly #agent: KeptSockets;
  readonly #tls: ConnectionOptions;
  #session: Promise<ClientHttp2Session | undefined> | undefined;

  /** `ca`: PEM; undefined for the authorities of the system. `check` throws for an address that must not be connected to. */
  constructor(address: WebhookAddress, ca: string | undefined, check: (address: string) => void) {
    this.#address = address;
    const lookup = checkedLookup(check);
    this.#tls = { ...(ca === undefined ? {} : { ca }), checkServerIdentity: identityProblem, lookup };
    this.#agent = new KeptSockets({
      ...this.#tls,
      keepAlive: true,
      maxSockets: MAX_SOCKETS,
      maxFreeSockets: MAX_FREE_SOCKETS,
      timeout: IDLE_MS,
    });
  }

  /** Sends a body. Rejects with the error of the connection, with {@link LongAnswer}, and with the signal's reason. */
  async post(path: string, body: Buffer, signal: AbortSignal): Promise<WebhookAnswer> {
    const session = this.#address.offersHttp2 ? await this.#http2(signal) : undefined;
    signal.throwIfAborted();
    return session === undefined ? this.#post1(path, body, signal, true) : post2(session, path, body, signal);
  }

  close(): void {
    this.#agent.destroy();
    void this.#session?.then(
      (session) => session?.destroy(),
      () => undefined,
    );
  }

  async #post1(path: string, body: Buffer, signal: AbortSignal, mayRepeat: boolean): Promise<WebhookAnswer> {
    const { host, port, servername, authority } = this.#address;
    const headers = { Host: authority, ...HEADERS, 'Content-Length': body.length };
    const options: RequestOptions = {
      method: 'POST',
      host,
      port,
      servername,
      path,
      headers,
      agent: this.#agent,
      signal,
    };
    let isReused = false;
    let hasAnswer = false;
    try {
      return await new Promise<WebhookAnswer>((resolve, reject) => {
        const sent = httpsRequest(options, (response) => {
          hasAnswer = true;
          resolve(readAnswer(response, response.statusCode ?? 0, response.headers));
        });
        // Stays registered for errors after the answer.
        sent.on('error', (error) => {
          isReused = sent.reusedSocket;
          reject(error);
        });
        sent.end(body);
      });
    } catch (error) {
      // The webhook has closed the idle connection at the same moment and has not seen the request: send it again.
      if (mayRepeat && isReused && !hasAnswer && !signal.aborted && isReset(error)) {
        return this.#post1(path, body, signal, false);
      }
      signal.throwIfAborted();
      throw error;
    }
  }

  /** The session; undefined when the other end speaks HTTP/1.1 only. */
  async #http2(signal: AbortSignal): Promise<ClientHttp2Session | undefined> {
    const known = await this.#session?.catch(() => undefined);
    if (known !== undefined && !known.closed && !known.destroyed) return known;
    if (this.#agent.isUsed) return undefined;
    const opening = this.#open(signal);
    this.#session = opening;
    // The next call tries again.
    opening.catch(() => (this.#session = undefined));
    return opening;
  }

  async #open(signal: AbortSignal): Promise<ClientHttp2Session | undefined> {
    const { host, port, servername, authority } = this.#address;
    const socket = await connected(
      connectTls({ ...this.#tls, host, port, servername, ALPNProtocols: ['h2', 'http/1.1'] }),
      signal,
    );
    if (socket.alpnProtocol !== 'h2') {
      this.#agent.take(socket);
      return undefined;
    }
    const session = connectHttp2(`https://${authority}`, { createConnection: () => socket });
    session.on('error', () => session.destroy());
    session.setTimeout(IDLE_MS, () => session.close());
    session.unref();
    return session;
  }
}

/** As in Go, a name counts only as a subject alternative name: Node takes the Common Name where there is none. */
function identityProblem(host: string, cert: PeerCertificate): Error | undefined {
  if ((cert.subjectaltname ?? '') !== '') return checkServerIdentity(host, cert);
  const error = new Error(`the certificate has no subject alternative names, but wanted ${host}`);
  return Object.assign(error, { code: 'ERR_TLS_CERT_ALTNAME_INVALID', cert });
}

/** An agent whose first socket may come from the negotiation of HTTP/2. */
class KeptSockets extends Agent {
  #given: TLSSocket | undefined;
  #isUsed = false;

  /** Does the webhook speak HTTP/1.1 only? */
  get isUsed(): boolean {
    return this.#isUsed;
  }

  take(socket: TLSSocket): void {
    this.#isUsed = true;
    this.#given = socket;
  }

  override createConnection(
    options: Parameters<Agent['createConnection']>[0],
    callback?: Parameters<Agent['createConnection']>[1],
  ): Duplex | null | undefined {
    const socket = this.#given;
    this.#given = undefined;
    return socket !== undefined && !socket.destroyed ? socket : super.createConnection(options, callback);
  }
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

function post2(session: ClientHttp2Session, path: string, body: Buffer, signal: AbortSignal): Promise<WebhookAnswer> {
  return new Promise((resolve, reject) => {
    const lower = Object.fromEntries(Object.entries(HEADERS).map(([name, value]) => [name.toLowerCase(), value]));
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
    stream.on('response', (headers) => resolve(readAnswer(stream, headers[':status'] ?? 0, headers)));
    stream.end(body);
  });
}

async function readAnswer(stream: Readable, status: number, headers: IncomingHttpHeaders): Promise<WebhookAnswer> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of stream) {
    if (!Buffer.isBuffer(part)) continue;
    size += part.length;
    // Leaving the loop destroys the stream, and so stops an endless answer.
    if (size > MAX_ANSWER_BYTES) throw new LongAnswer();
    parts.push(part);
  }
  const retryAfter = headers['retry-after'] ?? '';
  const contentType = headers['content-type'] ?? '';
  return { status, contentType, retryAfter, body: await plain(Buffer.concat(parts), headers['content-encoding']) };
}

async function plain(body: Buffer, encoding: string | undefined): Promise<Buffer> {
  if (encoding !== 'gzip') return body;
  try {
    return await unzip(body, { maxOutputLength: MAX_ANSWER_BYTES });
  } catch (error) {
    throw isCode(error, 'ERR_BUFFER_TOO_LARGE') ? new LongAnswer() : error;
  }
}

function isReset(error: unknown): boolean {
  return isCode(error, 'ECONNRESET') || isCode(error, 'EPIPE');
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
