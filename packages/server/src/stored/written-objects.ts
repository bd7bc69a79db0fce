/** Keeps the objects that verbs write until they arrive in the cache, which then need not parse them. */

import type { Labels } from '@listwatch/api';
import type { ResourceDefinition } from '../kinds/resource-definition.ts';
import type { ObjectLayout } from './object-layout.ts';

/** Estimated memory of an object beside its bytes. */
const OBJECT_BYTES = 400;

/** The bytes of an object and the facts that the cache indexes. */
export interface WrittenFacts {
  readonly value: Buffer;
  readonly labels: Labels;
  /** The selectable fields that are the kind's own. */
  readonly fields: Readonly<Record<string, string>>;
  /** See `isOwned`. */
  readonly owned: boolean;
}

/** An object that is being written. */
export class WrittenObject implements WrittenFacts {
  readonly definition: ResourceDefinition;
  readonly value: Buffer;
  readonly labels: Labels;
  readonly fields: Readonly<Record<string, string>>;
  readonly owned: boolean;
  readonly #layout: ObjectLayout;
  #served: { readonly revision: bigint; readonly bytes: Buffer } | undefined;

  constructor(definition: ResourceDefinition, layout: ObjectLayout, { value, labels, fields, owned }: WrittenFacts) {
    this.definition = definition;
    this.#layout = layout;
    this.value = value;
    this.labels = labels;
    this.fields = fields;
    this.owned = owned;
  }

  /** The served bytes, made once for both the answer and the cache. */
  served(revision: bigint): Buffer {
    if (this.#served?.revision !== revision) {
      this.#served = { revision, bytes: this.#layout.withRevision(this.value, revision) };
    }
    return this.#served.bytes;
  }
}

/** The memory limit of the objects: see `ByteBudget` of the caches. */
export interface WrittenObjectsBudget {
  add(member: { readonly bytes: number; evictOldest(): boolean }): void;
  charge(bytes: number): void;
}

/**
 * Objects between their commit and their arrival in the caches, recognized by key and bytes: an in-process engine
 * delivers the same buffer, etcd an equal one. The object of a refused write stays until its key is written again or the
 * limit is reached.
 */
export class WrittenObjects {
  readonly #budget: WrittenObjectsBudget | undefined;
  readonly #waiting = new Map<string, WrittenObject>();
  #bytes = 0;

  /** Default: no limit. */
  constructor(budget?: WrittenObjectsBudget) {
    this.#budget = budget;
    budget?.add(this);
  }

  get size(): number {
    return this.#waiting.size;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Call before the commit of this key. */
  add(key: string, object: WrittenObject): void {
    this.#remove(key);
    this.#waiting.set(key, object);
    this.#charge(bytesOf(object));
  }

  /** The object with these bytes, once; undefined when no verb of this server wrote them. */
  take(key: string, value: Uint8Array): WrittenObject | undefined {
    const object = this.#waiting.get(key);
    if (object === undefined || !(object.value === value || object.value.equals(value))) return undefined;
    this.#remove(key);
    return object;
  }

  evictOldest(): boolean {
    const [oldest] = this.#waiting.keys();
    if (oldest === undefined) return false;
    this.#remove(oldest);
    return true;
  }

  #remove(key: string): void {
    const object = this.#waiting.get(key);
    if (object === undefined) return;
    this.#waiting.delete(key);
    this.#charge(-bytesOf(object));
  }

  #charge(bytes: number): void {
    this.#bytes += bytes;
    this.#budget?.charge(bytes);
  }
}

function bytesOf({ value }: WrittenObject): number {
  return value.length + OBJECT_BYTES;
}
