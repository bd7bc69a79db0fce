/** A watch's sink on a byte stream: an HTTP/1.1 socket, an HTTP/2 stream or the socket of a WebSocket. */
import type { Writable } from 'node:stream';
import type { WatchSink } from '../contract/watch-sink.ts';
import type { FrameJoiner } from './joined-frames.ts';

/** What differs between the protocols. */
export interface StreamWatchSinkOptions {
  readonly stream: Writable;
  readonly joiner: FrameJoiner;
  /** Ends the stream cleanly, in the words of the protocol. */
  readonly end: () => void;
}

type SinkState = 'closed' | 'ended' | 'full' | 'open';

/** Writes frames until it is ended by the watch, or closed by the connection. */
export class StreamWatchSink implements WatchSink {
  readonly isStream: boolean;
  readonly #options: StreamWatchSinkOptions;
  #state: SinkState = 'open';
  #onReady: () => void = () => {};
  #onClose: () => void = () => {};

  constructor(options: StreamWatchSinkOptions) {
    this.#options = options;
    this.isStream = options.joiner.isStream;
    options.stream.on('drain', this.#drained);
  }

  write(frames: readonly Buffer[]): boolean {
    if (this.#state === 'ended' || this.#state === 'closed') return false;
    if (frames.length === 0) return this.#state === 'open';
    const { stream, joiner } = this.#options;
    this.#state = stream.write(joiner.join(frames)) ? 'open' : 'full';
    return this.#state === 'open';
  }

  onReady(listener: () => void): void {
    this.#onReady = listener;
  }

  onClose(listener: () => void): void {
    this.#onClose = listener;
    // A watch may take its time before it listens; it must still hear that nobody is there.
    if (this.#state === 'closed') listener();
  }

  end(): void {
    if (this.#state === 'ended' || this.#state === 'closed') return;
    this.#state = 'ended';
    this.#options.stream.off('drain', this.#drained);
    this.#options.end();
  }

  /** The connection has gone, or the answer is out. Called by the reply that made the sink. */
  close(): void {
    if (this.#state === 'closed') return;
    this.#state = 'closed';
    this.#options.stream.off('drain', this.#drained);
    this.#onClose();
  }

  readonly #drained = (): void => {
    if (this.#state !== 'full') return;
    this.#state = 'open';
    this.#onReady();
  };
}
