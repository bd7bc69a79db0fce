/** Bytes that arrive on one channel of a connection, for one reader. */

import { ByteBuffer } from '../json/byte-buffer.ts';
import { LineSplitter } from '../pods/line-splitter.ts';
import type { LogLineOptions } from '../pods/pod-logs.ts';
import { StreamError } from './stream-error.ts';

/** Options of reads that keep everything. */
export interface ReadAllOptions {
  /** Rejects with `TOO_LARGE` above it. Default: 64 MiB. */
  readonly maxBytes?: number | undefined;
}

/**
 * Bytes as they arrive, for one reader. It ends when the other side ends it. It throws what ended the connection instead, if
 * something did. `break` throws the rest away; the connection goes on.
 */
export interface ByteStream extends AsyncIterable<Uint8Array> {
  /** Everything up to the end. */
  bytes(options?: ReadAllOptions): Promise<Uint8Array>;
  /** Everything up to the end, as text. Bytes that are not UTF-8 become U+FFFD. */
  text(options?: ReadAllOptions): Promise<string>;
  /** Line by line, without the ends of the lines. */
  lines(options?: LogLineOptions): AsyncIterable<string>;
}

const MAX_BYTES = 64 * 1024 * 1024;
const MAX_LINE_BYTES = 1024 * 1024;
/** The memory that a message takes beside its bytes. Without it a sender of single bytes would be let in a hundred times too much. */
const MESSAGE_BYTES = 256;

const TAKEN = new Uint8Array();

type End = { readonly type: 'ended' } | { readonly type: 'failed'; readonly error: unknown };

/** The stream, and the side that fills it. */
export class IncomingBytes implements ByteStream {
  readonly #name: string;
  readonly #onRead: () => void;
  #chunks: Uint8Array[] = [];
  /** The first that is unread: to shift each off a long array takes time by its length. */
  #head = 0;
  #unread = 0;
  #end: End | undefined;
  #wake: (() => void) | undefined;
  #isTaken = false;
  #isDropped = false;

  /** `onRead` is called when the reader has taken something, waits, or wants no more. */
  constructor(name: string, onRead: () => void) {
    this.#name = name;
    this.#onRead = onRead;
  }

  /** Bytes that nobody has taken, with the memory of the messages around them. */
  get unread(): number {
    return this.#unread;
  }

  /** Does the reader wait for bytes? Then the sender must not be held back for another stream's sake. */
  get isStarving(): boolean {
    return this.#wake !== undefined;
  }

  push(chunk: Uint8Array): void {
    if (this.#isDropped || this.#end !== undefined || chunk.length === 0) return;
    // What a socket has read at once is one piece of memory: a byte of it that waits would keep all of it.
    const keepsMore = chunk.buffer.byteLength > 2 * chunk.length + MESSAGE_BYTES;
    this.#chunks.push(keepsMore ? new Uint8Array(chunk) : chunk);
    this.#unread += chunk.length + MESSAGE_BYTES;
    this.#wakeReader();
  }

  end(): void {
    this.#end ??= { type: 'ended' };
    this.#wakeReader();
  }

  /** What has arrived can still be read before it. */
  fail(error: unknown): void {
    this.#end ??= { type: 'failed', error };
    this.#wakeReader();
  }

  /** Nobody will read it, unless somebody does already. */
  dropUnlessTaken(): void {
    if (!this.#isTaken) this.#drop();
  }

  [Symbol.asyncIterator](): AsyncIterator<Uint8Array, undefined> {
    if (this.#isTaken) throw new TypeError(`${this.#name} has one reader`);
    this.#isTaken = true;
    return {
      next: () => this.#next(),
      return: async () => {
        this.#drop();
        return { done: true, value: undefined };
      },
    };
  }

  async bytes({ maxBytes = MAX_BYTES }: ReadAllOptions = {}): Promise<Uint8Array> {
    const buffer = new ByteBuffer();
    for await (const chunk of this) {
      if (buffer.length + chunk.length > maxBytes) {
        throw new StreamError('TOO_LARGE', `${this.#name} has more than maxBytes (${maxBytes})`);
      }
      buffer.append(chunk);
    }
    return buffer.bytes;
  }

  async text(options?: ReadAllOptions): Promise<string> {
    return new TextDecoder().decode(await this.bytes(options));
  }

  async *lines({ maxLineBytes = MAX_LINE_BYTES }: LogLineOptions = {}): AsyncGenerator<string, undefined> {
    const splitter = new LineSplitter(maxLineBytes);
    for await (const chunk of this) yield* splitter.push(chunk);
    const last = splitter.end();
    if (last !== undefined) yield last;
    return undefined;
  }

  async #next(): Promise<IteratorResult<Uint8Array, undefined>> {
    for (;;) {
      const chunk = this.#take();
      if (chunk !== undefined) {
        this.#unread -= chunk.length + MESSAGE_BYTES;
        this.#onRead();
        return { done: false, value: chunk };
      }
      if (this.#end?.type === 'failed') throw this.#end.error;
      if (this.#end !== undefined || this.#isDropped) return { done: true, value: undefined };
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
        this.#onRead();
      });
    }
  }

  #take(): Uint8Array | undefined {
    const chunk = this.#chunks[this.#head];
    if (chunk === undefined) return undefined;
    // Not kept until the array is cut: it is the reader's now.
    this.#chunks[this.#head] = TAKEN;
    this.#head += 1;
    if (this.#head * 2 > this.#chunks.length) {
      this.#chunks = this.#chunks.slice(this.#head);
      this.#head = 0;
    }
    return chunk;
  }

  #drop(): void {
    this.#isDropped = true;
    this.#chunks = [];
    this.#head = 0;
    this.#unread = 0;
    this.#wakeReader();
    this.#onRead();
  }

  #wakeReader(): void {
    this.#wake?.();
    this.#wake = undefined;
  }
}
