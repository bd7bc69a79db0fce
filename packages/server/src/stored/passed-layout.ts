/** The layout of objects as another API server sent them: their bytes are served unchanged. */

import { memberRange } from './json-scan.ts';
import type { TypeMeta } from './object-layout.ts';
import type { ReadLayout } from './read-layout.ts';

/**
 * kube-apiserver writes `kind` and `apiVersion` first for built-in kinds, and the members of custom objects by name. The
 * resourceVersion can be anywhere in the metadata; it is looked for only when it has to change.
 */
export class PassedLayout implements ReadLayout {
  readonly type: TypeMeta;
  readonly itemOffset: number;
  readonly message: ReadLayout['message'];
  readonly #head: Buffer;

  constructor(type: TypeMeta, message?: ReadLayout['message']) {
    this.type = type;
    this.message = message;
    this.#head = Buffer.from(`{"kind":${JSON.stringify(type.kind)},"apiVersion":${JSON.stringify(type.apiVersion)},`);
    this.itemOffset = this.#head.length;
  }

  /** Can a typed list leave out the first members of these bytes? */
  fits(served: Uint8Array): boolean {
    return served.length > this.#head.length && this.#head.compare(served, 0, this.#head.length) === 0;
  }

  /** The value has its resourceVersion. */
  withRevision(value: Uint8Array): Buffer {
    return Buffer.isBuffer(value) ? value : Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  }

  atRevision(served: Buffer, revision: bigint): Buffer {
    const metadata = this.#metadata(served);
    const version = memberRange(served, metadata.start, 'resourceVersion');
    if (version === undefined) throw new SyntaxError('an object has no resourceVersion');
    return Buffer.concat([
      served.subarray(0, version.start),
      Buffer.from(`"${revision}"`),
      served.subarray(version.end),
    ]);
  }

  metadata(served: Buffer): Buffer {
    const { start, end } = this.#metadata(served);
    return served.subarray(start, end);
  }

  #metadata(served: Buffer): { readonly start: number; readonly end: number } {
    const found = memberRange(served, 0, 'metadata');
    if (found === undefined) throw new SyntaxError('an object has no metadata');
    return found;
  }
}
