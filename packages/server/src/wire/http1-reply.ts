/** Answers over HTTP/1.1. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Writable } from 'node:stream';
import { extended } from '@listwatch/api/values';
import {
  headerPairs,
  isBodyless,
  LINGER_MS,
  type PassedAnswer,
  type PassedHead,
  type Reply,
  type ReplyHead,
} from '../contract/reply.ts';
import type { WatchSink } from '../contract/watch-sink.ts';
import { CloseListeners } from './close-listeners.ts';
import { chunkFraming, FrameJoiner, plainFraming } from './joined-frames.ts';
import { ReadDeadline, type ReadDeadlineConfig } from './read-deadline.ts';
import { StreamWatchSink } from './stream-watch-sink.ts';

const chunks = new FrameJoiner(chunkFraming);
const plain = new FrameJoiner(plainFraming);

/** The reply to one HTTP/1.1 request. */
export class Http1Reply implements Reply {
  protected readonly message: IncomingMessage;
  protected readonly response: ServerResponse;
  protected readonly config: ReadDeadlineConfig;
  readonly #closing = new CloseListeners();
  readonly #readDeadline: ReadDeadline;
  readonly #slowDown: () => void;
  #sink: StreamWatchSink | undefined;

  constructor(
    message: IncomingMessage,
    response: ServerResponse,
    config: ReadDeadlineConfig,
    slowDown: () => void = () => {},
  ) {
    this.#slowDown = slowDown;
    this.message = message;
    this.response = response;
    this.config = config;
    this.#readDeadline = new ReadDeadline(config, () => this.cut());
    response.on('close', () => this.close());
    // The client has reset its connection. Without a listener the event would end the process.
    response.on('error', () => this.close());
    response.on('finish', () => this.#dropBody());
  }

  get status(): number {
    return this.response.headersSent ? this.response.statusCode : 0;
  }

  get closed(): boolean {
    return this.#closing.closed;
  }

  send({ status, headers }: ReplyHead, body: Buffer): void {
    const length = isBodyless(status) ? {} : { 'content-length': body.length };
    this.response.writeHead(status, extended(headers, length));
    this.expectRead(body.length);
    this.response.end(isBodyless(status) ? undefined : body);
  }

  open({ status, headers }: ReplyHead): Writable {
    this.response.writeHead(status, headers);
    return this.response;
  }

  pass({ status, statusText, headers }: PassedHead): PassedAnswer {
    const { response } = this;
    response.sendDate = false;
    response.writeHead(status, statusText, [...headers]);
    // With the first bytes where they are there already; a watch may have none for an hour, and its client waits for the head.
    setImmediate(() => response.flushHeaders());
    return {
      body: response,
      addTrailers: (trailers) => response.addTrailers([...headerPairs(trailers)]),
    };
  }

  passInterim({ status, statusText, headers }: PassedHead): void {
    const { httpVersionMinor, socket } = this.message;
    // HTTP/1.0 has no interim answers. Replies of a connection go one after another, so this one has the socket.
    if (this.response.headersSent || this.closed || httpVersionMinor === 0) return;
    const lines = [...headerPairs(headers)].map(([name, value]) => `${name}: ${value}\r\n`);
    socket.write(`HTTP/1.1 ${status} ${statusText}\r\n${lines.join('')}\r\n`, 'latin1');
  }

  expectRead(bytes: number): void {
    if (!this.closed) this.#readDeadline.expect(bytes);
  }

  async watch({ status, headers }: ReplyHead, start: (sink: WatchSink) => void): Promise<void> {
    const { response } = this;
    response.writeHead(status, headers);
    response.flushHeaders();
    if (this.message.method === 'HEAD') {
      response.end();
      return;
    }
    this.#startWatch(start);
  }

  slowDown(): void {
    this.#slowDown();
  }

  endWatch(): void {
    this.#sink?.end();
  }

  cut(): void {
    this.message.socket.destroy();
  }

  onClose(listener: () => void): void {
    this.#closing.add(listener);
  }

  /** Called when the reply or its connection ends, whichever is first. */
  close(): void {
    if (this.closed) return;
    this.#readDeadline.stop();
    this.#closing.close();
    this.#sink?.close();
  }

  #startWatch(start: (sink: WatchSink) => void): void {
    const { response } = this;
    const { socket } = response;
    if (this.closed || socket === null) return;
    // An unread body pauses the socket, and a paused socket does not notice that the client has gone.
    this.message.resume();
    this.#sink = new StreamWatchSink({
      // Straight to the socket, already framed: `response.write` costs four writes and a tick for every chunk.
      stream: socket,
      joiner: response.chunkedEncoding ? chunks : plain,
      end: () => {
        response.end();
        // A client that has stopped reading never takes the last chunk; its socket must not stay for ever.
        const cancel = this.config.clock.after(LINGER_MS, () => this.cut());
        this.onClose(cancel);
      },
    });
    start(this.#sink);
  }

  /** Reads and drops the rest of an unwanted body for a while, or the client would not see the answer. */
  #dropBody(): void {
    if (this.message.complete) return;
    const { socket } = this.message;
    const cancel = this.config.clock.after(LINGER_MS, () => {
      if (!this.message.complete) socket.destroy();
    });
    this.message.once('close', cancel);
  }
}
