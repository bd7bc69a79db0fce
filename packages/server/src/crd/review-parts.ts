/** Finds the objects in an unparsed answer of a conversion webhook, so that they can be decoded one by one. */

import { justPause } from '../contract/pause.ts';

/** A range of bytes: start and end. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** `response.convertedObjects`: the list with its brackets, and its items. */
export interface ReviewParts {
  readonly list: ByteRange;
  readonly items: readonly ByteRange[];
}

/** The bytes of one turn of the event loop, which takes about a millisecond. */
const STEP_BYTES = 256 * 1024;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const RESPONSE = Buffer.from('"response"');
const OBJECTS = Buffer.from('"convertedObjects"');

/** Finds the parts. Undefined when the bytes have no such list, or several. For bytes that are no JSON the result means nothing. */
export async function reviewParts(bytes: Buffer): Promise<ReviewParts | undefined> {
  const scan = new ReviewScan(bytes);
  for (let end = STEP_BYTES; end < bytes.length; end += STEP_BYTES) {
    scan.readTo(end);
    await justPause();
  }
  scan.readTo(bytes.length);
  return scan.lists === 1 ? scan.parts : undefined;
}

/** Reads the bytes from the first to the last. */
class ReviewScan {
  /** How many lists of that name have begun. */
  lists = 0;
  readonly #bytes: Buffer;
  #at = 0;
  #depth = 0;
  /** The last string at this depth: a name, once a colon follows. */
  #name: ByteRange = { start: 0, end: 0 };
  #isInResponse = false;
  #isNext = false;
  #list: { readonly start: number; end: number } | undefined;
  #item = 0;
  #items: ByteRange[] = [];

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  get parts(): ReviewParts | undefined {
    return this.#list === undefined || this.#list.end === 0 ? undefined : { list: this.#list, items: this.#items };
  }

  readTo(end: number): void {
    for (; this.#at < end; this.#at += 1) this.#read(this.#bytes[this.#at] ?? 0);
  }

  #read(byte: number): void {
    switch (byte) {
      case QUOTE: {
        const start = this.#at;
        this.#at = this.#endOfString(start);
        if (this.#depth <= 2) this.#name = { start, end: this.#at + 1 };
        break;
      }
      case 0x7b: // {
      case 0x5b: // [
        this.#open(byte === 0x5b);
        break;
      case 0x7d: // }
      case 0x5d: // ]
        if (this.#isInList && this.#depth === 3) this.#close();
        this.#depth -= 1;
        break;
      case 0x3a: // :
        if (this.#depth === 1) this.#isInResponse = this.#isNamed(RESPONSE);
        else if (this.#depth === 2) this.#isNext = this.#isInResponse && this.#isNamed(OBJECTS);
        break;
      case 0x2c: // ,
        if (this.#depth === 2) this.#isNext = false;
        else if (this.#depth === 3 && this.#isInList) this.#endItem();
        break;
      default:
    }
  }

  get #isInList(): boolean {
    return this.#list?.end === 0;
  }

  #open(isList: boolean): void {
    this.#depth += 1;
    if (!isList || !this.#isNext || this.#depth !== 3) return;
    this.lists += 1;
    this.#list = { start: this.#at, end: 0 };
    this.#items = [];
    this.#item = this.#at + 1;
  }

  #close(): void {
    const isEmpty = this.#items.length === 0 && this.#bytes.toString('latin1', this.#item, this.#at).trim() === '';
    if (!isEmpty) this.#endItem();
    if (this.#list !== undefined) this.#list.end = this.#at + 1;
    this.#isNext = false;
  }

  #endItem(): void {
    this.#items.push({ start: this.#item, end: this.#at });
    this.#item = this.#at + 1;
  }

  #isNamed(name: Buffer): boolean {
    return this.#bytes.subarray(this.#name.start, this.#name.end).equals(name);
  }

  #endOfString(start: number): number {
    const { length } = this.#bytes;
    let at = start + 1;
    while (at < length && this.#bytes[at] !== QUOTE) at += this.#bytes[at] === BACKSLASH ? 2 : 1;
    return at;
  }
}
