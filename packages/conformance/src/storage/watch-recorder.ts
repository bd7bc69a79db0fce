/** A consumer of a watch that writes down everything it gets. */

import type { Revision, StorageEngine, StorageEvent, StorageWatch, WatchBatch } from '@listwatch/storage';
import type { WatchRecord } from './watch-history.ts';

/** Options of {@link WatchRecorder.open}. */
export interface RecorderOptions {
  readonly prefix: string;
  readonly after: Revision;
  /** Called before each batch is taken: return a promise to be a slow consumer. */
  readonly pace?: (() => Promise<void>) | undefined;
}

/** Reads in the background from the moment it is opened. */
export class WatchRecorder {
  readonly #options: RecorderOptions;
  readonly #batches: WatchBatch[] = [];
  readonly #watch: StorageWatch;
  readonly #abort = new AbortController();
  readonly #done: Promise<unknown>;
  #error: unknown;
  #changed: () => void = () => undefined;

  private constructor(engine: StorageEngine, options: RecorderOptions) {
    this.#options = options;
    this.#watch = engine.watch(options.prefix, { after: options.after, signal: this.#abort.signal });
    this.#done = this.#consume();
  }

  static open(engine: StorageEngine, options: RecorderOptions): WatchRecorder {
    return new WatchRecorder(engine, options);
  }

  get batches(): readonly WatchBatch[] {
    return this.#batches;
  }

  get events(): readonly StorageEvent[] {
    return this.#batches.flatMap((batch) => batch.events);
  }

  get record(): WatchRecord {
    return { prefix: this.#options.prefix, segments: [{ after: this.#options.after, batches: this.#batches }] };
  }

  requestProgress(): void {
    this.#watch.requestProgress();
  }

  /** Resolves when the watch has come to `revision`; rejects with the watch's error if it ends before. */
  async reached(revision: Revision): Promise<void> {
    while ((this.#batches.at(-1)?.revision ?? -1n) < revision) {
      if (this.#error !== undefined) throw this.#error;
      await new Promise<void>((resolve) => {
        this.#changed = resolve;
      });
    }
  }

  /** Resolves with the error the watch ends with. */
  async failure(): Promise<unknown> {
    await this.#done;
    return this.#error;
  }

  async stop(): Promise<void> {
    this.#abort.abort(new Error('recorder stopped'));
    await this.#done;
  }

  async #consume(): Promise<void> {
    try {
      for await (const batch of this.#watch) {
        this.#batches.push(batch);
        this.#changed();
        await this.#options.pace?.();
      }
    } catch (error) {
      this.#error = error;
      this.#changed();
    }
  }
}
