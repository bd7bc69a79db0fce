/** The header blocks of calls, made once for each path and metadata. */

import { headerBlock } from '../http2/header-block.ts';
import type { CallMetadata } from './grpc-connection.ts';

/** A client has few paths; timeouts are few unless they are what is left of a deadline. */
const MAX_KEPT = 100;

/** For one connection. */
export class CallHeaders {
  readonly #first: Buffer;
  readonly #byText = new Map<string, Buffer>();
  readonly #byMetadata = new WeakMap<CallMetadata, Buffer>();

  constructor(scheme: string, authority: string) {
    this.#first = headerBlock({ ':method': 'POST', ':scheme': scheme, ':authority': authority });
  }

  /** The block of a call. Throws a `TypeError` for metadata that no header can hold. */
  block(path: string, metadata: CallMetadata, timeoutMs: number | undefined): Buffer {
    const parts = [this.#first, this.#kept(':path', path), this.#metadata(metadata)];
    if (timeoutMs !== undefined) parts.push(this.#kept('grpc-timeout', `${Math.max(1, Math.ceil(timeoutMs))}m`));
    return Buffer.concat(parts);
  }

  #kept(name: string, value: string): Buffer {
    const known = this.#byText.get(value);
    if (known !== undefined) return known;
    const bytes = headerBlock({ [name]: value });
    if (this.#byText.size >= MAX_KEPT) this.#byText.clear();
    this.#byText.set(value, bytes);
    return bytes;
  }

  #metadata(metadata: CallMetadata): Buffer {
    const known = this.#byMetadata.get(metadata);
    if (known !== undefined) return known;
    for (const [name, value] of Object.entries(metadata)) {
      if (!/^[\x21-\x7e][\x20-\x7e]*$/u.test(value)) throw new TypeError(`metadata ${name} is not ASCII text`);
    }
    const bytes = headerBlock({
      'content-type': 'application/grpc',
      te: 'trailers',
      'user-agent': 'listwatch',
      ...metadata,
    });
    this.#byMetadata.set(metadata, bytes);
    return bytes;
  }
}
