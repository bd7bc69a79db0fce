/** The connections to one webhook: kept, over HTTP/1.1, or over HTTP/2 to this machine. */

import type { ClientHttp2Session } from 'node:http2';
import { request as httpsRequest, type RequestOptions } from 'node:https';
import { type ConnectionOptions, checkServerIdentity, type PeerCertificate } from 'node:tls';
import { type AddressCheck, checkedLookup } from '../../../forward/checked-lookup.ts';
import { ConnectionOpening, type FirstConnection, postInSession } from './first-connection.ts';
import { KeptSockets } from './kept-sockets.ts';
import { isCode, readAnswer, type WebhookAnswer } from './webhook-answer.ts';

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

/** The security of the connections. */
export interface WebhookTrust {
  /** PEM; undefined for the authorities of the system. */
  readonly ca: string | undefined;
  /** Is asked about each address that the host stands for. Throws for one that must not be connected to. */
  readonly check: AddressCheck;
}

const IDLE_MS = 90_000;
const MAX_SOCKETS = 64;
const MAX_FREE_SOCKETS = 8;
const HEADERS = {
  'Content-Type': 'application/json',
  Accept: 'application/json, */*',
  'Accept-Encoding': 'gzip',
  'User-Agent': 'kube-apiserver-admission',
};

/** The connections to one address with one set of authorities. */
export class WebhookClient {
  readonly #address: WebhookAddress;
  readonly #agent: KeptSockets;
  readonly #tls: ConnectionOptions;
  #session: ClientHttp2Session | undefined;
  #opening: ConnectionOpening | undefined;
  #calls = 0;
  #isRetired = false;

  constructor(address: WebhookAddress, { ca, check }: WebhookTrust) {
    this.#address = address;
    this.#tls = {
      ...(ca === undefined ? {} : { ca }),
      checkServerIdentity: identityProblem,
      lookup: checkedLookup(check),
    };
    this.#agent = new KeptSockets({
      ...this.#tls,
      keepAlive: true,
      maxSockets: MAX_SOCKETS,
      maxFreeSockets: MAX_FREE_SOCKETS,
      timeout: IDLE_MS,
    });
  }

  /** Sends a body. Rejects with the error of the connection, with `LongAnswer`, and with the signal's reason. */
  async post(path: string, body: Buffer, signal: AbortSignal): Promise<WebhookAnswer> {
    this.#calls += 1;
    try {
      const session = this.#address.offersHttp2 ? await this.#http2(signal) : undefined;
      signal.throwIfAborted();
      if (session === undefined) return await this.#post1(path, body, signal, true);
      return await postInSession(session, { path, body, headers: HEADERS }, signal);
    } finally {
      this.#calls -= 1;
      if (this.#isRetired && this.#calls === 0) this.close();
    }
  }

  /** Closes the connections when the calls that are under way have ended. */
  retire(): void {
    this.#isRetired = true;
    if (this.#calls === 0) this.close();
  }

  /** Closes the connections; calls that are under way fail. */
  close(): void {
    this.#opening?.cancel();
    this.#session?.destroy();
    this.#agent.destroy();
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
    if (this.#openSession !== undefined) return this.#openSession;
    if (this.#agent.isUsed) return undefined;
    if (this.#opening === undefined || this.#opening.isOver) {
      const { host, port, servername, authority } = this.#address;
      const options = { tls: { ...this.#tls, host, port, servername }, authority, idleMs: IDLE_MS };
      this.#opening = new ConnectionOpening(options, (connection) => this.#take(connection));
    }
    await this.#opening.wait(signal);
    return this.#openSession;
  }

  get #openSession(): ClientHttp2Session | undefined {
    const session = this.#session;
    return session === undefined || session.closed || session.destroyed ? undefined : session;
  }

  #take(connection: FirstConnection): void {
    if (connection.protocol === 'h2') this.#session = connection.session;
    else this.#agent.take(connection.socket);
  }
}

/** As in Go, a name counts only as a subject alternative name: Node takes the Common Name where there is none. */
function identityProblem(host: string, cert: PeerCertificate): Error | undefined {
  if ((cert.subjectaltname ?? '') !== '') return checkServerIdentity(host, cert);
  const error = new Error(`the certificate has no subject alternative names, but wanted ${host}`);
  return Object.assign(error, { code: 'ERR_TLS_CERT_ALTNAME_INVALID', cert });
}

function isReset(error: unknown): boolean {
  return isCode(error, 'ECONNRESET') || isCode(error, 'EPIPE');
}
