/** Gives Node's HTTP/1.1 parser the bytes of a connection, a request at a time. */

import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Clock } from '@listwatch/storage';

/** Ends the head of a request. */
const HEAD_END = '\r\n\r\n';
/** Where no end can be seen, the parser gets this much: some hundred of the shortest requests. */
const PIECE_BYTES = 2048;

/**
 * Stands between a socket and the listener with which Node's server reads it. That listener takes all requests of a packet,
 * and goes on reading while they wait: 24 bytes become 2.4 KB, and 60 MB of pipelined requests took 3.2 GB. Here a piece
 * ends with a request, and while a request waits the parser gets nothing: the bytes stay in the socket, and TCP holds the
 * client back. The listener for `data` also makes Node read TLS as it must be read: see `readAsStream`.
 */
export class ParserFeed {
  readonly #socket: Socket;
  readonly #parse: (bytes: Buffer) => void;
  readonly #isFull: () => boolean;
  /** The request that the parser reads, or has read last. */
  #message: IncomingMessage | undefined;
  /** What is missing of its body. Not known of a body in chunks. */
  #bodyLeft = 0;
  /** What the parser has not got of the chunk that is being fed. */
  #rest: Buffer = NOTHING;
  /** Paused by this class, and not by Node. */
  #isHeld = false;
  #isStopped = false;
  /** The client sends too much: its next request is read later. */
  #isSlowed = false;

  /** `isFull`: a request waits. */
  constructor(socket: Socket, isFull: () => boolean) {
    this.#socket = socket;
    this.#isFull = isFull;
    const parsers = socket.listeners('data');
    socket.removeAllListeners('data');
    this.#parse = (bytes) => {
      for (const parser of parsers) parser.call(socket, bytes);
    };
    socket.on('data', this.#feed);
    socket.on('drain', this.#resume);
  }

  /** The parser has read the head of a request. */
  begin(message: IncomingMessage): void {
    this.#message = message;
    this.#bodyLeft = Number(message.headers['content-length'] ?? 0);
  }

  /** The request that waited has had its turn. In a turn of its own: a packet full of requests must not stop the others. */
  goOn(): void {
    setImmediate(this.#resume);
  }

  /** The next request is read after this time. The body of the one that is being read is read on. */
  holdFor(clock: Clock, ms: number): void {
    if (this.#isSlowed || this.#isStopped) return;
    this.#isSlowed = true;
    // A connection may be slowed each second for hours: nothing may stay on the socket.
    const cancel = clock.after(ms, () => {
      this.#socket.off('close', cancel);
      this.#isSlowed = false;
      this.#resume();
    });
    this.#socket.once('close', cancel);
  }

  /** The parser gets no more. Returns what it has not had of the bytes that were read. */
  stop(): Buffer {
    this.#isStopped = true;
    this.#socket.off('data', this.#feed);
    this.#socket.off('drain', this.#resume);
    return this.#rest;
  }

  readonly #feed = (chunk: Buffer): void => {
    this.#rest = chunk;
    while (this.#rest.length > 0) {
      if (this.#mustWait()) {
        this.#putBack();
        return;
      }
      const piece = this.#rest.subarray(0, this.#pieceBytes());
      this.#rest = this.#rest.subarray(piece.length);
      const read = this.#isReadingBody ? this.#message : undefined;
      this.#parse(piece);
      if (this.#isStopped) return;
      if (read !== undefined && read === this.#message) this.#bodyLeft -= piece.length;
    }
  };

  readonly #resume = (): void => {
    // Node pauses the socket too, for a drain or a body that nobody reads, and throws if it gets bytes before the drain.
    if (!this.#isHeld || this.#isStopped || this.#isSlowed || this.#isFull() || this.#socket.writableNeedDrain) return;
    this.#isHeld = false;
    this.#socket.resume();
  };

  /** The body of a request that waits is read as far as Node keeps it. */
  #mustWait(): boolean {
    if ((this.#isSlowed || this.#isFull()) && !this.#isReadingBody) this.#isHeld = true;
    return this.#isHeld || this.#socket.isPaused();
  }

  #putBack(): void {
    const rest = this.#rest;
    this.#rest = NOTHING;
    // First: a socket that flows would give back at once what is put back.
    this.#socket.pause();
    this.#socket.unshift(rest);
  }

  get #isReadingBody(): boolean {
    return this.#message?.complete === false;
  }

  #pieceBytes(): number {
    if (this.#isReadingBody) return this.#bodyLeft > 0 ? this.#bodyLeft : PIECE_BYTES;
    const end = this.#rest.subarray(0, PIECE_BYTES).indexOf(HEAD_END, 0, 'latin1');
    return end === -1 ? PIECE_BYTES : end + HEAD_END.length;
  }
}

const NOTHING: Buffer = Buffer.alloc(0);
