/** Checks the JSON of an object of the API and finds what identifies it, without building it. */

import { BACKSLASH, CLOSE_BRACE, CLOSE_BRACKET, COLON, COMMA, OPEN_BRACE, OPEN_BRACKET, QUOTE } from './json-byte.ts';
import { JsonSkipper } from './json-skipper.ts';
import { isNumberStart, isObjectStart, isTextOrBooleanStart, isTextStart, metadataForm } from './metadata-form.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Where the text of a string begins and ends, quotes left out; 0 and 0 when there is none. */
export class TextRange {
  from = 0;
  to = 0;

  get isFound(): boolean {
    return this.from > 0;
  }

  clear(): void {
    this.from = 0;
    this.to = 0;
  }
}

/**
 * Scans one object after the other. Accepts nothing that `JSON.parse` of UTF-8 refuses. Positions are those of the object
 * scanned last, in the bytes that it was scanned in.
 */
export class ObjectScanner {
  readonly kind: TextRange = new TextRange();
  readonly apiVersion: TextRange = new TextRange();
  readonly name: TextRange = new TextRange();
  readonly namespace: TextRange = new TextRange();
  readonly uid: TextRange = new TextRange();
  readonly resourceVersion: TextRange = new TextRange();
  readonly #skipper = new JsonSkipper();
  #bytes: Uint8Array = new Uint8Array(0);
  #hasMetadata = false;
  #isOdd = false;

  /**
   * True when the positions cannot be relied on: what identifies the object is missing, is there twice, is no string or has
   * characters beyond plain ASCII. Such an object must be parsed to know what it is.
   */
  get isOdd(): boolean {
    return this.#isOdd || !this.name.isFound;
  }

  /** True when the object has newlines: they are blanks, for a string has none. */
  get hasNewlines(): boolean {
    return this.#skipper.hasNewlines;
  }

  /** The index behind the value that begins at `from`. Throws a SyntaxError or a TypeError when it is broken or not whole. */
  scan(bytes: Uint8Array, from: number): number {
    this.#reset(bytes);
    const skipper = this.#skipper;
    skipper.start(bytes);
    const first = skipper.blanks(from);
    const isObject = bytes[first] === OPEN_BRACE;
    const end = isObject ? this.#members(first + 1, true) : skipper.value(first);
    if (!isObject) this.#isOdd = true;
    if (skipper.hasBeyondAscii) utf8.decode(bytes.subarray(from, end));
    return end;
  }

