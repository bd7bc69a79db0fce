/** The time that a client has to read an answer. */

import type { Clock } from '@listwatch/api';

/** What the deadline of an answer depends on; see `HttpServerOptions`. */
export interface ReadDeadlineConfig {
  readonly clock: Clock;
  readonly readTimeoutMs: number;
  readonly cuts: ConnectionCuts;
}

/** How many answers and connections were cut, by the deadline that they missed. */
export interface ConnectionCuts {
  /** Answers that were not read. */
  unread: number;
  /** HTTP/2 connections that did not finish a frame, or did not answer a ping. */
  stalled: number;
  /** HTTP/2 connections that reset too many streams right after they began. */
  resetting: number;
}

/** The slowest reader that is still served: this many bytes a second, after `readTimeoutMs`. */
const SLOWEST_BYTES_PER_SECOND = 64 * 1024;

/** Cuts an answer whose client takes too long to read it. */
export class ReadDeadline {
  readonly #config: ReadDeadlineConfig;
  readonly #cut: () => void;
  #cancel: (() => void) | undefined;

  constructor(config: ReadDeadlineConfig, cut: () => void) {
    this.#config = config;
    this.#cut = cut;
  }

  /** The client must take `bytes` from now on; replaces what was expected before. */
  expect(bytes: number): void {
    const { clock, readTimeoutMs, cuts } = this.#config;
    this.#cancel?.();
    // Whole seconds: Node keeps one list of timers for each duration.
    const extraMs = Math.ceil(bytes / SLOWEST_BYTES_PER_SECOND) * 1000;
    this.#cancel = clock.after(readTimeoutMs + extraMs, () => {
      cuts.unread++;
      this.#cut();
    });
  }

  /** The answer has been read, or its client has gone. */
  stop(): void {
    this.#cancel?.();
    this.#cancel = undefined;
  }
}
