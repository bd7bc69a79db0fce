/** Builds a value from the events of a YAML parser. Limits the growth by aliases, and refuses maps as keys. */

import { isJsonNumber } from '@listwatch/api/values';
import type { Event, ScalarEvent } from 'js-yaml';
import { MAX_DEPTH } from '../../stored/json-scan.ts';
import { plainScalar, taggedScalar, type YamlScalar, YamlTagError } from '../../stored/yaml-scalar.ts';

/** Where in the text a document is wrong, and how. */
export class YamlProblem extends Error {
  override readonly name = 'YamlProblem';
  readonly position: number;

  constructor(position: number, message: string) {
    super(message);
    this.position = position;
  }
}

/** The part of the YAML library that the composer uses. */
export interface ScalarText {
  readonly getScalarValue: (text: string, event: ScalarEvent) => string;
}

/** A key that its map had already. */
export interface RepeatedKey {
  readonly key: string;
  /** The position of its value. */
  readonly position: number;
}

/** A composed document. */
export interface ComposedDocument {
  /** As it would be in JSON. Aliases share the value of their anchor. */
  readonly value: unknown;
  /** The last value of a repeated key counts. */
  readonly repeated: readonly RepeatedKey[];
}

/** The most nodes and characters that a document may have once its aliases are replaced. */
export const MAX_NODES = 45_000;
const MAX_CHARACTERS = 3 * 1024 * 1024;

/** The numbers of js-yaml's `EVENT_ID`; importing them would load the library with the server. */
const EVENT = { document: 1, sequence: 2, mapping: 3, scalar: 4, alias: 5, pop: 6 } as const;
const PLAIN_STYLE = 1;

/** The cost of a node, its children included. */
interface Size {
  nodes: number;
  characters: number;
  depth: number;
}

interface Node {
  readonly value: unknown;
  readonly size: Size;
}

type Frame = Node & { readonly position: number; readonly anchor: string | undefined } & (
    | { readonly kind: 'list'; readonly value: unknown[] }
    | { readonly kind: 'map'; readonly value: Record<string, unknown>; key: string | undefined; isMerge: boolean }
  );

/** Composes the first document; null when there is none. Throws a `YamlProblem`. */
export function composeYaml(text: string, events: readonly Event[], library: ScalarText): ComposedDocument {
  const composer = new Composer(text, library);
  for (const event of events) if (!composer.take(event)) break;
  return { value: composer.value, repeated: composer.repeated };
}

class Composer {
  value: unknown = null;
  readonly repeated: RepeatedKey[] = [];
  readonly #text: string;
  readonly #library: ScalarText;
  readonly #frames: Frame[] = [];
  /** By name; undefined while the node is not complete. */
  readonly #anchors = new Map<string, Node | undefined>();
  #hasDocument = false;
  #position = 0;

  constructor(text: string, library: ScalarText) {
    this.#text = text;
    this.#library = library;
  }

  /** Takes an event; false for the first one that belongs to another document. */
  take(event: Event): boolean {
    switch (event.type) {
      case EVENT.document: {
        const isFirst = !this.#hasDocument;
        this.#hasDocument = true;
        return isFirst;
      }
      case EVENT.scalar:
        this.#takeScalar(event);
        return true;
      case EVENT.alias:
        this.#takeAlias(this.#text.slice(event.anchorStart, event.anchorEnd), event.anchorStart);
        return true;
      case EVENT.mapping:
      case EVENT.sequence: {
        const position = event.start;
        const anchor = this.#anchorOf(event);
        const size = { nodes: 1, characters: 0, depth: 1 };
        if (event.type === EVENT.sequence) {
          this.#frames.push({ kind: 'list', value: [], size, position, anchor });
        } else {
          this.#frames.push({ kind: 'map', value: {}, size, position, anchor, key: undefined, isMerge: false });
        }
        return true;
      }
      case EVENT.pop: {
        const frame = this.#frames.pop();
        if (frame !== undefined) this.#add(frame, frame.position, frame.anchor);
        return true;
      }
    }
  }

