/** Answers a request from within the process. */
import type { Writable } from 'node:stream';
import { isBodyless, type Reply, type ReplyHead } from '../../contract/reply.ts';
import type { WatchSink } from '../../contract/watch-sink.ts';
import { CloseListeners } from '../close-listeners.ts';
import { FrameJoiner, plainFraming } from '../joined-frames.ts';
import { StreamWatchSink } from '../stream-watch-sink.ts';
import type { LoopbackRequest, LoopbackResponse } from './loopback.ts';
import { LoopbackBody } from './loopback-body.ts';
import { LoopbackError } from './loopback-error.ts';

const plain = new FrameJoiner(plainFraming);

/** The reply to one request. What has been written and not read is the reader's: the server does not wait for it. */
export class LoopbackReply implements Reply {
  /** Resolves with the head; rejects when the exchange breaks before it, or with the signal's reason. */
  readonly response: Promise<LoopbackResponse>;
  readonly #isHead: boolean;
  readonly #signal: AbortSignal | undefined;
  readonly #body: LoopbackBody;
  readonly #closing = new CloseListeners();
  #respond: (response: LoopbackResponse) => void = () => {};
  #refuse: (error: unknown) => void = () => {};
  #status = 0;
  #sink: StreamWatchSink | undefined;

  constructor({ method, signal }: Pick<LoopbackRequest, 'method' | 'signal'>) {
    this.#isHead = method === 'HEAD';
    this.#signal = signal;
    this.response = new Promise((resolve, reject) => {
      this.#respond = resolve;
      this.#refuse = reject;
    });
    this.#body = new LoopbackBody(() => {
      signal?.removeEventListener('abort', this.#aborted);
      this.#close();
    });
    signal?.addEventListener('abort', this.#aborted, { once: true });
  }

  get status(): number {
    return this.#status;
  }

  get closed(): boolean {
    return this.#closing.closed;
  }

  send({ status, headers }: ReplyHead, body: Buffer): void {
    const length = isBodyless(status) ? {} : { 'content-length': String(body.length) };
    this.#open({ status, headers: { ...headers, ...length } });
    this.#body.writable.end(this.#isHead || isBodyless(status) ? undefined : body);
    this.#close();
  }

  open(head: ReplyHead): Writable {
    this.#open(head);
    return this.#body.writable;
  }

  /** The reader is in this process: what it does not read is its own memory. */
  expectRead(): void {}

  async watch(head: ReplyHead, start: (sink: WatchSink) => void): Promise<void> {
    this.#open(head);
    if (this.#isHead) this.#body.writable.end();
    if (this.#isHead || this.closed) return;
    this.#sink = new StreamWatchSink({
      stream: this.#body.writable,
      joiner: plain,
      end: () => {
        this.#body.writable.end();
        this.#close();
      },
    });
    start(this.#sink);
  }

  endWatch(): void {
    this.#sink?.end();
  }

  cut(): void {
    if (!this.closed) this.#break(new LoopbackError('CLOSED', 'the server broke the answer off'));
  }

  onClose(listener: () => void): void {
    this.#closing.add(listener);
  }

  readonly #aborted = (): void => this.#break(this.#signal?.reason);

  #open({ status, headers }: ReplyHead): void {
    this.#status = status;
    this.#respond({ status, headers: joined(headers), body: this.#body });
  }

  #break(error: unknown): void {
    this.#refuse(error);
    this.#body.fail(error);
  }

  #close(): void {
    if (this.closed) return;
    this.#closing.close();
    this.#sink?.close();
  }
}

/** One text for each header. */
function joined(headers: ReplyHead['headers']): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, typeof value === 'string' ? value : value.join(', ')]),
  );
}
