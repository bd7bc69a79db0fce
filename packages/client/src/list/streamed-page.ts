/** A page of a list that is decoded while it arrives. */

import type { ApiObject, ListMeta } from '@listwatch/api';
import type { ListPage } from '../cluster.ts';
import type { ListDecoder } from './list-decoder.ts';

const NO_REST = ([] as readonly never[]).values();

/** One page, for one reader. After `break` the remaining items can still be read by another loop, `items` or `skip`. */
export class StreamedPage<T extends ApiObject> implements ListPage<T> {
  readonly number: number;
  readonly #decoder: ListDecoder<T>;
  readonly #body: AsyncIterator<Uint8Array>;
  /** Decoded items that have not been read. */
  #rest: IterableIterator<T> = NO_REST;
  readonly #named: (error: unknown) => unknown;
  #isReading = false;
  #isOver = false;

  /** `named` says in an error which list it is about. */
  constructor(
    number: number,
    decoder: ListDecoder<T>,
    body: AsyncIterable<Uint8Array>,
    named: (error: unknown) => unknown,
  ) {
    this.number = number;
    this.#decoder = decoder;
    this.#named = named;
    this.#body = body[Symbol.asyncIterator]();
  }

  get metadata(): ListMeta {
    return this.#decoder.metadata;
  }

  get kind(): string | undefined {
    return this.#decoder.kind;
  }

  get apiVersion(): string | undefined {
    return this.#decoder.apiVersion;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, undefined> {
    do {
      for (let items = this.#take(); items.length > 0; items = this.#take()) {
        this.#rest = items.values();
        for (const item of this.#rest) yield item;
      }
    } while (await this.#more());
  }

  async *batches(): AsyncGenerator<readonly T[], undefined> {
    do {
      const batch = this.#takeAll();
      if (batch.length > 0) yield batch;
    } while (await this.#more());
  }

  async items(): Promise<T[]> {
    const items: T[] = [];
    do for (const item of this.#takeAll()) items.push(item);
    while (await this.#more());
    return items;
  }

  /** Skips the rest, so that `metadata` is complete and the connection can be reused. */
  async skip(): Promise<void> {
    this.#decoder.dropItems();
    this.#rest = NO_REST;
    do this.#take();
    while (await this.#more());
  }

  /** Closes the exchange, unless all of it has been read. */
  async close(): Promise<void> {
    if (this.#isOver) return;
    this.#isOver = true;
    await this.#body.return?.();
  }

  /** Unread or newly decoded items; none when it takes more bytes. */
  #take(): readonly T[] {
    const rest = [...this.#rest];
    if (rest.length > 0) return rest;
    if (this.#isOver) return rest;
    try {
      return this.#decoder.take();
    } catch (error) {
      throw this.#named(error);
    }
  }

  /** All items of the bytes that have arrived: nearly always one run, which is not copied. */
  #takeAll(): readonly T[] {
    const first = this.#take();
    let more = first.length === 0 ? first : this.#take();
    if (more.length === 0) return first;
    const all = [...first];
    for (; more.length > 0; more = this.#take()) for (const item of more) all.push(item);
    return all;
  }

  /** Waits for more bytes; false when there are none. */
  async #more(): Promise<boolean> {
    if (this.#isOver) return false;
    // Two readers would overwrite each other's bytes, and items would be lost silently.
    if (this.#isReading) throw new TypeError('a page of a list has one reader');
    this.#isReading = true;
    try {
      const { done, value } = await this.#body.next();
      if (done === true) {
        this.#isOver = true;
        this.#decoder.end();
        return false;
      }
      this.#decoder.push(value);
      return true;
    } catch (error) {
      throw this.#named(error);
    } finally {
      this.#isReading = false;
    }
  }
}
