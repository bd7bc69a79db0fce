/** An HTTP/2 connection with windows large enough never to be what is waited for. */

import { once } from 'node:events';
import { type ClientHttp2Session, type ClientHttp2Stream, connect } from 'node:http2';
import type { Answer, Connection, OpenWatch, Question } from './connection.ts';
import type { Target } from './target.ts';

const STREAM_WINDOW = 4 * 1024 * 1024;
const CONNECTION_WINDOW = 64 * 1024 * 1024;

/** Connects; resolves when the settings of both sides are known. */
export async function openHttp2({ url, token }: Target): Promise<Connection> {
  const session = connect(url, { rejectUnauthorized: false, settings: { initialWindowSize: STREAM_WINDOW } });
  await once(session, 'remoteSettings');
  session.setLocalWindowSize(CONNECTION_WINDOW);
  session.on('error', () => {});
  session.setMaxListeners(0);
  return new Http2Connection(session, `Bearer ${token}`);
}

class Http2Connection implements Connection {
  readonly #session: ClientHttp2Session;
  readonly #authorization: string;

  constructor(session: ClientHttp2Session, authorization: string) {
    this.#session = session;
    this.#authorization = authorization;
  }

  async ask(question: Question): Promise<Answer> {
    const stream = this.#start(question);
    const kept: Buffer[] = [];
    let status = 0;
    let bytes = 0;
    await new Promise<void>((resolve, reject) => {
      stream.on('response', (headers) => (status = Number(headers[':status'])));
      stream.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        if (question.keep === true) kept.push(chunk);
      });
      stream.on('end', resolve).on('error', reject);
      stream.on('close', () => reject(new Error('the server closed the stream')));
    });
    return { status, bytes, body: Buffer.concat(kept).toString() };
  }

  async watch(path: string, onData: (chunk: Buffer) => void): Promise<OpenWatch> {
    const stream = this.#start({ path });
    const ended = new Promise<void>((resolve) => {
      stream.on('close', () => resolve());
    });
    stream.on('data', onData);
    const [headers] = await once(stream, 'response');
    const status = Number(headers[':status']);
    if (status !== 200) throw new Error(`the watch was answered with ${status}`);
    stream.on('error', () => {});
    return { pause: () => stream.pause(), resume: () => stream.resume(), ended };
  }

  close(): void {
    this.#session.destroy();
  }

  #start({ method = 'GET', path, body, contentType = 'application/json', accept }: Question): ClientHttp2Stream {
    const content = body === undefined ? {} : { 'content-type': contentType };
    const accepted = accept === undefined ? {} : { accept };
    const stream = this.#session.request(
      { ':method': method, ':path': path, authorization: this.#authorization, ...accepted, ...content },
      { endStream: body === undefined },
    );
    if (body !== undefined) stream.end(body);
    return stream;
  }
}
