/** Sends lines of JSON to whoever follows, once a second; each line is made once for all who stand at the same place. */

import { MEDIA_TYPE } from '@listwatch/api';
import type { CancelTimer, Clock } from '@listwatch/storage';
import type { WatchResponse } from '../contract/api-response.ts';
import type { WatchSink } from '../contract/watch-sink.ts';

const EVERY_MS = 1000;

/** A line, and where whoever has read it stands. */
export interface StreamLine {
  readonly value: unknown;
  readonly position: number;
}

/** The line for a reader at a place; `undefined` as the place: it has nothing yet. Undefined as the answer: nothing is new. */
export type LineSource = (position: number | undefined) => Promise<StreamLine | undefined>;

interface Reader {
  readonly sink: WatchSink;
  position: number | undefined;
  /** A reader that is slow gets its next line when it has read this one: lines do not pile up. */
  isFull: boolean;
}

/** The readers of one stream. Nothing is made while there are none. */
export class LineStreams {
  readonly #clock: Clock;
  readonly #source: LineSource;
  readonly #onError: (error: unknown) => void;
  readonly #readers = new Set<Reader>();
  #cancel: CancelTimer | undefined;

  /** `onError` hears why a source has failed. */
  constructor(clock: Clock, source: LineSource, onError: (error: unknown) => void) {
    this.#clock = clock;
    this.#source = source;
    this.#onError = onError;
  }

  get count(): number {
    return this.#readers.size;
  }

  open(): WatchResponse {
    return { type: 'watch', contentType: MEDIA_TYPE.json, start: (sink) => this.#start(sink) };
  }

  /** Ends all streams. */
  close(): void {
    for (const { sink } of this.#readers) sink.end();
    this.#readers.clear();
    this.#cancel?.();
    this.#cancel = undefined;
  }

  #start(sink: WatchSink): void {
    const reader: Reader = { sink, position: undefined, isFull: false };
    this.#readers.add(reader);
    sink.onReady(() => {
      reader.isFull = false;
    });
    sink.onClose(() => this.#readers.delete(reader));
    // The timer goes on with those that are left.
    void this.#begin(reader);
  }

  async #begin(reader: Reader): Promise<void> {
    await this.#send([reader]);
    this.#schedule();
  }

  #schedule(): void {
    if (this.#cancel !== undefined || this.#readers.size === 0) return;
    this.#cancel = this.#clock.after(EVERY_MS, () => void this.#round());
  }

  async #round(): Promise<void> {
    await this.#send([...this.#readers]);
    this.#cancel = undefined;
    this.#schedule();
  }

  /** Never rejects: nobody waits for it, and a rejection would end the process. The readers of a failed source open new streams. */
  async #send(readers: readonly Reader[]): Promise<void> {
    try {
      await this.#sendLines(readers);
    } catch (error) {
      for (const reader of readers) if (this.#readers.delete(reader)) reader.sink.end();
      this.#onError(error);
    }
  }

  async #sendLines(readers: readonly Reader[]): Promise<void> {
    const made = new Map<number | undefined, { readonly frame: Buffer; readonly position: number } | undefined>();
    for (const reader of readers) {
      if (reader.isFull) continue;
      const { position } = reader;
      if (!made.has(position)) made.set(position, await this.#make(position));
      const line = made.get(position);
      // Another line may have been sent while this one was made.
      if (line === undefined || reader.position !== position || !this.#readers.has(reader)) continue;
      reader.position = line.position;
      reader.isFull = !reader.sink.write([line.frame]);
    }
  }

  async #make(
    position: number | undefined,
  ): Promise<{ readonly frame: Buffer; readonly position: number } | undefined> {
    const line = await this.#source(position);
    return line && { frame: Buffer.from(`${JSON.stringify(line.value)}\n`), position: line.position };
  }
}
