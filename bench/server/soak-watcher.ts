/** One watcher of the soak: fast, or slow enough to fall behind again and again. */

import type { Connection, OpenWatch } from './connection.ts';
import { FrameCounter } from './frame-counter.ts';
import { configMapPath } from './objects.ts';
import { openConnection } from './open-connection.ts';
import { resourceVersion } from './resource-version.ts';
import type { Target } from './target.ts';

/** How a watcher reads: all there is, one chunk every now and then (less than is written), or nothing at all. */
export type Pace = 'fast' | 'slow' | 'stuck';

/** A slow watcher takes a chunk, then nothing for this long. */
const PAUSED_MS = 2000;

/** Counts what it sees, and comes back when the server has ended its stream, as a client would. */
export class SoakWatcher {
  readonly pace: Pace;
  readonly #target: Target;
  #connection: Connection;
  #watch: OpenWatch | undefined;
  #timer: NodeJS.Timeout | undefined;
  #events = 0;
  #reconnects = 0;
  #lastEvent = performance.now();
  #paused = false;
  #stopped = false;

  constructor(target: Target, connection: Connection, pace: Pace) {
    this.#target = target;
    this.#connection = connection;
    this.pace = pace;
  }

  get events(): number {
    return this.#events;
  }

  /** How often the server ended its stream: what a watcher that is too slow has to expect. */
  get reconnects(): number {
    return this.#reconnects;
  }

  /** How long it has wanted to read and got nothing. */
  get silentMs(): number {
    return this.#paused ? 0 : performance.now() - this.#lastEvent;
  }

  async start(from: string): Promise<void> {
    const counter = new FrameCounter();
    this.#lastEvent = performance.now();
    const watch = await this.#connection.watch(
      `${configMapPath()}?watch=true&resourceVersion=${from}&allowWatchBookmarks=true`,
      (chunk) => {
        const events = counter.count(chunk);
        if (this.pace === 'slow') this.#rest();
        if (events === 0) return;
        this.#events += events;
        this.#lastEvent = performance.now();
      },
    );
    this.#watch = watch;
    void watch.ended.then(() => this.#comeBack());
    if (this.pace !== 'stuck') return;
    watch.pause();
    this.#paused = true;
  }

  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#timer);
    this.#connection.close();
  }

  #rest(): void {
    this.#watch?.pause();
    this.#paused = true;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#watch?.resume();
      this.#paused = false;
      this.#lastEvent = performance.now();
    }, PAUSED_MS);
  }

  async #comeBack(): Promise<void> {
    if (this.#stopped) return;
    this.#reconnects += 1;
    clearTimeout(this.#timer);
    this.#paused = false;
    this.#connection.close();
    this.#connection = await openConnection(this.#target, 'h1');
    await this.start(await resourceVersion(this.#target));
  }
}
