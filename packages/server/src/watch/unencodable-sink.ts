/** The sink of a watch whose events cannot be encoded in the requested form. */

import { isErrorFrame } from '../answer/watch-form.ts';
import type { WatchSink } from '../contract/watch-sink.ts';

/**
 * Ends at the first event without sending it, as kube-apiserver does for a watch as PartialObjectMetadataList: an event
 * is no list. Errors have a form of their own and pass. `refuses`: which frames are not sent.
 */
export class UnencodableSink implements WatchSink {
  readonly #sink: WatchSink;
  readonly #refuses: (frames: readonly Buffer[]) => boolean;
  #closed: () => void = () => undefined;

  constructor(sink: WatchSink, refuses = (frames: readonly Buffer[]): boolean => !frames.every(isErrorFrame)) {
    this.#sink = sink;
    this.#refuses = refuses;
  }

  write(frames: readonly Buffer[]): boolean {
    if (!this.#refuses(frames)) return this.#sink.write(frames);
    this.#sink.end();
    // The watch leaves its channel now: a sink that was ended reports no close.
    this.#closed();
    return true;
  }

  onReady(listener: () => void): void {
    this.#sink.onReady(listener);
  }

  onClose(listener: () => void): void {
    this.#closed = listener;
    this.#sink.onClose(listener);
  }

  begun(): void {
    this.#sink.begun?.();
  }

  end(): void {
    this.#sink.end();
  }
}
