/** Whether a store in another process answers: `/readyz` fails while it does not. */

import { monotonicMs } from '@listwatch/api/internal';
import type { Clock, StorageEngine } from '@listwatch/storage';

/** As kube-apiserver's `etcd-readiness`. */
const ANSWER_WITHIN_MS = 2000;
/** Anybody may ask for `/readyz`, and as often as they like; the store is asked once in this time. */
const ASK_EVERY_MS = 1000;

/** One question at a time, for everybody who asks meanwhile. */
export class StorageReach {
  readonly #engine: Pick<StorageEngine, 'revision'>;
  readonly #clock: Clock;
  #asked: { readonly at: number; readonly answer: Promise<void> } | undefined;

  constructor(engine: Pick<StorageEngine, 'revision'>, clock: Clock) {
    this.#engine = engine;
    this.#clock = clock;
  }

  /** Rejects when the store does not answer. The reason names no address: everybody may read it. */
  check(): Promise<void> {
    const now = monotonicMs(this.#clock);
    if (this.#asked === undefined || now - this.#asked.at >= ASK_EVERY_MS) {
      this.#asked = { at: now, answer: this.#ask() };
    }
    return this.#asked.answer;
  }

  async #ask(): Promise<void> {
    const limit = new AbortController();
    const cancel = this.#clock.after(ANSWER_WITHIN_MS, () => limit.abort());
    try {
      await this.#engine.revision({ signal: limit.signal });
    } catch {
      throw new Error(
        limit.signal.aborted
          ? `the storage has not answered within ${ANSWER_WITHIN_MS} ms`
          : 'the storage is unavailable',
      );
    } finally {
      cancel();
    }
  }
}
