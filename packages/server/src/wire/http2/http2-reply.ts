/** Answers over HTTP/2. */
import { constants, type OutgoingHttpHeaders, type ServerHttp2Stream } from 'node:http2';
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
} from '../../contract/reply.ts';
import type { WatchSink } from '../../contract/watch-sink.ts';
import { CloseListeners } from '../close-listeners.ts';
import { FrameJoiner, plainFraming } from '../joined-frames.ts';
import { ReadDeadline, type ReadDeadlineConfig } from '../read-deadline.ts';
import { StreamWatchSink } from '../stream-watch-sink.ts';

const plain = new FrameJoiner(plainFraming);

/** The reply to one HTTP/2 request. */
export class Http2Reply implements Reply {
  readonly #stream: ServerHttp2Stream;
  readonly #config: ReadDeadlineConfig;
  readonly #isHead: boolean;
  readonly #closing = new CloseListeners();
  readonly #readDeadline: ReadDeadline;
  #status = 0;
  #endsWithHeaders = false;
  readonly #slowDown: () => void;
  #sink: StreamWatchSink | undefined;

  constructor(stream: ServerHttp2Stream, method: string, config: ReadDeadlineConfig, slowDown: () => void = () => {}) {
    this.#slowDown = slowDown;
    this.#stream = stream;
    this.#config = config;
    this.#readDeadline = new ReadDeadline(config, () => this.cut());
    this.#isHead = method === 'HEAD';
    // The client has reset the stream. Without a listener the event would end the process.
    stream.on('error', () => this.#close());
    stream.on('close', () => this.#close());
    // A client that leaves with NO_ERROR while a write is under way: Node waits for a write that will never be done, and
    // keeps the stream and with it the connection for ever.
    stream.on('aborted', () => process.nextTick(() => stream.destroy()));
    stream.on('finish', () => this.#dropBody());
  }

  get status(): number {
    return this.#status;
  }

  get closed(): boolean {
    return this.#closing.closed;
  }

  send({ status, headers }: ReplyHead, body: Buffer): void {
    const length = isBodyless(status) ? {} : { 'content-length': String(body.length) };
    const bodyless = this.#isHead || isBodyless(status);
    this.#respond({ status, headers: extended(headers, length) }, bodyless);
    if (bodyless) return;
    if (body.length > 0) this.expectRead(body.length);
    // Also without bytes: headers that end the stream may be overtaken by the reset that stops an unwanted request body.
    this.#stream.end(body);
  }

  open(head: ReplyHead): Writable {
    this.#respond(head, this.#isHead);
    return this.#stream;
  }

  pass({ status, headers }: PassedHead): PassedAnswer {
    const stream = this.#stream;
    const endStream = this.#isHead || isBodyless(status);
    let trailers: readonly string[] = [];
    this.#status = status;
    if (!stream.destroyed && !stream.closed) {
      this.#endsWithHeaders = endStream;
      stream.on('wantTrailers', () => stream.sendTrailers(multiHeaders(trailers)));
      const hasTrailers = !endStream && headers.some((name, at) => at % 2 === 0 && name.toLowerCase() === 'trailer');
      // The types lack `sendDate`.
      const how = { endStream, waitForTrailers: hasTrailers, sendDate: false };
      stream.respond({ ':status': status, ...multiHeaders(headers) }, how);
    }
    return {
      body: stream,
      addTrailers: (pairs) => {
        trailers = pairs;
      },
    };
  }

  passInterim({ status, headers }: PassedHead): void {
    const stream = this.#stream;
    if (stream.headersSent || stream.destroyed || stream.closed) return;
    stream.additionalHeaders({ ':status': status, ...multiHeaders(headers) });
  }

  expectRead(bytes: number): void {
    if (!this.closed) this.#readDeadline.expect(bytes);
  }

  async watch(head: ReplyHead, start: (sink: WatchSink) => void): Promise<void> {
    this.#respond(head, this.#isHead);
    if (this.#isHead || this.closed) return;
    this.#stream.resume();
    this.#sink = new StreamWatchSink({
      stream: this.#stream,
      joiner: plain,
      end: () => {
        this.#stream.end();
        // A client that has closed its window never takes the end; its stream must not stay for ever.
        this.onClose(this.#config.clock.after(LINGER_MS, () => this.cut()));
      },
    });
    start(this.#sink);
  }

  slowDown(): void {
    this.#slowDown();
  }

  endWatch(): void {
    this.#sink?.end();
  }

  cut(): void {
    // `close` with a code would first say that the stream has ended well.
    this.#stream.destroy(new Error('the answer was cut'));
  }

  onClose(listener: () => void): void {
    this.#closing.add(listener);
  }

  #respond({ status, headers }: ReplyHead, endStream: boolean): void {
    this.#status = status;
    // The client may have gone while the answer was made; to respond then throws.
    if (this.#stream.destroyed || this.#stream.closed) return;
    this.#endsWithHeaders = endStream;
    this.#stream.respond({ ':status': status, ...headers }, { endStream });
  }

  /** Tells the client to stop sending an unwanted body, and gives back the window that it used. */
  #dropBody(): void {
    if (this.#stream.readableEnded || this.#stream.destroyed) return;
    this.#stream.resume();
    if (this.#stream.endAfterHeaders) return;
    const stop = (): void => this.#stream.close(constants.NGHTTP2_NO_ERROR);
    // A reset overtakes headers that are not sent yet, and the client would get no answer.
    if (this.#endsWithHeaders) this.onClose(this.#config.clock.after(LINGER_MS, stop));
    else stop();
  }

  #close(): void {
    if (this.closed) return;
    this.#readDeadline.stop();
    this.#closing.close();
    this.#sink?.close();
  }
}

/** Node's HTTP/2 throws for a second value of these. */
const ONCE: ReadonlySet<string> = new Set([
  'access-control-allow-credentials',
  'access-control-max-age',
  'access-control-request-method',
  'age',
  'authorization',
  'content-encoding',
  'content-language',
  'content-length',
  'content-location',
  'content-md5',
  'content-range',
  'content-type',
  'date',
  'dnt',
  'etag',
  'expires',
  'from',
  'host',
  'if-match',
  'if-modified-since',
  'if-none-match',
  'if-range',
  'if-unmodified-since',
  'last-modified',
  'location',
  'max-forwards',
  'proxy-authorization',
  'range',
  'referer',
  'retry-after',
  'tk',
  'upgrade-insecure-requests',
  'user-agent',
  'x-content-type-options',
]);

/** Pairs as Node's HTTP/2 takes them: names in lower case, values of repeated headers in their order. */
function multiHeaders(flat: readonly string[]): OutgoingHttpHeaders {
  const headers = new Map<string, string | string[]>();
  for (const [raw, value] of headerPairs(flat)) {
    const name = raw.toLowerCase();
    const before = headers.get(name);
    if (before === undefined) headers.set(name, value);
    else if (!ONCE.has(name)) headers.set(name, [...(Array.isArray(before) ? before : [before]), value]);
  }
  return Object.fromEntries(headers);
}
