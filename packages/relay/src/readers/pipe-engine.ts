/** A storage engine whose store is the primary: it reads and watches, and writes nothing. Start here. */

import { connect, type Socket } from 'node:net';
import type { AbortOptions } from '@listwatch/api';
import {
  type CommitResult,
  type Entry,
  type GetResult,
  type RangeOptions,
  type RangeResult,
  type ReadOptions,
  type Revision,
  type StorageCapabilities,
  type StorageEngine,
  StorageError,
  type StorageWatch,
  type WatchOptions,
} from '@listwatch/storage';
import { checkAt, checkKey, checkRange, closedError } from '@listwatch/storage/internal';
import { FRAME, FrameReader, FrameWriter, framesOf, type PipeFrame } from './pipe-frame.ts';
import { readEntry, readPipeFailure, throughPipe } from './pipe-values.ts';
import { PipeWatch } from './pipe-watch.ts';

export interface PipeEngineOptions {
  /** The Unix socket of the primary. */
  readonly path: string;
  readonly secret: Buffer;
  /** Those of the primary's engine. */
  readonly capabilities: StorageCapabilities;
}

/** A question, and what has come of its answer. */
interface Question {
  /** Of a range: frames full of entries. */
  readonly parts: PipeFrame[];
  readonly resolve: (answer: { readonly fields: FrameReader; readonly parts: readonly PipeFrame[] }) => void;
  readonly reject: (error: unknown) => void;
}

/** One connection for all questions, one more for each watch. A lost connection is made anew by the next question. */
export class PipeEngine implements StorageEngine {
  readonly capabilities: StorageCapabilities;
  readonly #options: PipeEngineOptions;
  readonly #questions = new Map<number, Question>();
  readonly #watches = new Set<PipeWatch>();
  #socket: Socket | undefined;
  #lastId = 0;
  #isClosed = false;

  constructor(options: PipeEngineOptions) {
    this.#options = options;
    this.capabilities = throughPipe(options.capabilities);
  }

  async revision(options: AbortOptions = {}): Promise<Revision> {
    const { fields } = await this.#ask(FRAME.revision, new FrameWriter(), options.signal);
    return fields.revision();
  }

  async get(key: string, options: ReadOptions = {}): Promise<GetResult> {
    checkKey(key);
    checkAt(options.at);
    const question = new FrameWriter().text(key).revision(options.at ?? 0n);
    const { fields } = await this.#ask(FRAME.get, question, options.signal);
    const revision = fields.revision();
    return { revision, entry: fields.isAtEnd ? undefined : readEntry(fields) };
  }

  async range(prefix: string, options: RangeOptions = {}): Promise<RangeResult> {
    checkRange(prefix, options);
    const { start = '', limit = 0, at = 0n, signal, pause } = options;
    const question = new FrameWriter().text(prefix).text(start).revision(BigInt(limit)).revision(at);
    const { fields, parts } = await this.#ask(FRAME.range, question, signal);
    const entries: Entry[] = [];
    for (const [i, part] of parts.entries()) {
      if (i > 0) await pause?.();
      signal?.throwIfAborted();
      const read = new FrameReader(part);
      while (!read.isAtEnd) entries.push(readEntry(read));
    }
    return { entries, revision: fields.revision(), more: fields.number() === 1, count: fields.number() };
  }

  watch(prefix: string, options: WatchOptions): StorageWatch {
    const watch = new PipeWatch(prefix, options, {
      open: () => this.#connect(),
      isClosed: () => this.#isClosed,
      onEnd: () => this.#watches.delete(watch),
    });
    this.#watches.add(watch);
    return watch;
  }

  /** Writes lines to the primary's audit log. Resolves with how many were written. */
  async appendLines(lines: readonly string[]): Promise<number> {
    const question = new FrameWriter().number(lines.length);
    for (const line of lines) question.text(line);
    const { fields } = await this.#ask(FRAME.lines, question, undefined);
    return fields.number();
  }

  commit(): Promise<CommitResult> {
    return Promise.reject(this.#isClosed ? closedError() : readOnly());
  }

  compact(): Promise<void> {
    return Promise.reject(this.#isClosed ? closedError() : readOnly());
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#socket?.destroy();
    this.#lose(closedError());
    for (const watch of this.#watches) watch.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #ask(
    type: number,
    question: FrameWriter,
    signal: AbortSignal | undefined,
  ): Promise<Parameters<Question['resolve']>[0]> {
    signal?.throwIfAborted();
    if (this.#isClosed) throw closedError();
    this.#socket ??= this.#openQuestions();
    const socket = this.#socket;
    this.#lastId = (this.#lastId % 0xffff_ffff) + 1;
    const id = this.#lastId;
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        this.#questions.delete(id);
        reject(signal?.reason);
      };
      const answered =
        <V>(give: (value: V) => void) =>
        (value: V): void => {
          signal?.removeEventListener('abort', leave);
          give(value);
        };
      signal?.addEventListener('abort', leave, { once: true });
      this.#questions.set(id, { parts: [], resolve: answered(resolve), reject: answered(reject) });
      socket.write(question.frame(type, id));
    });
  }

  #openQuestions(): Socket {
    const socket = this.#connect();
    socket.once('close', () => {
      if (this.#socket === socket) this.#socket = undefined;
      this.#lose(this.#isClosed ? closedError() : lostPrimary());
    });
    void this.#read(socket);
    return socket;
  }

  async #read(socket: Socket): Promise<void> {
    try {
      for await (const frame of framesOf(socket)) this.#answer(frame);
    } catch {
      // The questions hear of the end of the connection.
    }
    socket.destroy();
  }

  #answer(frame: PipeFrame): void {
    // One that has left: its signal was aborted.
    const question = this.#questions.get(frame.id);
    if (question === undefined) return;
    if (frame.type === FRAME.part) {
      question.parts.push(frame);
      return;
    }
    this.#questions.delete(frame.id);
    const fields = new FrameReader(frame);
    if (frame.type === FRAME.failure) question.reject(readPipeFailure(fields));
    else question.resolve({ fields, parts: question.parts });
  }

  #lose(error: StorageError): void {
    const questions = [...this.#questions.values()];
    this.#questions.clear();
    for (const { reject } of questions) reject(error);
  }

  #connect(): Socket {
    const { path, secret } = this.#options;
    const socket = connect({ path });
    socket.on('error', () => socket.destroy());
    const hello = Buffer.concat([new FrameWriter().frame(FRAME.hello, 0), secret]);
    hello.writeUInt32BE(hello.length - 4);
    socket.write(hello);
    return socket;
  }
}

function readOnly(): StorageError {
  return new StorageError('UNAVAILABLE', 'a reader writes nothing: writes go to the primary');
}

function lostPrimary(): StorageError {
  return new StorageError('UNAVAILABLE', 'the connection to the primary is lost');
}
