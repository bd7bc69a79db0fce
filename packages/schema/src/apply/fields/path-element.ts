/** One step of a path as a key of FieldsV1: `f:name`, `k:{"name":"a"}`, `v:"a"`, `i:0`. Equal steps are equal texts. */

import { quote } from '@listwatch/api';
import { isJsonNumber, isRecord } from '@listwatch/api/values';
import { floatText } from '../../strategic-merge/go-text.ts';
import { sortByBytes } from './byte-order.ts';
import { elementJson } from './go-json.ts';
import { compareOrder } from './json-equality.ts';

/** A key that nobody knows: Kubernetes drops it. */
export const UNKNOWN_ELEMENT: unique symbol = Symbol('unknown element');

/** The key of a field, or of an entry of a map. */
export function fieldElement(name: string): string {
  return `f:${name}`;
}

/** The key of an item of a set. */
export function valueElement(value: unknown): string {
  return `v:${elementJson(value)}`;
}

/** The key of an item of a list with keys. The members are sorted by their names. */
export function keyElement(members: readonly (readonly [string, unknown])[]): string {
  return `k:{${members.map(([name, value]) => `${elementJson(name)}:${elementJson(value)}`).join(',')}}`;
}

const INTEGER = /^[+-]?\d{1,19}$/;
const LONG_INTEGER = /\d{16}/;

/** A key as Kubernetes would write it. Undefined: it cannot be read. */
export function canonicalElement(key: string): string | typeof UNKNOWN_ELEMENT | undefined {
  if (key.charCodeAt(1) !== COLON || key.charCodeAt(0) > 127) return undefined;
  switch (key.charAt(0)) {
    case 'f':
      return key;
    case 'i':
      return INTEGER.test(key.slice(2)) ? `i:${BigInt(key.slice(2))}` : undefined;
    case 'k':
    case 'v':
      return canonicalJsonElement(key);
    default:
      return UNKNOWN_ELEMENT;
  }
}

const COLON = 58;

function canonicalJsonElement(key: string): string | undefined {
  const value = parsed(key);
  if (value === undefined) return undefined;
  // JSON.parse would round long integers; no other server than this one keeps them either.
  if (LONG_INTEGER.test(key)) return key;
  if (key.startsWith('v')) return valueElement(value);
  if (value === null) return 'k:{}';
  return isRecord(value) ? `k:${elementJson(value)}` : undefined;
}

/** The keys in order: fields, items with keys, items of sets, indexes. */
export function sortedElements(elements: Iterable<string>): string[] {
  const fields: string[] = [];
  const others: string[] = [];
  for (const element of elements) (element.startsWith('f') ? fields : others).push(element);
  sortByBytes(fields);
  return others.length === 0 ? fields : fields.concat(sortedItems(others));
}

/** Keys of items whose texts are in the order of their values: `v:"a"`, `k:{"name":"a"}`. Each character is greater than `"`. */
const PLAIN_ITEM = /^(?:v:"[\w./-]*"|k:\{"[\w./-]*":"[\w./-]*"(?:,"[\w./-]*":"[\w./-]*")*\})$/;

/** Others are parsed, each once: that takes four times as long. */
function sortedItems(elements: readonly string[]): readonly string[] {
  if (elements.length === 1) return elements;
  if (elements.every((element) => PLAIN_ITEM.test(element))) {
    // Without its brace a key comes before those that have more members.
    const texts = elements.map((element) => (element.startsWith('k') ? element.slice(0, -1) : element));
    return texts.toSorted().map((text) => (text.startsWith('k') ? `${text}}` : text));
  }
  return elements
    .map((element) => ({ element, rank: 'fkvi'.indexOf(element.charAt(0)), value: sortValue(element) }))
    .toSorted((left, right) => left.rank - right.rank || compareOrder(left.value, right.value))
    .map(({ element }) => element);
}

/** What keys of one sort are ordered by. */
function sortValue(element: string): unknown {
  const value = parsed(element);
  return element.startsWith('k') && isRecord(value) ? Object.entries(value).flat() : value;
}

/** The step as messages show it. Kubernetes reads numbers of stored sets as floats and prints them as such. */
export function elementText(element: string, numbers: 'float' | 'integer' = 'float'): string {
  const rest = element.slice(2);
  if (element.startsWith('f')) return `.${rest}`;
  if (element.startsWith('i')) return `[${rest}]`;
  const value = parsed(element);
  if (element.startsWith('v')) return `[=${valueText(value, numbers)}]`;
  const members = isRecord(value) ? Object.entries(value) : [];
  return `[${members.map(([name, member]) => `${name}=${valueText(member, numbers)}`).join(',')}]`;
}

function valueText(value: unknown, numbers: 'float' | 'integer'): string {
  if (typeof value === 'string') return quote(value);
  if (isJsonNumber(value)) return numbers === 'float' ? floatText(Number(value)) : String(value);
  if (Array.isArray(value)) return `[${value.map((item) => valueText(item, numbers)).join(',')}]`;
  if (!isRecord(value)) return String(value);
  return Object.entries(value)
    .map(([name, member]) => `${name}=${valueText(member, numbers)}`)
    .join('');
}

function parsed(element: string): unknown {
  try {
    return JSON.parse(element.slice(2));
  } catch {
    return undefined;
  }
}
