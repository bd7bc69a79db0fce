/** Whether the store takes writes: a full disk makes `/readyz` fail until a write succeeds again. */

import { type CancelTimer, type Clock, isStorageError, type StorageError } from '@listwatch/storage';

/** A server that is not ready gets no requests, so the store is tried this often while its disk is full. */
const PROBE_EVERY_MS = 5000;

/** Options of a {@link StorageHealth}. */
export interface StorageHealthOptions {
  readonly clock: Clock;
  /** Tries a write. Its outcome comes back by `committed` or `failed`. */
  readonly probe: () => Promise<unknown>;
  /** Told once when the disk becomes full, not for every write that fails. */
  readonly onFull?: ((error: StorageError) => void) | undefined;
}

/** Reads and watches go on while the disk is full, and every write is still tried. */
export class StorageHealth {
  readonly #options: StorageHealthOptions;
  #full: StorageError | undefined;
  #cancelProbe: CancelTimer | undefined;

  constructor(options: StorageHealthOptions) {
    this.#options = options;
  }

  get isFull(): boolean {
    return this.#full !== undefined;
  }

  /** Throws why writes fail, without the path of the store: everybody may read it. */
  check(): void {
    if (this.#full !== undefined) throw new Error('the disk of the store is full: writes fail until there is space');
  }

  /** A write succeeded. */
  committed(): void {
    if (this.#full === undefined) return;
    this.#full = undefined;
    this.stop();
  }

  /** A write failed. */
  failed(error: unknown): void {
    if (this.#full !== undefined || !isStorageError(error, 'DISK_FULL')) return;
    this.#full = error;
    this.#options.onFull?.(error);
    this.#probeLater();
  }

  /** Ends the probes. */
  stop(): void {
    this.#cancelProbe?.();
    this.#cancelProbe = undefined;
  }

  #probeLater(): void {
    this.#cancelProbe = this.#options.clock.after(PROBE_EVERY_MS, () => void this.#probe());
  }

  async #probe(): Promise<void> {
    await this.#options.probe();
    if (this.#full !== undefined && this.#cancelProbe !== undefined) this.#probeLater();
  }
}
