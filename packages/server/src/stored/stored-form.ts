/** The stored form of a custom kind: one version, by the schema that was current at the time of the write. */

import type { KubeObject } from '@listwatch/rules/internal';
import type { Entry } from '@listwatch/storage';

/** A stored object as a version shows it. */
export interface ShownObject {
  readonly object: KubeObject;
  /** The bytes to serve: the stored bytes if they need no change. */
  readonly value: Uint8Array;
  /** The bytes differ from the stored bytes. */
  readonly isRewritten: boolean;
  /** Writing the same object would change the stored bytes: another version, or other fields. */
  readonly isStale: boolean;
}

/** Turns stored bytes into objects of one version, and back. */
export interface StoredForm {
  /**
   * The object of a stored value in this version: without fields that the schema no longer has, with defaults that it has since got.
   * Throws a SyntaxError for a value that is no object of the kind, and for a value that `convert` must convert first.
   */
  readonly show: (value: Uint8Array) => ShownObject;
  /** Converts values of other versions by the webhook, in one call. Undefined: `show` converts. */
  readonly convert?: ((entries: readonly Entry[]) => Promise<readonly Entry[]>) | undefined;
  /** The bytes to store for an object of this version. Unchanged if this is the storage version. */
  readonly store: (value: Uint8Array) => Promise<Uint8Array> | Uint8Array;
  /** Is this the storage version? */
  readonly isStorage: boolean;
}
