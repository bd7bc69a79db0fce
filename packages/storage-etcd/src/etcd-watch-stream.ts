/** One gRPC watch stream, read message by message when the reader asks. */

import type { OpenedStream } from './etcd-client.ts';
import { classifyFailure, type EtcdFailure, isServiceError } from './etcd-error.ts';
import { decodeWatchResponse, type WatchResponse } from './watch-messages.ts';

/**
 * Pulls: what is not asked for stays with etcd, but for the few messages that Node's streams read ahead (16, each of at
 * most etcd's request limit thanks to fragments).
 */
export class WatchStream {
  readonly opened: OpenedStream;
  readonly #rootBytes: number;
  #error: unknown;
  #over = false;
  #wake: (() => void) | undefined;

  constructor(opened: OpenedStream, rootBytes: number) {
    this.opened = opened;
    this.#rootBytes = rootBytes;
    const wake = (): void => this.#wake?.();
    const end = (error?: unknown): void => {
      this.#over = true;
      this.#error ??= error;
      wake();
    };
    opened.stream.on('readable', wake);
    opened.stream.on('end', () => end());
    opened.stream.on('error', end);
  }

  /** Why it ended, after it has. */
  get error(): unknown {
    return this.#error;
  }

  /** Why it ended, in the engine's words. */
  get failure(): EtcdFailure {
    return isServiceError(this.#error) ? classifyFailure(this.#error) : 'unknown';
  }

  /** Sends a request. Harmless after the end. */
  send(request: Buffer): void {
    if (!this.#over && this.opened.stream.writable) this.opened.stream.write(request);
  }

  /** The next message, or undefined when the stream is over. For one reader. */
  async next(): Promise<WatchResponse | undefined> {
    for (;;) {
      if (this.#over) return undefined;
      const message: Buffer | null = this.opened.stream.read();
      if (message !== null) return decodeWatchResponse(message, this.#rootBytes);
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
      this.#wake = undefined;
    }
  }

  /** Ends the stream; a reader that waits gets undefined. */
  cancel(): void {
    this.#over = true;
    this.opened.stream.cancel();
    this.#wake?.();
  }
}
