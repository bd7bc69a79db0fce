/** A part of a document that is encoded already: the worker does it for large definitions. */

import type { OpenApiSchema } from '@listwatch/schema';

/** The bytes of the part. */
export interface EncodedBytes {
  readonly json: Buffer;
  /** The same as a message of gnostic. Empty in documents that are sent as JSON. */
  readonly message: Buffer;
}

const ENCODED = Symbol('encoded');

/** Stands in the document where the part belongs. */
export function encodedPart(bytes: EncodedBytes): OpenApiSchema {
  return { [ENCODED]: bytes };
}

/** The bytes of an encoded part; undefined for any other value. */
export function encodedBytes(value: object): EncodedBytes | undefined {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- nobody else has the symbol
  return (value as { readonly [ENCODED]?: EncodedBytes })[ENCODED];
}
