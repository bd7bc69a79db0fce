/** Takes objects off the wire as bytes: their JSON is checked and identified, but not parsed. */

import { type ApiObject, apiVersionOf, type Resource } from '@listwatch/api';
import type { DecodedObject, ObjectDecoder, ProjectionOptions } from '@listwatch/client';
import { ObjectScanner, objectDecoder } from '@listwatch/client/internal';
import { asciiText } from './ascii-text.ts';
import type { CompactObject } from './compact-object.ts';
import { isEqual } from './equal-bytes.ts';

/** Where packed objects go. */
export interface PackingStore<T extends ApiObject> {
  /** The object that the store has under `key`. */
  known(key: string): CompactObject | undefined;
  /** Keeps the bytes of an object, with `prefix` behind the opening brace. */
  keepBytes(object: WireObject): CompactObject;
  /** Keeps an object that had to be parsed. */
  keepObject(object: T): CompactObject;
}

/** The JSON of an object in a larger piece of bytes. */
export interface WireObject {
  readonly key: string;
  readonly resourceVersion: string | undefined;
  readonly json: Uint8Array;
  readonly from: number;
  readonly to: number;
  /** Members that a list leaves out, with a comma behind them. */
  readonly prefix: Uint8Array;
  /** Where the uid's text begins in `json`; 0: there is none. */
  readonly uidFrom: number;
}

const NO_BYTES = new Uint8Array(0);
const SLASH = 0x2f;
const BLANKS: ReadonlySet<number> = new Set([0x20, 0x0a, 0x0d, 0x09]);
const OPEN_BRACE = 0x7b;

/** Keys are shorter than this: a name has at most 253 characters and a namespace 63. */
const KEY_BYTES = 512;

/** A decoder whose objects are `CompactObject`s. Throws for everything that the default decoder throws for. */
export class ObjectPacker<T extends ApiObject> implements ObjectDecoder<T> {
  readonly #scanner = new ObjectScanner();
  readonly #store: PackingStore<T>;
  readonly #parse: (json: Uint8Array) => T;
  readonly #isPartial: boolean;
  readonly #kind: Uint8Array;
  readonly #prefix: Uint8Array;
  readonly #key = new Uint8Array(KEY_BYTES);

  constructor(store: PackingStore<T>, resource: Resource<T>, options: ProjectionOptions) {
    this.#store = store;
    this.#parse = objectDecoder(resource, options).one;
    this.#isPartial = options.projection === 'metadata';
    const encoder = new TextEncoder();
    this.#kind = encoder.encode(this.#isPartial ? 'PartialObjectMetadata' : resource.kind);
    const kind = JSON.stringify(resource.kind);
    const apiVersion = JSON.stringify(apiVersionOf(resource));
    this.#prefix = encoder.encode(`"kind":${kind},"apiVersion":${apiVersion},`);
  }

  readonly one = (json: Uint8Array): T => {
    const { object, end } = this.next(json, 0);
    for (let at = end; at < json.length; at += 1)
      if (!BLANKS.has(json[at] ?? 0)) throw new SyntaxError(`JSON goes on behind its end, at ${at}`);
    return object;
  };

  readonly next = (json: Uint8Array, from: number): DecodedObject<T> => {
    const end = this.#scanner.scan(json, from);
    const packed = this.#canPack(json)
      ? this.#pack(json, json.indexOf(OPEN_BRACE, from), end)
      : this.#store.keepObject(this.#parse(json.subarray(from, end)));
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only this informer's own store sees it, and knows what it is
    return { object: packed as ApiObject as T, end };
  };

  /** False for what the default decoder may change or refuse, and for newlines, which end the line of a checkpoint. */
  #canPack(json: Uint8Array): boolean {
    const { isOdd, hasNewlines, kind, apiVersion } = this.#scanner;
    if (isOdd || hasNewlines || kind.isFound !== apiVersion.isFound) return false;
    if (!kind.isFound) return !this.#isPartial;
    const expected = this.#kind;
    return kind.to - kind.from === expected.length && isEqual(json, kind.from, expected, 0, expected.length);
  }

  #pack(json: Uint8Array, from: number, to: number): CompactObject {
    const { kind, uid, resourceVersion } = this.#scanner;
    const key = this.#keyText(json);
    const version = resourceVersion.isFound ? asciiText(json, resourceVersion.from, resourceVersion.to) : undefined;
    const prefix = kind.isFound ? NO_BYTES : this.#prefix;
    const object: WireObject = { key, resourceVersion: version, json, from, to, prefix, uidFrom: uid.from };
    const known = this.#store.known(key);
    // A relist brings what is known already: to keep its bytes again would double the cache until the list is complete.
    return known !== undefined && hasBytes(known, object) ? known : this.#store.keepBytes(object);
  }

  /** One text, made at once: joined of two it would be flattened later, and keep both. */
  #keyText(json: Uint8Array): string {
    const { name, namespace } = this.#scanner;
    const before = namespace.to - namespace.from;
    const length = before === 0 ? name.to - name.from : before + 1 + name.to - name.from;
    if (before === 0) return asciiText(json, name.from, name.to);
    if (length > KEY_BYTES)
      return `${asciiText(json, namespace.from, namespace.to)}/${asciiText(json, name.from, name.to)}`;
    const key = this.#key;
    for (let i = 0; i < before; i += 1) key[i] = json[namespace.from + i] ?? 0;
    key[before] = SLASH;
    for (let i = before + 1; i < length; i += 1) key[i] = json[name.from + i - before - 1] ?? 0;
    return asciiText(key, 0, length);
  }
}

/** All of its bytes and not its version: a server that was restored gives the same version to another state. */
function hasBytes({ board, offset, length }: CompactObject, { json, from, to, prefix }: WireObject): boolean {
  const rest = offset + 1 + prefix.length;
  if (to - from + prefix.length !== length || !isEqual(board, offset + 1, prefix, 0, prefix.length)) return false;
  return isEqual(board, rest, json, from + 1, to - from - 1);
}
