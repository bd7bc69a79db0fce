/** The deadlines of one HTTP/2 connection. Node tells of finished requests only: it shows no unfinished frame. */

import type { ServerHttp2Session, ServerHttp2Stream } from 'node:http2';
import type { TLSSocket } from 'node:tls';
import { LINGER_MS } from '../contract/reply.ts';
import type { EndpointConfig } from './endpoint-config.ts';

const PING_FRAME_BYTES = 17;
/** A ping that is late because much is sent before it may take this many times as long. */
const SLOW_PINGS_MAX = 4;

/** The ping itself and other control frames are no progress. */
const CONTROL_BYTES = 1024;

/** Ends a connection that is idle, or on which the client does not finish what it began. */
export class Http2ServerSession {
  readonly #session: ServerHttp2Session;
  readonly #socket: TLSSocket;
  readonly #config: EndpointConfig;
  readonly #streams = new Set<ServerHttp2Stream>();
  /** The bytes of the frames that the client has provably finished. */
  #finishedBytes = 0;
  #cancelIdle: () => void = () => {};
  #cancelCheck: () => void = () => {};

  constructor(session: ServerHttp2Session, socket: TLSSocket, config: EndpointConfig) {
    this.#session = session;
    this.#socket = socket;
    this.#config = config;
    session.on('stream', (stream) => this.#track(stream));
    session.once('close', () => {
      this.#cancelIdle();
      this.#cancelCheck();
    });
    this.#startIdle();
    this.#awaitPreface();
  }

  /** The bytes of answers that wait for the client to open its windows. */
  get unreadBytes(): number {
    let bytes = 0;
    for (const stream of this.#streams) bytes += stream.writableLength;
    return bytes;
  }

  #track(stream: ServerHttp2Stream): void {
    this.#cancelIdle();
    this.#streams.add(stream);
    stream.once('close', () => {
      this.#streams.delete(stream);
      if (this.#streams.size === 0) this.#startIdle();
    });
  }

  #startIdle(): void {
    const { clock, idleTimeoutMs } = this.#config;
    if (this.#session.closed) return;
    this.#cancelIdle = clock.after(idleTimeoutMs, () => {
      this.#session.close();
      // A client that does not take the GOAWAY, or is in the middle of a frame, would keep the socket.
      this.#cancelIdle = clock.after(LINGER_MS, () => this.#destroy());
    });
  }

  /** The client's first SETTINGS end its preface. */
  #awaitPreface(): void {
    const { clock, headersTimeoutMs } = this.#config;
    this.#cancelCheck = clock.after(headersTimeoutMs, () => this.#cut());
    this.#session.once('remoteSettings', () => {
      this.#cancelCheck();
      this.#scheduleCheck();
    });
  }

  /**
   * Every half `headersTimeoutMs`: when bytes have arrived, the client is pinged. Within a header block or any other
   * unfinished frame it cannot answer: HTTP/2 forbids frames in between.
   */
  #scheduleCheck(): void {
    const { clock, headersTimeoutMs } = this.#config;
    this.#cancelCheck = clock.after(Math.ceil(headersTimeoutMs / 2), () => {
      if (this.#socket.bytesRead === this.#finishedBytes) this.#scheduleCheck();
      else this.#ping();
    });
  }

  #ping(): void {
    if (this.#session.destroyed) return;
    let answered = false;
    const arrived = this.#socket.bytesRead;
    const isSent = this.#session.ping((error) => {
      answered = true;
      if (error !== null || this.#session.destroyed) return;
      this.#cancelCheck();
      // What had arrived before the ping, and the answer. The bytes behind the answer may be an unfinished frame.
      this.#finishedBytes = arrived + PING_FRAME_BYTES;
      this.#scheduleCheck();
    });
    if (isSent && !answered) this.#awaitAnswer(SLOW_PINGS_MAX, this.#socket.bytesWritten);
  }

  #awaitAnswer(turnsLeft: number, bytesWritten: number): void {
    const { clock, headersTimeoutMs } = this.#config;
    this.#cancelCheck = clock.after(headersTimeoutMs, () => {
      // On a slow line the ping waits behind the answers that were written before it.
      const { bytesWritten: now } = this.#socket;
      if (now > bytesWritten + CONTROL_BYTES && turnsLeft > 1) this.#awaitAnswer(turnsLeft - 1, now);
      else this.#cut();
    });
  }

  #cut(): void {
    this.#config.cuts.stalled++;
    this.#destroy();
  }

  #destroy(): void {
    this.#session.destroy();
    this.#socket.destroy();
  }
}
