/** An HTTP/1.1 connection that understands no more than the answers of an API server. */

import { EventEmitter, once } from 'node:events';
import { connect, type TLSSocket } from 'node:tls';
import type { Answer, Connection, OpenWatch, Question } from './connection.ts';
import type { Target } from './target.ts';

const HEAD_END = '\r\n\r\n';
const LAST_CHUNK = Buffer.from('0\r\n\r\n');

/** Connects, with the handshake done when it resolves. */
export async function openHttp1({ url, token }: Target): Promise<Connection> {
  const { hostname, port } = new URL(url);
  const socket = connect({
    host: hostname,
    port: Number(port),
    ALPNProtocols: ['http/1.1'],
    rejectUnauthorized: false,
  });
  await new Promise<void>((resolve, reject) => {
    socket.once('secureConnect', resolve).once('error', reject);
  });
  return new Http1Connection(socket, `Host: ${hostname}:${port}\r\nAuthorization: Bearer ${token}\r\n`);
}

/** Reads one answer: its head, then as much as its head says. */
class AnswerReader {
  #head = '';
  #status = 0;
  #expected = -1;
  #bytes = 0;
  #tail: Buffer = Buffer.alloc(0);
  readonly #kept: Buffer[] | undefined;

  constructor(keep: boolean) {
    this.#kept = keep ? [] : undefined;
  }

  get status(): number {
    return this.#status;
  }

  /** Takes a chunk; the answer when it is whole, and the part of the body in it once the head is over. */
  take(chunk: Buffer): { readonly answer?: Answer; readonly body: Buffer } {
    const body = this.#status === 0 ? this.#readHead(chunk) : chunk;
    if (this.#status === 0) return { body };
    this.#bytes += body.length;
    this.#kept?.push(body);
    if (!this.#isWhole(body)) return { body };
    return { body, answer: { status: this.#status, bytes: this.#bytes, body: this.#text() } };
  }

  #readHead(chunk: Buffer): Buffer {
    this.#head += chunk.toString('latin1');
    const end = this.#head.indexOf(HEAD_END);
    if (end === -1) return chunk.subarray(chunk.length);
    const rest = this.#head.length - end - HEAD_END.length;
    this.#head = this.#head.slice(0, end);
    this.#status = Number(this.#head.slice(9, 12));
    const length = /\r\ncontent-length: *(\d+)/iu.exec(this.#head)?.[1];
    this.#expected = length === undefined ? -1 : Number(length);
    return chunk.subarray(chunk.length - rest);
  }

  #isWhole(body: Buffer): boolean {
    if (this.#expected >= 0) return this.#bytes >= this.#expected;
    // No JSON holds a bare line end, so this can only be the last chunk.
    this.#tail = body.length >= LAST_CHUNK.length ? body : Buffer.concat([this.#tail, body]);
    return this.#tail.subarray(-LAST_CHUNK.length).equals(LAST_CHUNK);
  }

  #text(): string {
    if (this.#kept === undefined) return '';
    const text = Buffer.concat(this.#kept).toString();
    return this.#expected >= 0 ? text : dechunk(text);
  }
}

/** Only for short answers in ASCII: what a bench looks into. */
function dechunk(text: string): string {
  let out = '';
  for (let at = 0; at < text.length; ) {
    const line = text.indexOf('\r\n', at);
    const size = Number.parseInt(text.slice(at, line), 16);
    if (!(size > 0)) break;
    out += text.slice(line + 2, line + 2 + size);
    at = line + 2 + size + 2;
  }
  return out;
}

class Http1Connection implements Connection {
  readonly #socket: TLSSocket;
  readonly #headers: string;
  #onData: (chunk: Buffer) => void = () => {};
  #onEnd: (error: Error) => void = () => {};

  constructor(socket: TLSSocket, headers: string) {
    this.#socket = socket;
    this.#headers = headers;
    socket.on('data', (chunk: Buffer) => this.#onData(chunk));
    socket.on('error', (error) => this.#onEnd(error));
    socket.on('close', () => this.#onEnd(new Error('the server closed the connection')));
  }

  ask(question: Question): Promise<Answer> {
    const reader = new AnswerReader(question.keep === true);
    return new Promise((resolve, reject) => {
      this.#onEnd = reject;
      this.#onData = (chunk) => {
        const { answer } = reader.take(chunk);
        if (answer !== undefined) resolve(answer);
      };
      this.#send(question);
    });
  }

  watch(path: string, onData: (chunk: Buffer) => void): Promise<OpenWatch> {
    const reader = new AnswerReader(false);
    const socket = this.#socket;
    const ending = new EventEmitter();
    const ended = once(ending, 'end').then(() => undefined);
    const over = (): boolean => ending.emit('end');
    const open: OpenWatch = { pause: () => socket.pause(), resume: () => socket.resume(), ended };
    return new Promise((resolve, reject) => {
      this.#onEnd = (error) => {
        reject(error);
        over();
      };
      this.#onData = (chunk) => {
        const { body, answer } = reader.take(chunk);
        if (reader.status === 200) resolve(open);
        else if (reader.status !== 0) reject(new Error(`the watch was answered with ${reader.status}`));
        if (body.length > 0) onData(body);
        if (answer !== undefined) over();
      };
      this.#send({ path });
    });
  }

  close(): void {
    this.#onEnd = () => {};
    this.#socket.destroy();
  }

  #send({ method = 'GET', path, body, contentType = 'application/json', accept }: Question): void {
    const content =
      body === undefined ? '' : `Content-Type: ${contentType}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n`;
    const accepted = accept === undefined ? '' : `Accept: ${accept}\r\n`;
    const head = `${method} ${path} HTTP/1.1\r\n${this.#headers}${accepted}${content}\r\n`;
    this.#socket.write(typeof body === 'object' ? Buffer.concat([Buffer.from(head), body]) : head + (body ?? ''));
  }
}