  #reset(bytes: Uint8Array): void {
    this.#bytes = bytes;
    this.#isOdd = false;
    this.#hasMetadata = false;
    this.kind.clear();
    this.apiVersion.clear();
    this.name.clear();
    this.namespace.clear();
    this.uid.clear();
    this.resourceVersion.clear();
  }

  /** Reads the members of an object, or of its metadata, from behind the opening brace. */
  #members(from: number, isObject: boolean): number {
    const bytes = this.#bytes;
    const skipper = this.#skipper;
    let at = skipper.blanks(from);
    if (bytes[at] === CLOSE_BRACE) return at + 1;
    for (;;) {
      const keyEnd = this.#plainString(at);
      const value = skipper.blanks(skipper.expect(COLON, keyEnd));
      at = skipper.blanks(this.#member(at + 1, keyEnd - 1, value, isObject));
      if (bytes[at] === CLOSE_BRACE) return at + 1;
      at = skipper.blanks(skipper.expect(COMMA, at));
    }
  }

  #member(key: number, keyEnd: number, value: number, isObject: boolean): number {
    const range = isObject ? this.#objectMember(key, keyEnd) : this.#metadataMember(key, keyEnd);
    if (range === undefined) return isObject ? this.#skipper.value(value) : this.#unkept(key, keyEnd, value);
    if (range === 'metadata') return this.#metadata(value);
    if (this.#bytes[value] !== QUOTE || range.isFound) {
      this.#isOdd = true;
      return this.#skipper.value(value);
    }
    const end = this.#plainString(value);
    range.from = value + 1;
    range.to = end - 1;
    return end;
  }

  /**
   * The index behind a member of the metadata that is not kept. One that is not what its type says makes the object odd: the default
   * decoder then refuses it, or reads a null as absent.
   */
  #unkept(key: number, keyEnd: number, value: number): number {
    const form = metadataForm(this.#bytes, key, keyEnd);
    const first = this.#bytes[value] ?? 0;
    switch (form) {
      case undefined:
        break;
      case 'text':
        if (first !== QUOTE) this.#isOdd = true;
        break;
      case 'number':
        if (!isNumberStart(first)) this.#isOdd = true;
        break;
      case 'texts':
        if (first === OPEN_BRACE) return this.#elements(value + 1, CLOSE_BRACE, isTextStart);
        this.#isOdd = true;
        break;
      case 'textList':
        if (first === OPEN_BRACKET) return this.#elements(value + 1, CLOSE_BRACKET, isTextStart);
        this.#isOdd = true;
        break;
      case 'objects':
        if (first === OPEN_BRACKET) return this.#elements(value + 1, CLOSE_BRACKET, isObjectStart);
        this.#isOdd = true;
        break;
      case 'owners':
        if (first === OPEN_BRACKET) return this.#elements(value + 1, CLOSE_BRACKET, isObjectStart, true);
        this.#isOdd = true;
        break;
    }
    return this.#skipper.value(value);
  }

  /** The index behind the members of an object or the items of an array, from behind its bracket. */
  #elements(from: number, close: number, isGood: (first: number) => boolean, areOwners = false): number {
    const bytes = this.#bytes;
    const skipper = this.#skipper;
    let at = skipper.blanks(from);
    if (bytes[at] === close) return at + 1;
    for (;;) {
      const value = close === CLOSE_BRACE ? skipper.blanks(skipper.expect(COLON, skipper.string(at))) : at;
      const isOwner = areOwners && bytes[value] === OPEN_BRACE;
      if (!isGood(bytes[value] ?? 0)) this.#isOdd = true;
      at = skipper.blanks(
        isOwner ? this.#elements(value + 1, CLOSE_BRACE, isTextOrBooleanStart) : skipper.value(value),
      );
      if (bytes[at] === close) return at + 1;
      at = skipper.blanks(skipper.expect(COMMA, at));
    }
  }

  /** The index behind a string that must be what its bytes say: no escapes, and nothing beyond ASCII. */
  #plainString(from: number): number {
    const bytes = this.#bytes;
    if (bytes[from] !== QUOTE) return this.#skipper.string(from);
    let at = from + 1;
    for (;;) {
      const byte = bytes[at] ?? 0;
      if (byte === QUOTE) return at + 1;
      if (byte < 0x20 || byte >= 0x80 || byte === BACKSLASH) break;
      at += 1;
    }
    this.#isOdd = true;
    return this.#skipper.string(from);
  }

  #metadata(value: number): number {
    if (this.#hasMetadata) this.#isOdd = true;
    this.#hasMetadata = true;
    return this.#bytes[value] === OPEN_BRACE ? this.#members(value + 1, false) : this.#skipper.value(value);
  }

  #objectMember(from: number, to: number): TextRange | 'metadata' | undefined {
    switch (to - from) {
      case METADATA.length:
        return is(this.#bytes, from, METADATA) ? 'metadata' : undefined;
      case KIND.length:
        return is(this.#bytes, from, KIND) ? this.kind : undefined;
      case API_VERSION.length:
        return is(this.#bytes, from, API_VERSION) ? this.apiVersion : undefined;
      default:
        return undefined;
    }
  }

  #metadataMember(from: number, to: number): TextRange | undefined {
    switch (to - from) {
      case NAME.length:
        return is(this.#bytes, from, NAME) ? this.name : undefined;
      case NAMESPACE.length:
        return is(this.#bytes, from, NAMESPACE) ? this.namespace : undefined;
      case UID.length:
        return is(this.#bytes, from, UID) ? this.uid : undefined;
      case RESOURCE_VERSION.length:
        return is(this.#bytes, from, RESOURCE_VERSION) ? this.resourceVersion : undefined;
      default:
        return undefined;
    }
  }
}

const encoder = new TextEncoder();
const METADATA = encoder.encode('metadata');
const KIND = encoder.encode('kind');
const API_VERSION = encoder.encode('apiVersion');
const NAME = encoder.encode('name');
const NAMESPACE = encoder.encode('namespace');
const UID = encoder.encode('uid');
const RESOURCE_VERSION = encoder.encode('resourceVersion');

function is(bytes: Uint8Array, from: number, text: Uint8Array): boolean {
  for (let i = 0; i < text.length; i += 1) if (bytes[from + i] !== text[i]) return false;
  return true;
}
