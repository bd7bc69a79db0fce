/** How a store keeps its objects: as they are, or as bytes. */

import type { ApiObject } from '@listwatch/api';
import { deepFreeze } from './deep-freeze.ts';

/** Keeps objects in a form `K`, of which at least the identity can be read without parsing. */
export interface ObjectKeeper<T extends ApiObject, K extends ApiObject = ApiObject> {
  /** True when `read` returns what was packed, at no cost. */
  readonly keepsObjects: boolean;
  /** Brings an object, or what the keeper's own decoder made of one, into the form it is kept in. It is not in the store yet. */
  pack(object: T): K;
  read(kept: K): T;
  versionOf(kept: K): string | undefined;
  /** Its JSON without newlines, for a checkpoint. Stays readable after the object has left the store. */
  json(kept: K): Uint8Array | string;
  /** The object is in the store now. */
  adopt(kept: K): void;
  /** The object has left the store. */
  drop(kept: K): void;
  /** Called now and then with everything in the store. */
  tidy(all: () => Iterable<K>): void;
}

/** Keeps objects as they are. */
export class PlainKeeper<T extends ApiObject> implements ObjectKeeper<T, T> {
  readonly keepsObjects = true;
  readonly #freeze: boolean;

  constructor(freeze: boolean) {
    this.#freeze = freeze;
  }

  pack(object: T): T {
    return this.#freeze ? deepFreeze(object) : object;
  }

  read(object: T): T {
    return object;
  }

  versionOf(object: T): string | undefined {
    return object.metadata.resourceVersion;
  }

  json(object: T): string {
    return JSON.stringify(object);
  }

  adopt(): void {}

  drop(): void {}

  tidy(): void {}
}
