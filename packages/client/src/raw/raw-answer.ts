/** The answer to a request of any kind. */

import type { JsonRecord } from '@listwatch/api/values';
import { parseJsonBytes } from '../json/parse-json.ts';
import { readUpTo } from '../request/read-body.ts';
import type { TransportResponse } from '../transport/transport.ts';
import { TransportError } from '../transport/transport-error.ts';

/**
 * An answer whose headers have arrived; every status is one. Its body is for one reader, and must be read or closed (`close`, or
 * `break`): until then it holds its connection.
 */
export interface RawAnswer extends AsyncDisposable {
  readonly status: number;
  /** Was it a success? From 200 to 299. */
  readonly ok: boolean;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The body as it arrives. */
  readonly body: AsyncIterable<Uint8Array>;
  /** The whole body. Rejects with `PROTOCOL` when it is larger than `maxObjectBytes`. */
  bytes(): Promise<Uint8Array>;
  text(): Promise<string>;
  /** The body, which must be a JSON object, or an array as Services answer with. The type is what you say that it is: nothing is checked. */
  json<T extends object = JsonRecord>(): Promise<T>;
  close(): Promise<void>;
}

export class TransportRawAnswer implements RawAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: AsyncIterable<Uint8Array>;
  readonly #maxBytes: number;
  readonly #named: (error: unknown) => unknown;
  /** Whoever reads the body, or has read it. */
  #reader: AsyncIterator<Uint8Array> | undefined;

  constructor(response: TransportResponse, maxBytes: number, named: (error: unknown) => unknown) {
    this.status = response.status;
    this.headers = response.headers;
    this.body = {
      [Symbol.asyncIterator]: () => {
        this.#reader = response.body[Symbol.asyncIterator]();
        return this.#reader;
      },
    };
    this.#maxBytes = maxBytes;
    this.#named = named;
  }

  get ok(): boolean {
    return this.status >= 200 && this.status < 300;
  }

  async bytes(): Promise<Uint8Array> {
    try {
      const bytes = await readUpTo(this.body, this.#maxBytes + 1);
      if (bytes.length <= this.#maxBytes) return bytes;
    } catch (error) {
      throw this.#named(error);
    }
    throw this.#named(new TransportError('PROTOCOL', `the answer is larger than maxObjectBytes (${this.#maxBytes})`));
  }

  async text(): Promise<string> {
    return new TextDecoder().decode(await this.bytes());
  }

  async json<T extends object = JsonRecord>(): Promise<T> {
    const bytes = await this.bytes();
    let value: unknown;
    try {
      value = parseJsonBytes(bytes);
    } catch (cause) {
      throw this.#named(new TransportError('PROTOCOL', `the answer is not JSON: ${String(cause)}`, { cause }));
    }
    if (typeof value !== 'object' || value === null) {
      throw this.#named(new TransportError('PROTOCOL', 'the answer is JSON, but neither an object nor an array'));
    }
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the caller says what the path answers with
    return value as T;
  }

  async close(): Promise<void> {
    // The reader's, if there is one: a body that was read cannot be taken again, and `await using` closes it all the same.
    await (this.#reader ?? this.body[Symbol.asyncIterator]()).return?.();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}
