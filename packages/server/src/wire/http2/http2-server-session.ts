/** The deadlines and limits of one HTTP/2 connection. Node tells of finished requests only: it shows no unfinished frame. */

import { constants, type ServerHttp2Session, type ServerHttp2Stream } from 'node:http2';
import type { TLSSocket } from 'node:tls';
import { LINGER_MS } from '../../contract/reply.ts';
import { ConnectionCertificate } from '../client-certificate.ts';
import { drain } from '../end-and-drain.ts';
import type { EndpointConfig } from '../endpoint-config.ts';
import { EarlyResets } from './early-resets.ts';

const PING_FRAME_BYTES = 17;
/** A ping that is late because much is sent before it may take this many times as long. */
const SLOW_PINGS_MAX = 4;

/** The ping itself and other control frames are no progress. */
const CONTROL_BYTES = 1024;

/** Ends a connection that is idle, on which the client does not finish what it began, or that resets streams too fast. */
export class Http2ServerSession {
  readonly certificate: ConnectionCertificate;
  readonly #session: ServerHttp2Session;
  readonly #socket: TLSSocket;
  readonly #config: EndpointConfig;
  readonly #streams = new Set<ServerHttp2Stream>();
  readonly #resets: EarlyResets;
  /** When each stream began whose end has not been looked at. */
  readonly #uncounted = new Map<ServerHttp2Stream, number>();
  /** The bytes of the frames that the client has provably finished. */
  #finishedBytes = 0;
  /** Its next streams wait until then: it sends too much. */
  slowUntil = 0;
  #isCut = false;
  #cancelIdle: () => void = () => {};
  #cancelCheck: () => void = () => {};

  constructor(session: ServerHttp2Session, socket: TLSSocket, config: EndpointConfig) {
    this.#session = session;
    this.#socket = socket;
    this.certificate = new ConnectionCertificate(socket, config);
    this.#config = config;
    this.#resets = new EarlyResets(config.clock, config.maxConcurrentStreams);
    session.on('stream', (stream) => this.#track(stream));
    session.once('close', () => {
      this.#cancelIdle();
      this.#cancelCheck();
    });
    this.#startIdle();
    this.#awaitPreface();
  }

  /** The connection is being ended: nothing is served on it any more. */
  get isCut(): boolean {
    return this.#isCut;
  }

  get remoteAddress(): string | undefined {
    return this.#socket.remoteAddress;
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
    // Streams that end with the connection and are not served any more.
    stream.on('error', () => {});
    // Node tells of a reset when it has read the packet, and a packet can hold a thousand.
    if (this.#uncounted.size >= this.#config.maxConcurrentStreams) this.#countResets();
    this.#uncounted.set(stream, this.#resets.time());
    stream.once('close', () => {
      this.#streams.delete(stream);
      this.#count(stream);
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

  #countResets(): void {
    for (const stream of this.#uncounted.keys()) if (stream.closed) this.#count(stream);
  }

  #count(stream: ServerHttp2Stream): void {
    const begun = this.#uncounted.get(stream);
    this.#uncounted.delete(stream);
    // A client may leave a watch or a long list that has begun: controllers do it all the time.
    const isLeft = stream.headersSent && !stream.writableEnded;
    // Without an error only a request that got no answer at all counts: Node may close a stream before its answer is flushed.
    const isReset = !isLeft && (stream.rstCode !== constants.NGHTTP2_NO_ERROR || !stream.headersSent);
    if (begun === undefined || !isReset || this.#session.destroyed || this.#isCut) return;
    if (!this.#resets.take(begun)) this.#calm();
  }

  /** nghttp2 has a limit too, of a thousand: they cost a second, and then Node keeps the connection. */
  #calm(): void {
    this.#isCut = true;
    this.#config.cuts.resetting++;
    this.#session.goaway(constants.NGHTTP2_ENHANCE_YOUR_CALM);
    // Node is reading a packet, and would end the socket before it has sent the GOAWAY.
    setImmediate(() => {
      // Closed before: Node then ends the socket instead of resetting it, and a reset would take the GOAWAY away.
      this.#session.close();
      this.#session.destroy(new Error('too many streams were reset'), constants.NGHTTP2_ENHANCE_YOUR_CALM);
      drain(this.#socket, this.#config.clock);
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
