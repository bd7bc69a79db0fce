/** An HTTP/2 connection of a client, as far as gRPC needs it (RFC 9113). */

import type { Socket } from 'node:net';
import { ClientStream, type StreamListener } from './client-stream.ts';
import { FrameCutter } from './frame-cutter.ts';
import {
  FRAME_FLAG,
  FRAME_HEADER_BYTES,
  FRAME_TYPE,
  frameBytes,
  numberFrame,
  RESET,
  SETTING,
  settingsFrame,
  writeFrameHeader,
} from './frame-format.ts';
import { HpackDecoder } from './hpack-decoder.ts';

/** Hears of the connection. */
export interface SessionListener {
  /** The server's settings have come. */
  onSettings(): void;
  /** No stream can be opened any more. */
  onGoaway(code: number): void;
  /** The connection is lost; every stream has been told. Once. */
  onLost(error: Error): void;
}

const PREFACE = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 'latin1');
/** A page of a list arrives without waiting for the window again and again. */
const STREAM_WINDOW = 2 ** 22;
const CONNECTION_WINDOW = 2 ** 24;
const DEFAULT_WINDOW = 65_535;
const MAX_WINDOW = 2 ** 31 - 1;
const LAST_STREAM = 2 ** 31 - 1;
/** A header block may be cut into several frames. */
const MAX_BLOCK_BYTES = 64 * 1024;
/** So much may wait for the socket before it is written without waiting for the end of the turn. */
const FLUSH_BYTES = 256 * 1024;

/**
 * Sends what the calls of one turn of the event loop want in one write. node:http2 does the same for 50 us a call; most of that
 * is for streams, events and headers of a generality that gRPC does not need.
 */
export class ClientSession {
  readonly #socket: Socket;
  readonly #listener: SessionListener;
  readonly #cutter = new FrameCutter((type, flags, id, payload) => this.#onFrame(type, flags, id, payload));
  readonly #hpack = new HpackDecoder();
  readonly #streams = new Map<number, ClientStream>();
  /** Streams that wait until the server lets them in. */
  #waiting: ClientStream[] = [];
  #nextId = 1;
  #maxStreams = Number.POSITIVE_INFINITY;
  #initialSendWindow = DEFAULT_WINDOW;
  #maxFrameBytes = 16_384;
  #sendWindow = DEFAULT_WINDOW;
  #receiveWindow = CONNECTION_WINDOW;
  /** Streams with data that the connection's window holds up. */
  readonly #blocked = new Set<ClientStream>();
  /** A header block of which more frames are to come. */
  #block: { readonly id: number; readonly isEnd: boolean; pieces: Buffer[]; bytes: number } | undefined;
  #isSettled = false;
  #goawayCode: number | undefined;
  #isLost = false;
  #out: Buffer[] = [];
  #outBytes = 0;
  #isFlushing = false;
  #pings: (() => void)[] = [];

  /** `socket` is connected. */
  constructor(socket: Socket, listener: SessionListener) {
    this.#socket = socket;
    this.#listener = listener;
    socket.on('data', this.#onBytes);
    socket.on('error', (error) => this.destroy(error));
    socket.on('end', () => this.destroy(new Error('the server closed the connection')));
    socket.on('close', () => this.destroy(new Error('the connection was closed')));
    this.#send(PREFACE);
    this.#send(
      settingsFrame([
        [SETTING.ENABLE_PUSH, 0],
        [SETTING.INITIAL_WINDOW_SIZE, STREAM_WINDOW],
      ]),
    );
    this.#send(numberFrame(FRAME_TYPE.WINDOW_UPDATE, 0, CONNECTION_WINDOW - DEFAULT_WINDOW));
  }

  /** How many streams are open or wait. */
  get streamCount(): number {
    return this.#streams.size + this.#waiting.length;
  }

