/** A body that came in gzip, as it was before. */

import { createGunzip, type Gunzip } from 'node:zlib';
import { TransportError } from '../transport-error.ts';
import { PIECE_BYTES } from './incoming-body.ts';

/** Nothing is read before it is asked for, and no more than is asked for: the sender is held back as by the body itself. */
export class UnpackedBody implements AsyncIterable<Uint8Array>, AsyncIterator<Uint8Array, undefined> {
  readonly #packed: AsyncIterator<Uint8Array>;
  readonly #gunzip: Gunzip = createGunzip({ chunkSize: PIECE_BYTES });
  readonly #pieces: AsyncIterator<Uint8Array> = this.#gunzip[Symbol.asyncIterator]();
  #isBegun = false;
  #failure: { readonly reason: unknown } | undefined;

  constructor(packed: AsyncIterable<Uint8Array>) {
    this.#packed = packed[Symbol.asyncIterator]();
  }

  [Symbol.asyncIterator](): AsyncIterator<Uint8Array, undefined> {
    return this;
  }

  async next(): Promise<IteratorResult<Uint8Array, undefined>> {
    if (!this.#isBegun) void this.#feed();
    this.#isBegun = true;
    try {
      const { done, value } = await this.#pieces.next();
      return done === true ? { done, value: undefined } : { done: false, value };
    } catch (cause) {
      if (this.#failure !== undefined) throw this.#failure.reason;
      throw new TransportError('PROTOCOL', `the answer cannot be unpacked: ${String(cause)}`, { cause });
    }
  }

  async return(): Promise<IteratorResult<Uint8Array, undefined>> {
    this.#gunzip.destroy();
    await this.#packed.return?.();
    return { done: true, value: undefined };
  }

  /** Never rejects. */
  async #feed(): Promise<void> {
    try {
      for (;;) {
        const { done, value } = await this.#packed.next();
        if (done === true) break;
        await this.#write(value);
      }
      this.#gunzip.end();
    } catch (reason) {
      // Of what is wrong with the bytes the gunzip has told its reader; this is what is wrong with their way.
      if (!this.#gunzip.destroyed) this.#failure = { reason };
      this.#gunzip.destroy(reason instanceof Error ? reason : new Error(String(reason)));
    }
  }

  /** Resolves when all of it has been unpacked and taken: until then the chunk is in use. */
  #write(chunk: Uint8Array): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#gunzip.write(chunk, (error) => (error === null || error === undefined ? resolve() : reject(error)));
    });
  }
}
