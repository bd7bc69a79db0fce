/** The primary's end of the pipe: reads and watches of its storage engine for its own readers. */

import { timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Clock } from '@listwatch/api';
import type { StorageEngine, StorageWatch } from '@listwatch/storage';
import { FRAME, FrameReader, FrameWriter, framesOf, type PipeFrame } from './pipe-frame.ts';
import { writeBatch, writeEntry, writePipeFailure } from './pipe-values.ts';

/** Whoever connects must say the secret at once. */
const HELLO_MS = 5000;
/** Questions of one connection at one time; more wait in its socket. */
const MAX_OPEN = 256;
/** The entries of a range go in frames of about this size, so that it is never in memory twice. */
const PART_BYTES = 1024 * 1024;
/** ... and have no more entries than this, so that a reader can take turns between them. */
const PART_ENTRIES = 1000;

export interface PipeServerParts {
  readonly engine: Pick<StorageEngine, 'get' | 'range' | 'revision' | 'watch'>;
  readonly clock: Clock;
  /** What a reader says first. */
  readonly secret: Buffer;
  /** Writes lines of a reader's audit log, and resolves with how many were written. */
  readonly appendLines: (lines: readonly string[]) => Promise<number>;
}

/** Numbers for metrics. */
export interface PipeCounts {
  readonly connections: number;
  readonly refused: number;
  readonly bytes: number;
}

/** Answers connections. A connection is for questions, or for one watch: a watch that is not taken holds back nothing else. */
export class PipeServer {
  readonly #parts: PipeServerParts;
  readonly #sockets = new Set<Socket>();
  #refused = 0;
  #bytes = 0;

  constructor(parts: PipeServerParts) {
    this.#parts = parts;
  }

  get counts(): PipeCounts {
    return { connections: this.#sockets.size, refused: this.#refused, bytes: this.#bytes };
  }

  /** Takes a connection over. Never throws. */
  take(socket: Socket): void {
    this.#sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.once('close', () => this.#sockets.delete(socket));
    // Whatever went wrong, the reader sees the end of the connection.
    this.#serve(socket).then(
      () => socket.destroy(),
      () => socket.destroy(),
    );
  }

  close(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  async #serve(socket: Socket): Promise<void> {
    const cancel = this.#parts.clock.after(HELLO_MS, () => socket.destroy());
    const frames = framesOf(socket);
    const first = await frames.next();
    cancel();
    if (first.done === true || !this.#isReader(first.value)) {
      this.#refused += 1;
      return;
    }
    const open = new Set<Promise<void>>();
    // Not by `for await`: leaving it would end the connection, which a watch goes on with.
    for (let next = await frames.next(); next.done !== true; next = await frames.next()) {
      const frame = next.value;
      if (frame.type === FRAME.watch) return this.#watch(socket, frame, frames);
      const answer = this.#answer(socket, frame).finally(() => open.delete(answer));
      open.add(answer);
      if (open.size >= MAX_OPEN) await Promise.race(open);
    }
  }

  #isReader({ type, payload }: PipeFrame): boolean {
    const { secret } = this.#parts;
    return type === FRAME.hello && payload.length === secret.length && timingSafeEqual(payload, secret);
  }

  /** Never rejects. */
  async #answer(socket: Socket, frame: PipeFrame): Promise<void> {
    const { id } = frame;
    try {
      await this.#write(socket, (await this.#answered(socket, frame)).frame(FRAME.answer, id));
    } catch (error) {
      await this.#write(socket, writePipeFailure(new FrameWriter(), error).frame(FRAME.failure, id));
    }
  }

  async #answered(socket: Socket, frame: PipeFrame): Promise<FrameWriter> {
    const { engine, appendLines } = this.#parts;
    const fields = new FrameReader(frame);
    switch (frame.type) {
      case FRAME.revision:
        return new FrameWriter().revision(await engine.revision());
      case FRAME.get: {
        const [key, at] = [fields.text(), fields.revision()];
        const { entry, revision } = await engine.get(key, at === 0n ? {} : { at });
        const answer = new FrameWriter().revision(revision);
        return entry === undefined ? answer : writeEntry(answer, entry);
      }
      case FRAME.range:
        return this.#range(socket, frame.id, fields);
      case FRAME.lines:
        return new FrameWriter().number(await appendLines(linesOf(fields)));
      default:
        throw new RangeError(`there is no question ${frame.type}`);
    }
  }

  async #range(socket: Socket, id: number, fields: FrameReader): Promise<FrameWriter> {
    const [prefix, start, limit, at] = [fields.text(), fields.text(), Number(fields.revision()), fields.revision()];
    const options = { limit, pause: nextTurn, ...(start === '' ? {} : { start }), ...(at === 0n ? {} : { at }) };
    const { entries, more, count, revision } = await this.#parts.engine.range(prefix, options);
    let part = new FrameWriter();
    let written = 0;
    for (const entry of entries) {
      writeEntry(part, entry);
      written += 1;
      if (part.size < PART_BYTES && written % PART_ENTRIES !== 0) continue;
      await this.#write(socket, part.frame(FRAME.part, id));
      part = new FrameWriter();
    }
    if (part.size > 0) await this.#write(socket, part.frame(FRAME.part, id));
    return new FrameWriter()
      .revision(revision)
      .number(more ? 1 : 0)
      .number(count);
  }

  /** Reads on only when the socket has taken the batch before: a reader that is slow stays behind in the engine's own history. */
  async #watch(socket: Socket, frame: PipeFrame, frames: AsyncGenerator<PipeFrame>): Promise<void> {
    const fields = new FrameReader(frame);
    const ended = new AbortController();
    socket.once('close', () => ended.abort(new Error('the reader has gone')));
    let watch: StorageWatch;
    try {
      watch = this.#parts.engine.watch(fields.text(), { after: fields.revision(), signal: ended.signal });
      void heedProgress(watch, frames);
      for await (const batch of watch) {
        await this.#write(socket, writeBatch(new FrameWriter(), batch).frame(FRAME.batch, 0));
      }
    } catch (error) {
      if (ended.signal.aborted) return;
      await this.#write(socket, writePipeFailure(new FrameWriter(), error).frame(FRAME.failure, 0));
    }
    socket.end();
    if (!socket.closed) await once(socket, 'close');
  }

  async #write(socket: Socket, bytes: Buffer): Promise<void> {
    if (socket.destroyed) return;
    this.#bytes += bytes.length;
    if (socket.write(bytes)) return;
    const gone = new AbortController();
    const leave = (): void => gone.abort();
    socket.once('close', leave);
    await once(socket, 'drain', { signal: gone.signal }).catch(() => undefined);
    socket.off('close', leave);
  }
}

async function heedProgress(watch: StorageWatch, frames: AsyncGenerator<PipeFrame>): Promise<void> {
  try {
    for await (const { type } of frames) if (type === FRAME.progress) watch.requestProgress();
  } catch {
    // The connection is over, and the watch with it.
  }
}

function linesOf(fields: FrameReader): readonly string[] {
  return Array.from({ length: fields.number() }, () => fields.text());
}
