/** What the verbs know of the objects that they write, so that the cache need not read it out of their bytes again. */

import type { Labels } from '@listwatch/api';
import type { ObjectLayout } from './object-layout.ts';
import type { KubeObject, ResourceDefinition } from './resource-definition.ts';

/** Writes that were refused stay until they are too many or too large; what is under way at one time is far less. */
const MAX_WAITING = 1024;
const MAX_WAITING_BYTES = 16 * 1024 * 1024;

/** An object on its way through the store. */
export class WrittenObject {
  readonly definition: ResourceDefinition;
  readonly value: Buffer;
  readonly labels: Labels;
  /** The selectable fields that are the kind's own. */
  readonly fields: Readonly<Record<string, string>>;
  readonly #layout: ObjectLayout;
  #served: { readonly revision: bigint; readonly bytes: Buffer } | undefined;

  constructor(definition: ResourceDefinition, layout: ObjectLayout, object: KubeObject) {
    this.definition = definition;
    this.#layout = layout;
    this.value = layout.encode(object);
    this.labels = object.metadata.labels;
    this.fields = definition.fieldsOf(object);
  }

  /** The bytes that are served, made once for the answer and the cache, whichever is first. */
  served(revision: bigint): Buffer {
    if (this.#served?.revision !== revision) {
      this.#served = { revision, bytes: this.#layout.withRevision(this.value, revision) };
    }
    return this.#served.bytes;
  }
}

/**
 * Between the verbs that commit and the caches that are told of it. An engine within the process hands on the very bytes
 * that it was given, and these are known here; what another server wrote is not, and is parsed.
 */
export class WrittenObjects {
  readonly #waiting = new Map<string, WrittenObject>();
  #bytes = 0;

  get size(): number {
    return this.#waiting.size;
  }

  /** Before the commit under this key. */
  add(key: string, object: WrittenObject): void {
    this.#delete(key);
    if (this.#waiting.size >= MAX_WAITING || this.#bytes > MAX_WAITING_BYTES) {
      this.#waiting.clear();
      this.#bytes = 0;
    }
    this.#waiting.set(key, object);
    this.#bytes += object.value.length;
  }

  /** The object with these very bytes, once; undefined when nobody here wrote them. */
  take(key: string, value: Uint8Array): WrittenObject | undefined {
    const object = this.#waiting.get(key);
    if (object === undefined || object.value !== value) return undefined;
    this.#delete(key);
    return object;
  }

  #delete(key: string): void {
    this.#bytes -= this.#waiting.get(key)?.value.length ?? 0;
    this.#waiting.delete(key);
  }
}
