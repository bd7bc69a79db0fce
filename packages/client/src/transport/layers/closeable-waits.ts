/** Pauses of a layer that end when its transport is closed. */

import { onAbort } from '@listwatch/api/internal';
import { linkSignal } from '../../link-signal.ts';
import { transportClosedError } from '../exchange/pending-requests.ts';

/** Without it a request that waits for its next attempt keeps a closed client alive for as long as the pause. */
export class CloseableWaits {
  readonly #closing = new AbortController();

  get isClosed(): boolean {
    return this.#closing.signal.aborted;
  }

  /** Runs `wait` with a signal that is aborted by `signal` and by `close`. */
  async wait(signal: AbortSignal | undefined, wait: (signal: AbortSignal) => Promise<void>): Promise<void> {
    const link = linkSignal(signal);
    const end = (): void => link.abort(this.#closing.signal.reason);
    const off = onAbort(this.#closing.signal, end);
    if (this.isClosed) end();
    try {
      await wait(link.signal);
    } finally {
      off();
      link.unlink();
    }
  }

  /** Waits reject with `CLIENT_CLOSED`. */
  close(): void {
    this.#closing.abort(transportClosedError());
  }
}
