/** How objects of a custom kind are stored: in one version, by the schema that was current when they were written. */

import type { KubeObject } from '@listwatch/rules/internal';
import type { Entry } from '@listwatch/storage';

/** A stored object as a version shows it. */
export interface ShownObject {
  readonly object: KubeObject;
  /** The bytes to serve; those of the store when they are as they should be. */
  readonly value: Uint8Array;
  /** The bytes are not those of the store. */
  readonly isRewritten: boolean;
  /** A write of the very same object would change what is stored: another version, or other fields. */
  readonly isStale: boolean;
}

/** Turns what is stored into objects of one version, and back. */
export interface StoredForm {
  /**
   * The object of a value: without fields that the schema has lost, with defaults that it has got, in this version. Throws a
   * SyntaxError for a value that is no object of the kind, or one that `convert` must convert first.
   */
  readonly show: (value: Uint8Array) => ShownObject;
  /** Converts values of other versions with the webhook, all at once. Undefined: `show` converts. */
  readonly convert?: ((entries: readonly Entry[]) => Promise<readonly Entry[]>) | undefined;
  /** The bytes to store for those of an object of this version. The same when it is the version that is stored. */
  readonly store: (value: Uint8Array) => Promise<Uint8Array> | Uint8Array;
  /** Is this version the one that is stored? */
  readonly isStorage: boolean;
}
