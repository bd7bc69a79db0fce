/** One HTTP/2 session: its streams, its pings, and its end. */

import {
  type ClientHttp2Session,
  type ClientHttp2Stream,
  connect,
  constants,
  type OutgoingHttpHeaders,
} from 'node:http2';
import type { Socket } from 'node:net';
import type { Clock } from '@listwatch/api';
import { TransportError } from '../transport-error.ts';
import { SilenceGuard } from './silence-guard.ts';

export interface Http2ConnectionOptions {
  readonly clock: Clock;
  readonly authority: string;
  readonly pingAfterMs?: number | undefined;
  readonly pongWithinMs?: number | undefined;
  /** It takes no more requests. */
  readonly onUnavailable: () => void;
  /** Nothing of it is left. */
  readonly onGone: () => void;
}

/** HTTP/2's own 64 KiB would let a list of 8 MB stand still 128 times for a round trip. */
const STREAM_WINDOW = 4 * 1024 * 1024;
const SESSION_WINDOW = 32 * 1024 * 1024;
const SETTINGS_WITHIN_MS = 30_000;

/** A session is open, takes no more requests while its streams end (`draining`), or is gone. */
type State = 'draining' | 'gone' | 'open';

export class Http2Connection {
  readonly #session: ClientHttp2Session;
  readonly #socket: Socket;
  readonly #guard: SilenceGuard;
  readonly #options: Http2ConnectionOptions;
  #streams = 0;
  #state: State = 'open';
  /** Why our side broke it off. */
  #verdict: TransportError | undefined;

  private constructor(session: ClientHttp2Session, socket: Socket, options: Http2ConnectionOptions) {
    this.#session = session;
    this.#socket = socket;
    this.#options = options;
    this.#guard = new SilenceGuard({
      ...options,
      bytesRead: () => socket.bytesRead,
      ping: (answered) => this.#ping(answered),
      onDead: () => this.#breakOff('the server did not answer a ping: the connection is dead'),
    });
    session.setLocalWindowSize(SESSION_WINDOW);
    // Each request adds listeners of its own; a thousand watches on one session are no leak.
    session.setMaxListeners(0);
    session.on('error', () => {});
    session.on('close', () => this.#gone());
    session.unref();
  }

  /** Takes over a connected socket; resolves when the server has said how many streams it allows. */
  static async open(socket: Socket, options: Http2ConnectionOptions): Promise<Http2Connection> {
    const settings = { enablePush: false, initialWindowSize: STREAM_WINDOW };
    const session = connect(options.authority, { createConnection: () => socket, settings });
    await new Promise<void>((resolve, reject) => {
      const onClose = (): void => reject(new Error('the server hung up before it sent its settings'));
      const cancel = options.clock.after(SETTINGS_WITHIN_MS, () => {
        session.destroy(new Error(`the server sent no settings within ${SETTINGS_WITHIN_MS} ms`));
      });
      session.once('error', reject).once('close', onClose);
      session.once('remoteSettings', () => {
        cancel();
        session.off('error', reject).off('close', onClose);
        resolve();
      });
      session.once('close', cancel);
    });
    return new Http2Connection(session, socket, options);
  }

  /**
   * Can a request be sent here? Not after a GOAWAY, on which Node closes a session to new streams by itself; and more streams
   * than the server allows would wait in line, unseen.
   */
  get available(): boolean {
    const limit = this.#session.remoteSettings.maxConcurrentStreams ?? Number.POSITIVE_INFINITY;
    return this.#state === 'open' && !this.#session.closed && !this.#session.destroyed && this.#streams < limit;
  }

  /** False once it was destroyed: what ends then has not been ended by the server. */
  get alive(): boolean {
    return this.#state !== 'gone' && !this.#session.destroyed;
  }

  /** Why our side gave it up. */
  get verdict(): TransportError | undefined {
    return this.#verdict;
  }

  /** Sends a request. Throws when the session has just ended. */
  request(headers: OutgoingHttpHeaders, body: Uint8Array | undefined): ClientHttp2Stream {
    const stream = this.#session.request(headers, { endStream: body === undefined });
    if (body !== undefined) stream.end(body);
    this.#streams += 1;
    if (this.#streams === 1) this.#session.ref();
    this.#guard.start();
    stream.once('close', () => this.#released());
    return stream;
  }

  /** Something came over it. */
  heard(): void {
    this.#guard.heard();
  }

  /** No new requests; it closes when the last stream has ended. */
  drain(): void {
    if (this.#state !== 'open') return;
    this.#state = 'draining';
    this.#options.onUnavailable();
    if (!this.#session.closed) this.#session.close();
  }

  /** Ends it and everything on it, and waits until the socket is back. */
  async destroy(): Promise<void> {
    if (this.#socket.destroyed) return;
    await new Promise<void>((resolve) => {
      this.#socket.once('close', () => resolve());
      this.#destroyNow();
    });
  }

  #destroyNow(): void {
    this.#session.destroy(undefined, constants.NGHTTP2_CANCEL);
    // Node keeps the socket until its writes have ended, and never hears of one that was lost when the server reset the
    // connection. Frames that can still be sent leave within two turns.
    setImmediate(() => setImmediate(() => this.#socket.destroy()));
  }

  #released(): void {
    this.#streams -= 1;
    if (this.#streams > 0) return;
    this.#guard.stop();
    if (!this.#session.destroyed) this.#session.unref();
  }

  #ping(answered: () => void): void {
    if (this.#session.destroyed) return;
    this.#session.ping((error) => {
      if (error === null) answered();
    });
  }

  #breakOff(message: string): void {
    this.#verdict = new TransportError('IDLE_TIMEOUT', message);
    this.#gone();
    this.#destroyNow();
  }

  #gone(): void {
    this.#guard.stop();
    if (this.#state === 'gone') return;
    this.#state = 'gone';
    this.#options.onUnavailable();
    this.#options.onGone();
  }
}
