/** The position of a decoder in the structure of a list, and the next position after a byte. */

import { CLOSE_BRACE, CLOSE_BRACKET, COLON, COMMA, OPEN_BRACE, OPEN_BRACKET, QUOTE } from '../json/json-byte.ts';

/** Between two values: the next non-blank byte decides. */
type Gap =
  | 'afterItem'
  | 'afterMember'
  | 'colon'
  | 'end'
  | 'firstItem'
  | 'firstKey'
  | 'item'
  | 'key'
  | 'start'
  | 'value';

/** Within a value, which the scanner reads to its end. */
type Within = 'inItem' | 'inKept' | 'inKey' | 'inSkipped';

export type ListPlace = Gap | Within;

/** The members of a list that a decoder keeps. `items` only when it is no array; then it must be null. */
const KEPT: ReadonlySet<string> = new Set(['apiVersion', 'items', 'kind', 'metadata']);

/** The place after `byte` in a gap of the member `key`; `undefined` when a list cannot continue so. */
export function follow(place: Gap, byte: number | undefined, key: string): ListPlace | undefined {
  switch (place) {
    case 'start':
      return byte === OPEN_BRACE ? 'firstKey' : undefined;
    case 'firstKey':
      return byte === CLOSE_BRACE ? 'end' : follow('key', byte, key);
    case 'key':
      return byte === QUOTE ? 'inKey' : undefined;
    case 'colon':
      return byte === COLON ? 'value' : undefined;
    case 'value':
      if (byte === COMMA || byte === CLOSE_BRACE || byte === CLOSE_BRACKET) return undefined;
      if (key === 'items' && byte === OPEN_BRACKET) return 'firstItem';
      return KEPT.has(key) ? 'inKept' : 'inSkipped';
    case 'afterMember':
      return byte === COMMA ? 'key' : byte === CLOSE_BRACE ? 'end' : undefined;
    case 'firstItem':
      return byte === CLOSE_BRACKET ? 'afterMember' : follow('item', byte, key);
    case 'item':
      return byte === OPEN_BRACE ? 'inItem' : undefined;
    case 'afterItem':
      return byte === COMMA ? 'item' : byte === CLOSE_BRACKET ? 'afterMember' : undefined;
    case 'end':
      return undefined;
  }
}

/** Is this within a value? Then the byte that led here is part of the value. */
export function isWithin(place: ListPlace): place is Within {
  return place === 'inItem' || place === 'inKept' || place === 'inKey' || place === 'inSkipped';
}
