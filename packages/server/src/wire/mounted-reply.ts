/** Answers over a response of somebody else's HTTP server: node:http, node:http2, Express, Fastify. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Http2ServerRequest, Http2ServerResponse } from 'node:http2';
import type { Socket } from 'node:net';
import type { Writable } from 'node:stream';
import { TLSSocket } from 'node:tls';
import { isBodyless, LINGER_MS, type Reply, type ReplyHead } from '../contract/reply.ts';
import type { WatchSink } from '../contract/watch-sink.ts';
import { CloseListeners } from './close-listeners.ts';
import { FrameJoiner, plainFraming } from './joined-frames.ts';
import { mountedConnection } from './mounted-connection.ts';
import { readAsStream } from './read-as-stream.ts';
import { ReadDeadline, type ReadDeadlineConfig } from './read-deadline.ts';
import { StreamWatchSink } from './stream-watch-sink.ts';

/** A request of Node's HTTP/1.1 or HTTP/2 server. */
export type NodeRequest = Http2ServerRequest | IncomingMessage;

/** Its response. */
export type NodeResponse = Http2ServerResponse | ServerResponse;

const plain = new FrameJoiner(plainFraming);

/**
 * The reply to one request. It writes through the methods of the response only, never to the socket: middleware may have
 * replaced them, for example to compress.
 */
export class MountedReply implements Reply {
  readonly #request: NodeRequest;
  readonly #response: NodeResponse;
  readonly #config: ReadDeadlineConfig;
  readonly #readDeadline: ReadDeadline;
  readonly #closing = new CloseListeners();
  #sink: StreamWatchSink | undefined;

  constructor(request: NodeRequest, response: NodeResponse, config: ReadDeadlineConfig) {
    this.#request = request;
    this.#response = response;
    this.#config = config;
    this.#readDeadline = new ReadDeadline(config, () => this.cut());
    response.on('close', () => this.#close());
    // A client that resets its connection is not a failure of ours; without a listener it would end the process.
    response.on('error', () => this.#close());
    closeWithSocket(request, this.#closing, () => this.#close());
  }

  get status(): number {
    return this.#response.headersSent ? this.#response.statusCode : 0;
  }

  get closed(): boolean {
    return this.#closing.closed;
  }

  send({ status, headers }: ReplyHead, body: Buffer): void {
    const length = isBodyless(status) ? {} : { 'content-length': String(body.length) };
    const stream = this.open({ status, headers: { ...headers, ...length } });
    this.expectRead(body.length);
    stream.end(isBodyless(status) ? undefined : body);
  }

  open({ status, headers }: ReplyHead): Writable {
    this.#response.writeHead(status, headers);
    return this.#response;
  }

  expectRead(bytes: number): void {
    if (!this.closed) this.#readDeadline.expect(bytes);
  }

  async watch({ status, headers }: ReplyHead, start: (sink: WatchSink) => void): Promise<void> {
    // Middleware that compresses would hold events back until its buffer is full.
    const cacheControl = [headers['cache-control'], 'no-transform'].filter(Boolean).join(', ');
    const stream = this.open({ status, headers: { ...headers, 'cache-control': cacheControl } });
    // HTTP/2 sends the head with writeHead.
    if ('flushHeaders' in this.#response) this.#response.flushHeaders();
    if (this.#request.method === 'HEAD') stream.end();
    if (this.#request.method === 'HEAD' || this.closed) return;
    // A body that nobody reads stops the socket's reading, and the server would not notice that the client has gone.
    this.#request.resume();
    this.#sink = new StreamWatchSink({
      stream,
      joiner: plain,
      end: () => {
        stream.end();
        // A client that does not read never takes the end; its socket must not stay open forever.
        this.onClose(this.#config.clock.after(LINGER_MS, () => this.cut()));
      },
    });
    start(this.#sink);
  }

  endWatch(): void {
    this.#sink?.end();
  }

  cut(): void {
    if ('stream' in this.#response) this.#response.stream.destroy(new Error('the answer was cut'));
    else this.#request.socket.destroy();
  }

  onClose(listener: () => void): void {
    this.#closing.add(listener);
  }

  #close(): void {
    if (this.closed) return;
    this.#readDeadline.stop();
    this.#closing.close();
    this.#sink?.close();
  }
}

/**
 * Closes with the connection: Node does not tell a pipelined response that has not had its turn. One listener for all replies, because
 * a client may pipeline hundreds.
 */
function closeWithSocket(request: NodeRequest, closing: CloseListeners, close: () => void): void {
  if (request.httpVersionMajor !== 1) return;
  const { socket } = request;
  const connection = mountedConnection(socket);
  const open = (connection.closeReplies ??= repliesOf(socket));
  open.add(close);
  closing.add(() => open.delete(close));
}

function repliesOf(socket: Socket): Set<() => void> {
  const all = new Set<() => void>();
  socket.once('close', () => all.forEach((one) => one()));
  if (socket instanceof TLSSocket) readAsStream(socket);
  return all;
}
