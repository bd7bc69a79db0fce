/** Moves a body that is pulled into an exchange that is pushed. */

import type { Exchange } from './pending-request.ts';

/** Holds a pump back while the reader does not keep up. */
export class Gate {
  #open: (() => void) | undefined;
  #shut: Promise<void> | undefined;

  pause(): void {
    this.#shut ??= new Promise((resolve) => {
      this.#open = resolve;
    });
  }

  resume(): void {
    this.#open?.();
    this.#shut = undefined;
  }

  /** Undefined when nobody has to wait. */
  get shut(): Promise<void> | undefined {
    return this.#shut;
  }
}

/** Reads to the end, to the first failure, or until the exchange is over. */
export async function pump(
  exchange: Exchange,
  gate: Gate,
  read: () => Promise<Uint8Array | undefined>,
  failure: (error: unknown) => unknown,
): Promise<void> {
  try {
    while (exchange.phase !== 'over') {
      const chunk = await read();
      if (chunk === undefined) {
        exchange.end();
        return;
      }
      exchange.data(chunk);
      if (gate.shut !== undefined) await gate.shut;
    }
  } catch (error) {
    exchange.fail(failure(error));
  }
}
