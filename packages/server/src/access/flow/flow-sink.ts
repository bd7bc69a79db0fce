/** The sink of a watch that begins with objects: each part of them waits for its turn of the event loop. */

import type { WatchSink } from '../../contract/watch-sink.ts';

/** What the sink asks, and whom it tells. */
export interface FlowSinkParts {
  readonly turn: () => Promise<void> | undefined;
  /** All objects are out: the watch gives its seat back. */
  readonly onBegun: () => void;
}

/** Later events pass: they are charged to the flows that write. */
export class FlowSink implements WatchSink {
  readonly isStream: boolean | undefined;
  readonly #sink: WatchSink;
  #parts: FlowSinkParts | undefined;

  constructor(sink: WatchSink, parts: FlowSinkParts) {
    this.#sink = sink;
    this.isStream = sink.isStream;
    this.#parts = parts;
  }

  write(frames: readonly Buffer[]): boolean {
    return this.#sink.write(frames);
  }

  onReady(listener: () => void): void {
    this.#sink.onReady(() => this.#inTurn(listener));
  }

  rest(listener: () => void): void {
    const turn = this.#parts?.turn();
    // The stretch ends with this turn of the loop: without another turn of the gate nobody would be charged for the next part.
    if (turn === undefined) setImmediate(() => this.#inTurn(listener));
    else void turn.then(listener);
  }

  onClose(listener: () => void): void {
    this.#sink.onClose(listener);
  }

  begun(): void {
    this.#parts?.onBegun();
    this.#parts = undefined;
  }

  end(): void {
    this.#sink.end();
  }

  #inTurn(listener: () => void): void {
    const turn = this.#parts?.turn();
    if (turn === undefined) listener();
    else void turn.then(listener);
  }
}