  /** Opens a stream with these headers and this data; `isEnd`: there is no more. */
  open(listener: StreamListener, block: Buffer, data: Buffer | undefined, isEnd: boolean): ClientStream {
    const stream = new ClientStream(listener, block);
    if (data !== undefined) stream.pending.push(data);
    stream.isEnding = isEnd;
    if (this.#streams.size < this.#maxStreams) this.#begin(stream);
    else this.#waiting.push(stream);
    return stream;
  }

  /** Sends more data on a stream. */
  write(stream: ClientStream, data: Buffer): void {
    if (stream.isEnding || this.#isLost) return;
    stream.pending.push(data);
    if (stream.id !== 0) this.#sendPending(stream);
  }

  /** Ends a stream now. Its listener hears no more. */
  cancel(stream: ClientStream): void {
    if (stream.id === 0) this.#waiting = this.#waiting.filter((other) => other !== stream);
    else if (this.#remove(stream)) this.#send(numberFrame(FRAME_TYPE.RST_STREAM, stream.id, RESET.CANCEL));
  }

  /** Lets the server send this many bytes more on a stream. */
  consume(stream: ClientStream, bytes: number): void {
    stream.consumed += bytes;
    if (stream.consumed < STREAM_WINDOW / 4 || !this.#streams.has(stream.id)) return;
    this.#send(numberFrame(FRAME_TYPE.WINDOW_UPDATE, stream.id, stream.consumed));
    stream.receiveWindow += stream.consumed;
    stream.consumed = 0;
  }

  /** Asks the server whether it is there. */
  ping(onPong: () => void): void {
    this.#pings.push(onPong);
    this.#send(frameBytes(FRAME_TYPE.PING, 0, 0, Buffer.alloc(8)));
  }

  /** Ends the connection: streams that are open fail with `error`. */
  destroy(error: Error): void {
    if (this.#isLost) return;
    this.#isLost = true;
    const streams = [...this.#streams.values()];
    const { length } = streams;
    streams.push(...this.#waiting);
    this.#streams.clear();
    this.#waiting = [];
    this.#blocked.clear();
    this.#socket.destroy();
    this.#listener.onLost(error);
    for (const [i, { listener }] of streams.entries()) {
      listener.onFailure({ code: undefined, error, unsent: i >= length });
    }
  }

  #begin(stream: ClientStream): void {
    stream.id = this.#nextId;
    this.#nextId += 2;
    stream.sendWindow = this.#initialSendWindow;
    stream.receiveWindow = STREAM_WINDOW;
    this.#streams.set(stream.id, stream);
    this.#sendHeaders(stream);
    this.#sendPending(stream);
    // The next number would not be one: streams behind this one need another connection.
    if (this.#nextId > LAST_STREAM) this.#refuseMore(RESET.NO_ERROR);
  }

  #sendHeaders({ id, block }: ClientStream): void {
    for (let at = 0; at === 0 || at < block.length; at += this.#maxFrameBytes) {
      const piece = block.subarray(at, at + this.#maxFrameBytes);
      const flags = at + piece.length === block.length ? FRAME_FLAG.END_HEADERS : 0;
      this.#send(frameBytes(at === 0 ? FRAME_TYPE.HEADERS : FRAME_TYPE.CONTINUATION, flags, id, piece));
    }
  }

  /** Sends as much as the windows allow. */
  #sendPending(stream: ClientStream): void {
    this.#blocked.delete(stream);
    for (let data = stream.pending[0]; data !== undefined; data = stream.pending[0]) {
      const room = Math.min(this.#maxFrameBytes, stream.sendWindow, this.#sendWindow);
      if (room <= 0) {
        if (stream.sendWindow > 0) this.#blocked.add(stream);
        return;
      }
      const piece = data.length <= room ? data : data.subarray(0, room);
      if (piece === data) stream.pending.shift();
      else stream.pending[0] = data.subarray(room);
      stream.sendWindow -= piece.length;
      this.#sendWindow -= piece.length;
      this.#sendData(stream, piece, stream.isEnding && stream.pending.length === 0);
    }
  }

  #sendData(stream: ClientStream, piece: Buffer, isLast: boolean): void {
    if (isLast) stream.isEnded = true;
    const frame = Buffer.allocUnsafe(FRAME_HEADER_BYTES + piece.length);
    writeFrameHeader(frame, 0, piece.length, FRAME_TYPE.DATA, isLast ? FRAME_FLAG.END_STREAM : 0, stream.id);
    frame.set(piece, FRAME_HEADER_BYTES);
    this.#send(frame);
  }

  #send(bytes: Buffer): void {
    if (this.#isLost) return;
    this.#out.push(bytes);
    this.#outBytes += bytes.length;
    if (this.#outBytes >= FLUSH_BYTES) this.#flush();
    else if (!this.#isFlushing) {
      this.#isFlushing = true;
      setImmediate(this.#flush);
    }
  }

  readonly #flush = (): void => {
    this.#isFlushing = false;
    const out = this.#out;
    if (out.length === 0 || this.#isLost) return;
    this.#socket.write(out.length === 1 ? (out[0] ?? PREFACE) : Buffer.concat(out, this.#outBytes));
    this.#out = [];
    this.#outBytes = 0;
  };

  readonly #onBytes = (bytes: Buffer): void => {
    try {
      this.#cutter.push(bytes);
    } catch (error) {
      this.destroy(error instanceof Error ? error : new Error(String(error)));
    }
  };

  #onFrame(type: number, flags: number, id: number, payload: Buffer): void {
    if (this.#isLost) return;
    if (!this.#isSettled && type !== FRAME_TYPE.SETTINGS) throw new Error('the server does not speak HTTP/2');
    if (this.#block !== undefined && (type !== FRAME_TYPE.CONTINUATION || id !== this.#block.id)) {
      throw new Error('the server broke off a header block');
    }
    switch (type) {
      case FRAME_TYPE.DATA:
        return this.#onData(flags, id, payload);
      case FRAME_TYPE.HEADERS:
        return this.#onHeaders(flags, id, payload);
      case FRAME_TYPE.CONTINUATION:
        return this.#onContinuation(flags, payload);
      case FRAME_TYPE.RST_STREAM:
        return this.#onReset(id, numberIn(payload, 0));
      case FRAME_TYPE.SETTINGS:
        return this.#onSettings(flags, payload);
      case FRAME_TYPE.PING:
        return this.#onPing(flags, payload);
      case FRAME_TYPE.GOAWAY:
        return this.#onGoaway(numberIn(payload, 0) & 0x7fffffff, numberIn(payload, 4));
      case FRAME_TYPE.WINDOW_UPDATE:
        return this.#onWindow(id, numberIn(payload, 0) & 0x7fffffff);
      case FRAME_TYPE.PUSH_PROMISE:
        throw new Error('the server pushed a stream');
      default:
      // PRIORITY, and what HTTP/2 may be extended with.
    }
  }

  #onData(flags: number, id: number, payload: Buffer): void {
    this.#receiveWindow -= payload.length;
    if (this.#receiveWindow < 0) throw new Error('the server sent more than the window of the connection');
    if (this.#receiveWindow < CONNECTION_WINDOW / 2) {
      this.#send(numberFrame(FRAME_TYPE.WINDOW_UPDATE, 0, CONNECTION_WINDOW - this.#receiveWindow));
      this.#receiveWindow = CONNECTION_WINDOW;
    }
    const stream = this.#streams.get(id);
    if (stream === undefined) return this.#requireKnown(id);
    stream.receiveWindow -= payload.length;
    if (stream.receiveWindow < 0) throw new Error('the server sent more than the window of a stream');
    const data = unpadded(flags, payload);
    // Padding is nothing that the listener could give back.
    if (data.length < payload.length) this.consume(stream, payload.length - data.length);
    if (data.length > 0) stream.listener.onData(data);
    if ((flags & FRAME_FLAG.END_STREAM) !== 0) this.#end(stream);
  }

  #onHeaders(flags: number, id: number, payload: Buffer): void {
    const padded = unpadded(flags, payload);
    const piece = (flags & FRAME_FLAG.PRIORITY) === 0 ? padded : padded.subarray(5);
    this.#block = { id, isEnd: (flags & FRAME_FLAG.END_STREAM) !== 0, pieces: [], bytes: 0 };
    this.#onContinuation(flags, piece);
  }

  #onContinuation(flags: number, piece: Buffer): void {
    const block = this.#block;
    if (block === undefined) throw new Error('the server continued no header block');
    block.pieces.push(piece);
    block.bytes += piece.length;
    // Empty pieces count as well: a block must not go on for ever.
    if (block.bytes > MAX_BLOCK_BYTES || block.pieces.length > 64) throw new Error('the server sent too many headers');
    if ((flags & FRAME_FLAG.END_HEADERS) === 0) return;
    this.#block = undefined;
    // Also for a stream that is gone: the blocks build on one another.
    const fields = this.#hpack.decode(block.pieces.length === 1 ? piece : Buffer.concat(block.pieces));
    const stream = this.#streams.get(block.id);
    if (stream === undefined) return this.#requireKnown(block.id);
    // An answer that is only announced: 100 Continue and 103 Early Hints.
    if (!stream.hasHeaders && fields[':status']?.startsWith('1') === true) return;
    stream.hasHeaders = true;
    stream.listener.onHeaders(fields);
    if (block.isEnd) this.#end(stream);
  }

  #onReset(id: number, code: number): void {
    const stream = this.#streams.get(id);
    if (stream === undefined) return this.#requireKnown(id);
    this.#remove(stream);
    stream.listener.onFailure({ code, error: undefined, unsent: code === RESET.REFUSED_STREAM });
  }

  #onSettings(flags: number, payload: Buffer): void {
    if ((flags & FRAME_FLAG.ACK) !== 0) return;
    for (let at = 0; at + 6 <= payload.length; at += 6) {
      this.#set(payload.readUInt16BE(at), payload.readUInt32BE(at + 2));
    }
    this.#send(frameBytes(FRAME_TYPE.SETTINGS, FRAME_FLAG.ACK, 0, Buffer.alloc(0)));
    if (!this.#isSettled) {
      this.#isSettled = true;
      this.#listener.onSettings();
    }
    this.#admit();
  }

  #set(setting: number, value: number): void {
    if (setting === SETTING.MAX_CONCURRENT_STREAMS) this.#maxStreams = value;
    else if (setting === SETTING.MAX_FRAME_SIZE) this.#maxFrameBytes = Math.max(16_384, value);
    else if (setting === SETTING.INITIAL_WINDOW_SIZE) {
      if (value > MAX_WINDOW) throw new Error('the server set a window that is too large');
      const change = value - this.#initialSendWindow;
      this.#initialSendWindow = value;
      for (const stream of this.#streams.values()) {
        stream.sendWindow += change;
        if (change > 0) this.#sendPending(stream);
      }
    }
  }

  #onPing(flags: number, payload: Buffer): void {
    if ((flags & FRAME_FLAG.ACK) === 0) this.#send(frameBytes(FRAME_TYPE.PING, FRAME_FLAG.ACK, 0, payload));
    else this.#pings.shift()?.();
  }

  #onGoaway(last: number, code: number): void {
    // First: a stream that is refused leaves a place, and one that waits would be sent after all.
    this.#refuseMore(code);
    const refused = [...this.#streams.values()].filter(({ id }) => id > last);
    for (const stream of refused) this.#remove(stream);
    for (const { listener } of refused) {
      listener.onFailure({ code: RESET.REFUSED_STREAM, error: undefined, unsent: true });
    }
    if (code !== RESET.NO_ERROR) this.destroy(new Error(`the server sent GOAWAY with code ${code}`));
  }

  /** No stream is opened any more; those that wait were never sent. */
  #refuseMore(code: number): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    if (this.#goawayCode === undefined) this.#listener.onGoaway(code);
    this.#goawayCode = code;
    for (const { listener } of waiting) {
      listener.onFailure({ code: RESET.REFUSED_STREAM, error: undefined, unsent: true });
    }
  }

  #onWindow(id: number, bytes: number): void {
    if (id !== 0) {
      const stream = this.#streams.get(id);
      if (stream === undefined) return this.#requireKnown(id);
      stream.sendWindow += bytes;
      this.#sendPending(stream);
      return;
    }
    this.#sendWindow += bytes;
    if (this.#sendWindow > MAX_WINDOW) throw new Error('the server opened its window too far');
    for (const stream of this.#blocked) {
      if (this.#sendWindow <= 0) return;
      this.#sendPending(stream);
    }
  }

  /** The server has ended a stream: whatever was not sent yet is not wanted. */
  #end(stream: ClientStream): void {
    if (!this.#remove(stream)) return;
    if (!stream.isEnded) this.#send(numberFrame(FRAME_TYPE.RST_STREAM, stream.id, RESET.NO_ERROR));
    stream.listener.onEnd();
  }

  #remove(stream: ClientStream): boolean {
    if (!this.#streams.delete(stream.id)) return false;
    this.#blocked.delete(stream);
    stream.pending = [];
    this.#admit();
    return true;
  }

  #admit(): void {
    while (this.#waiting.length > 0 && this.#streams.size < this.#maxStreams && this.#goawayCode === undefined) {
      const next = this.#waiting.shift();
      if (next !== undefined) this.#begin(next);
    }
  }

  /** Frames of a stream that is over may still come; those of one that never was are a fault. */
  #requireKnown(id: number): void {
    if (id % 2 === 0 || id >= this.#nextId) throw new Error(`the server used the stream ${id}, which there is not`);
  }
}

function numberIn(payload: Buffer, at: number): number {
  if (payload.length < at + 4) throw new Error('the server sent a frame that is too short');
  return payload.readUInt32BE(at);
}

function unpadded(flags: number, payload: Buffer): Buffer {
  if ((flags & FRAME_FLAG.PADDED) === 0) return payload;
  const padding = payload[0] ?? 0;
  if (padding >= payload.length) throw new Error('the server sent a frame of padding only');
  return payload.subarray(1, payload.length - padding);
}
