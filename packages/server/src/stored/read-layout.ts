/** The layout of served bytes, as lists and watches need it. */

import type { TypeMeta } from './object-layout.ts';

/** How the bytes of a kind's objects are read without a parse. */
export interface ReadLayout {
  readonly type: TypeMeta;
  /** Where a typed list item begins behind its opening brace: the item is `{` and the bytes from here. */
  readonly itemOffset: number;
  /** The object as it is served, from the value of an entry and the revision of its change. */
  withRevision(value: Uint8Array, revision: bigint): Buffer;
  /** The same object at another revision: a DELETED event shows the last state at the revision of the deletion. */
  atRevision(served: Buffer, revision: bigint): Buffer;
  /** The JSON of `metadata`, braces included, as a view of the bytes. */
  metadata(served: Buffer): Buffer;
  /** The object in protobuf, where the schema alone does not tell it. Throws for one whose protobuf is not known. */
  readonly message?: ((served: Buffer) => Buffer) | undefined;
}
