/** An HTTP/2 client that sends any frames, for the tests of this folder; no test itself, and not shipped. */
import { once } from 'node:events';
import { connect, type TLSSocket } from 'node:tls';
import type { Fixture } from './http.fixture.ts';

export const DATA = 0;
export const HEADERS = 1;
export const RST_STREAM = 3;
export const SETTINGS = 4;
export const PING = 6;
export const GOAWAY = 7;
export const WINDOW_UPDATE = 8;
export const CONTINUATION = 9;
export const END_STREAM = 0x1;
export const END_HEADERS = 0x4;
export const ACK = 0x1;

export interface Frame {
  readonly type: number;
  readonly flags: number;
  readonly stream: number;
  readonly payload: Buffer;
}

export function frame(type: number, flags: number, stream: number, payload: Buffer = Buffer.alloc(0)): Buffer {
  const head = Buffer.alloc(9);
  head.writeUIntBE(payload.length, 0, 3);
  head[3] = type;
  head[4] = flags;
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, payload]);
}

export function settings(...pairs: readonly (readonly [id: number, value: number])[]): Buffer {
  const payload = Buffer.alloc(pairs.length * 6);
  for (const [index, [id, value]] of pairs.entries()) {
    payload.writeUInt16BE(id, index * 6);
    payload.writeUInt32BE(value, index * 6 + 2);
  }
  return frame(SETTINGS, 0, 0, payload);
}

/** The server may send no body before the client opens a stream's window. */
export const SETTINGS_ZERO_WINDOW: Buffer = settings([4, 0]);

export function windowUpdate(stream: number, bytes: number): Buffer {
  const payload = Buffer.alloc(4);
  payload.writeUInt32BE(bytes);
  return frame(WINDOW_UPDATE, 0, stream, payload);
}

/** A header field in HPACK: never indexed, not compressed. */
export function field(name: string, value: string): Buffer {
  return Buffer.concat([Buffer.from([0x10]), text(name), text(value)]);
}

/** The block of a GET. */
export function headerBlock({
  path,
  ...headers
}: { readonly path: string } & Readonly<Record<string, string>>): Buffer {
  const pseudo = { ':method': 'GET', ':scheme': 'https', ':authority': 'localhost', ':path': path };
  return Buffer.concat(Object.entries({ ...pseudo, ...headers }).map(([name, value]) => field(name, value)));
}

export function headersFrame(stream: number, headers: Parameters<typeof headerBlock>[0]): Buffer {
  return frame(HEADERS, END_STREAM | END_HEADERS, stream, headerBlock(headers));
}

function text(value: string): Buffer {
  const bytes = Buffer.from(value);
  const { length } = bytes;
  if (length < 127) return Buffer.concat([Buffer.from([length]), bytes]);
  const size = [127];
  let rest = length - 127;
  for (; rest >= 128; rest >>>= 7) size.push((rest & 127) | 128);
  size.push(rest);
  return Buffer.concat([Buffer.from(size), bytes]);
}

/** A connection that answers nothing by itself: no SETTINGS and no PING. */
export class RawHttp2 {
  readonly socket: TLSSocket;
  readonly #frames: Frame[] = [];
  #rest: Buffer = Buffer.alloc(0);
  #wake: () => void = () => {};
  #closed = false;

  private constructor(socket: TLSSocket) {
    this.socket = socket;
    socket.on('error', () => {});
    socket.on('data', (chunk: Buffer) => this.#read(chunk));
    socket.on('close', () => {
      this.#closed = true;
      this.#wake();
    });
  }

  /** Connects and sends the preface, unless `preface` is false. */
  static async connect(fixture: Fixture, { preface = true } = {}): Promise<RawHttp2> {
    const socket = connect({ host: '127.0.0.1', port: fixture.port, ca: fixture.ca, ALPNProtocols: ['h2'] });
    const client = new RawHttp2(socket);
    await once(socket, 'secureConnect');
    if (preface) client.send(Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'));
    return client;
  }

  get closed(): boolean {
    return this.#closed;
  }

  send(...frames: readonly Buffer[]): void {
    this.socket.write(Buffer.concat(frames));
  }

  /** The next frame that matches; frames before it are dropped. Rejects when the connection closes. */
  async frame(matches: (frame: Frame) => boolean): Promise<Frame> {
    for (;;) {
      for (let next = this.#frames.shift(); next !== undefined; next = this.#frames.shift()) {
        if (matches(next)) return next;
      }
      if (this.#closed) throw new Error('the connection was closed');
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  /** Resolves when the server has closed the connection. */
  async end(): Promise<void> {
    if (!this.#closed) await new Promise<void>((resolve) => this.socket.once('close', resolve));
  }

  destroy(): void {
    this.socket.destroy();
  }

  #read(chunk: Buffer): void {
    this.#rest = Buffer.concat([this.#rest, chunk]);
    for (;;) {
      if (this.#rest.length < 9) break;
      const length = this.#rest.readUIntBE(0, 3);
      if (this.#rest.length < 9 + length) break;
      this.#frames.push({
        type: this.#rest[3] ?? 0,
        flags: this.#rest[4] ?? 0,
        stream: this.#rest.readUInt32BE(5),
        payload: this.#rest.subarray(9, 9 + length),
      });
      this.#rest = this.#rest.subarray(9 + length);
    }
    this.#wake();
  }
}
