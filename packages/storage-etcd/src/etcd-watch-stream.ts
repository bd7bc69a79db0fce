/** One gRPC watch stream, read message by message when the reader asks. */

import type { OpenedStream } from './etcd-client.ts';
import { classifyFailure, type EtcdFailure } from './etcd-error.ts';
import { GrpcError } from './grpc/grpc-error.ts';
import { decodeWatchResponse, type EtcdWatchMessage } from './watch-messages.ts';

/**
 * Pulls: what is not asked for stays with etcd, but for the window of the stream and a few messages, each of at most etcd's
 * request limit thanks to fragments.
 */
export class EtcdWatchStream {
  readonly opened: OpenedStream;
  readonly #rootBytes: number;
  #returned: EtcdWatchMessage | undefined;
  #hasSpoken = false;

  constructor(opened: OpenedStream, rootBytes: number) {
    this.opened = opened;
    this.#rootBytes = rootBytes;
  }

  /** Why it ended, after it has. */
  get error(): unknown {
    return this.opened.stream.error;
  }

  /** Whether its connection is worth keeping: it brought messages and did not break, or ended with a status of the server. */
  get serves(): boolean {
    const { error } = this.opened.stream;
    return error === undefined ? this.#hasSpoken : error instanceof GrpcError && error.answered;
  }

  /** Why it ended, in the engine's words. */
  get failure(): EtcdFailure {
    const { error } = this.opened.stream;
    return error instanceof GrpcError ? classifyFailure(error) : 'unknown';
  }

  /** Sends a request. Harmless after the end. */
  send(request: Buffer): void {
    this.opened.stream.send(request);
  }

  /** A message that has arrived; undefined when there is none yet. For one reader. */
  take(): EtcdWatchMessage | undefined {
    const returned = this.#returned;
    this.#returned = undefined;
    if (returned !== undefined) return returned;
    return this.#read(this.opened.stream.take());
  }

  /** Hands a message back: it is the next one. */
  putBack(response: EtcdWatchMessage): void {
    this.#returned = response;
  }

  /** The next message, or undefined when the stream is over. For one reader. */
  async next(): Promise<EtcdWatchMessage | undefined> {
    const there = this.take();
    if (there !== undefined) return there;
    return this.#read(await this.opened.stream.next());
  }

  /** Ends the stream; a reader that waits gets undefined. */
  cancel(): void {
    this.opened.stream.cancel();
  }

  #read(message: Buffer | undefined): EtcdWatchMessage | undefined {
    if (message === undefined) return undefined;
    this.#hasSpoken = true;
    return decodeWatchResponse(message, this.#rootBytes);
  }
}