  #takeScalar(event: ScalarEvent): void {
    // A node without any text has no place of its own: it stands behind what came last.
    const position = Math.max(event.valueStart, event.tagStart, event.anchorStart, this.#position);
    this.#position = position;
    const text = this.#library.getScalarValue(this.#text, event);
    const tag = event.tagStart < 0 ? '' : this.#text.slice(event.tagStart, event.tagEnd);
    const isPlain = tag === '' && event.style === PLAIN_STYLE;
    const map = this.#frames.at(-1);
    if (isPlain && text === '<<' && map?.kind === 'map' && map.key === undefined) {
      map.key = text;
      map.isMerge = true;
      return;
    }
    if (/\p{Surrogate}/u.test(text)) throw new YamlProblem(position, 'found invalid Unicode character escape code');
    const value = isPlain ? plainScalar(text) : this.#taggedScalar(text, tag, position);
    if (typeof value === 'number' && !Number.isFinite(value)) {
      throw new YamlProblem(position, `unsupported value: ${text}`);
    }
    const size = { nodes: 1, characters: text.length, depth: 0 };
    this.#add({ value, size }, position, this.#anchorOf(event));
  }

  #taggedScalar(text: string, tag: string, position: number): YamlScalar {
    try {
      return tag === '' || tag === '!' ? text : taggedScalar(text, tag);
    } catch (error) {
      throw error instanceof YamlTagError ? new YamlProblem(position, error.message) : error;
    }
  }

  #takeAlias(name: string, position: number): void {
    const node = this.#anchors.get(name);
    if (node === undefined) {
      const isOpen = this.#anchors.has(name);
      throw new YamlProblem(
        position,
        isOpen ? `anchor '${name}' value contains itself` : `unknown anchor '${name}' referenced`,
      );
    }
    this.#add(node, position, undefined);
  }

  #anchorOf({
    anchorStart,
    anchorEnd,
  }: {
    readonly anchorStart: number;
    readonly anchorEnd: number;
  }): string | undefined {
    if (anchorStart < 0) return undefined;
    const name = this.#text.slice(anchorStart, anchorEnd);
    this.#anchors.set(name, undefined);
    return name;
  }

  /** Puts a complete node into its place. */
  #add(node: Node, position: number, anchor: string | undefined): void {
    if (anchor !== undefined) this.#anchors.set(anchor, node);
    const frame = this.#frames.at(-1);
    if (frame === undefined) {
      this.value = node.value;
      return;
    }
    grow(frame.size, node.size, position);
    if (this.#frames.length + node.size.depth > MAX_DEPTH) throw new YamlProblem(position, 'exceeded max depth');
    if (frame.kind === 'list') {
      frame.value.push(node.value);
    } else if (frame.key === undefined) {
      frame.key = keyText(node.value, position);
    } else {
      if (frame.isMerge) merge(frame.value, node.value, position);
      else this.#set(frame.value, frame.key, node.value, position);
      frame.key = undefined;
      frame.isMerge = false;
    }
  }

  #set(map: Record<string, unknown>, key: string, value: unknown, position: number): void {
    if (Object.hasOwn(map, key)) this.repeated.push({ key, position });
    setMember(map, key, value);
  }
}

function grow(size: Size, added: Size, position: number): void {
  size.nodes += added.nodes;
  size.characters += added.characters;
  size.depth = Math.max(size.depth, added.depth + 1);
  // Without aliases a document is within both limits already.
  if (size.nodes > MAX_NODES || size.characters > MAX_CHARACTERS) {
    throw new YamlProblem(position, 'document contains excessive aliasing');
  }
}

/** Assigned, the key `__proto__` would change the prototype. */
function setMember(map: Record<string, unknown>, key: string, value: unknown): void {
  if (key !== '__proto__') map[key] = value;
  else Object.defineProperty(map, key, { value, configurable: true, enumerable: true, writable: true });
}

function keyText(key: unknown, position: number): string {
  if (typeof key === 'string') return key;
  if (typeof key === 'boolean' || isJsonNumber(key)) return String(key);
  throw new YamlProblem(position, `invalid map key: ${key === null ? 'null' : 'not a scalar'}`);
}

function merge(map: Record<string, unknown>, value: unknown, position: number): void {
  const sources: readonly unknown[] = Array.isArray(value) ? value : [value];
  for (const source of sources.toReversed()) {
    if (typeof source !== 'object' || source === null || Array.isArray(source)) {
      throw new YamlProblem(position, 'map merge requires map or sequence of maps as the value');
    }
    for (const [key, member] of Object.entries(source)) setMember(map, key, member);
  }
}
