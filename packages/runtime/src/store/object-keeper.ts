/** How a store keeps its objects: as they are, or as bytes. */

import type { ApiObject } from '@listwatch/api';
import { deepFreeze, type Freezing } from './deep-freeze.ts';

/** Keeps objects in a form `K`, of which at least the identity can be read without parsing. */
export interface ObjectKeeper<T extends ApiObject, K extends ApiObject = ApiObject> {
  /** True when `read` returns what was packed, at no cost. */
  readonly keepsObjects: boolean;
  /** Brings an object, or what the keeper's own decoder made of one, into the form it is kept in. It is not in the store yet. */
  pack(object: T): K;
  /** For a program that asked for the object. */
  read(kept: K): T;
  /** For a reader of changes, who gets every object. */
  tell(kept: K): T;
  /** For code of this package and for indexes, which look and keep nothing. */
  peek(kept: K): T;
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

/** One object of so many is frozen before a reader of changes gets it: whoever writes to all of them meets one soon. */
const TOLD_SAMPLE = 16;

/** Keeps objects as they are. */
export class PlainKeeper<T extends ApiObject> implements ObjectKeeper<T, T> {
  readonly keepsObjects = true;
  readonly #freezing: Freezing;
  #told = 0;

  constructor(freezing: Freezing) {
    this.#freezing = freezing;
  }

  pack(object: T): T {
    return this.#freezing === 'all' ? deepFreeze(object) : object;
  }

  read(object: T): T {
    return this.#freezing === 'read' ? deepFreeze(object) : object;
  }

  tell(object: T): T {
    this.#told = (this.#told + 1) % TOLD_SAMPLE;
    return this.#told === 1 ? this.read(object) : object;
  }

  peek(object: T): T {
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
