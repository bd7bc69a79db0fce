/** Reads the indexed parts of a large object for the caches: parsing all of it would block the event loop for long. */

import { isRecord } from '@listwatch/api/values';
import type { KubeObject } from '@listwatch/rules/internal';
import { decodeJson } from './exact-json.ts';
import { endOfJsonValue } from './json-scan.ts';

/** Smaller objects are parsed whole, which is faster. */
const SMALL_BYTES = 16 * 1024;
/** Smaller members are not left out. */
const KEPT_BYTES = 2 * 1024;
const [OPEN_BRACE, OPEN_BRACKET, CLOSE_BRACE, COMMA, COLON, QUOTE] = [0x7b, 0x5b, 0x7d, 0x2c, 0x3a, 0x22];
const EMPTY_OBJECT = Buffer.from('{}');
const EMPTY_LIST = Buffer.from('[]');

/** The metadata that the garbage collector and label selectors read. */
const METADATA: ReadonlySet<string> = new Set(['labels', 'ownerReferences', 'finalizers']);

/** The members to keep, by member of the object. */
type NeededMembers = ReadonlyMap<string, ReadonlySet<string>>;

/** The members to keep for these selectable fields, such as `spec.nodeName`. */
function neededMembers(selectableFields: readonly string[]): NeededMembers {
  const needed = new Map<string, Set<string>>();
  for (const [first = '', second = ''] of selectableFields.map((field) => field.split('.')))
    needed.set(first, (needed.get(first) ?? new Set()).add(second));
  return new Map([...needed, ['metadata', METADATA]]);
}

/**
 * The object with its large lists and objects emptied, except for the indexed metadata and the selectable fields of the
 * kind. Throws a `SyntaxError` for bytes that are no object; syntax errors in an emptied part stay undetected here.
 */
export function objectHead(bytes: Buffer, selectableFields: readonly string[]): KubeObject {
  if (bytes.length < SMALL_BYTES) return asKubeObject(decodeJson(bytes));
  const needed = neededMembers(selectableFields);
  const cuts: Cut[] = [];
  const isOurs = eachMember(bytes, 0, (name, start, end) => {
    if (end - start < KEPT_BYTES) return true;
    const inner = needed.get(name);
    if (inner === undefined || bytes[start] !== OPEN_BRACE) return cut(bytes, cuts, start, end);
    return eachMember(bytes, start, (innerName, from, to) =>
      inner.has(innerName) || to - from < KEPT_BYTES ? true : cut(bytes, cuts, from, to),
    );
  });
  // Parse bytes of another program whole: they have another form.
  return asKubeObject(decodeJson(isOurs && cuts.length > 0 ? withoutCuts(bytes, cuts) : bytes));
}

interface Cut {
  readonly start: number;
  readonly end: number;
  readonly put: Buffer;
}

/** Empties an object or a list. Long strings stay. */
function cut(bytes: Buffer, cuts: Cut[], start: number, end: number): true {
  if (bytes[start] === OPEN_BRACE) cuts.push({ start, end, put: EMPTY_OBJECT });
  else if (bytes[start] === OPEN_BRACKET) cuts.push({ start, end, put: EMPTY_LIST });
  return true;
}

function withoutCuts(bytes: Buffer, cuts: readonly Cut[]): Buffer {
  const parts: Buffer[] = [];
  let rest = 0;
  for (const { start, end, put } of cuts) {
    parts.push(bytes.subarray(rest, start), put);
    rest = end;
  }
  return Buffer.concat([...parts, bytes.subarray(rest)]);
}

/** Visits the members of the object at `start`. False when it is not in the server's own form, which has no blanks. */
function eachMember(
  bytes: Buffer,
  start: number,
  visit: (name: string, start: number, end: number) => boolean,
): boolean {
  if (bytes[start] !== OPEN_BRACE) return false;
  let at = start + 1;
  for (;;) {
    if (bytes[at] !== QUOTE) return false;
    const value = endOfJsonValue(bytes, at) + 1;
    if (bytes[value - 1] !== COLON) return false;
    const end = endOfJsonValue(bytes, value);
    if (!visit(bytes.toString('latin1', at + 1, value - 2), value, end)) return false;
    if (bytes[end] === CLOSE_BRACE) return true;
    if (bytes[end] !== COMMA) return false;
    at = end + 1;
  }
}

/** Throws a `SyntaxError` for a value without metadata. */
function asKubeObject(value: unknown): KubeObject {
  if (!isRecord(value) || !isRecord(value['metadata'])) throw new SyntaxError('a stored object has no metadata');
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- objects with metadata are objects of the API
  return value as unknown as KubeObject;
}
