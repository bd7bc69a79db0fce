/** Hands labels and fields of written objects from the verbs to the cache, which need not parse them again. */

import type { Labels } from '@listwatch/api';
import type { ObjectLayout } from './object-layout.ts';
import type { KubeObject, ResourceDefinition } from './resource-definition.ts';

/** Refused writes stay until there are this many, or this many bytes; writes in flight are far fewer. */
const MAX_WAITING = 1024;
const MAX_WAITING_BYTES = 16 * 1024 * 1024;

/** An object that is being written. */
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
 * Objects that verbs have committed and caches have not seen yet. An embedded engine delivers the same Buffer that it was
 * given, which identifies the object; objects that another server wrote are parsed.
 */
export class WrittenObjects {
  readonly #waiting = new Map<string, WrittenObject>();
  #bytes = 0;

  get size(): number {
    return this.#waiting.size;
  }

  /** Call before the commit of this key. */
  add(key: string, object: WrittenObject): void {
    this.#delete(key);
    if (this.#waiting.size >= MAX_WAITING || this.#bytes > MAX_WAITING_BYTES) {
      this.#waiting.clear();
      this.#bytes = 0;
    }
    this.#waiting.set(key, object);
    this.#bytes += object.value.length;
  }

  /** The object of this very Buffer, once; undefined when this server did not write it. */
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
