/** YAML made of JSON, laid out as Kubernetes does: keys in order, lists at the level of their key, no line folded. */

import { isRecord, recordOf } from '@listwatch/api/values';
import { decodeJson } from '../stored/exact-json.ts';
import { yamlKey, yamlString } from './yaml-string.ts';

/** Writes JSON bytes as YAML. Throws a `SyntaxError` when they are not JSON. */
export function yamlOfJson(json: Buffer): Buffer {
  return Buffer.from(yamlText(decodeJson(json)), 'utf8');
}

/** The text of a list in YAML before its items, and after them. */
export interface YamlListEnvelope {
  readonly before: string;
  readonly after: string;
}

/** `envelope` is the JSON of the list without items; there is one at least, and they are to stand in its member `field`. */
export function yamlListEnvelope(envelope: string, field: string): YamlListEnvelope {
  const list = recordOf(JSON.parse(envelope));
  const keys = Object.keys(list).toSorted();
  const textOf = (names: readonly string[]): string => names.map((key) => yamlText({ [key]: list[key] })).join('');
  const at = keys.indexOf(field);
  return { before: `${textOf(keys.slice(0, at))}${field}:\n`, after: textOf(keys.slice(at + 1)) };
}

/** Writes JSON bytes as an item of a list in YAML. */
export function yamlItem(json: Buffer): Buffer {
  return Buffer.from(yamlText([decodeJson(json)]));
}

/**
 * Writes a list as YAML, one piece for each item, so that a long list is never in memory as a whole. `envelope` is the
 * JSON of the list without items; these are to stand in its member `field`.
 */
export function* yamlListPieces(
  envelope: string,
  field: string,
  items: Iterable<Buffer>,
): Generator<Buffer, undefined> {
  const { before, after } = yamlListEnvelope(envelope, field);
  let count = 0;
  for (const item of items) {
    if (count === 0) yield Buffer.from(before);
    count += 1;
    yield yamlItem(item);
  }
  if (count === 0) yield Buffer.from(before.replace(/:\n$/u, ': []\n'));
  yield Buffer.from(after);
}

function yamlText(value: unknown): string {
  const lines: string[] = [];
  if (isEmpty(value)) return `${scalar(value, '')}\n`;
  writeLines(value, '', '', lines);
  return lines.join('');
}

/** Writes an object or a list. `lead` stands before its first line, in the place of `indent`. */
function writeLines(value: unknown, lead: string, indent: string, lines: string[]): void {
  let start = lead;
  if (Array.isArray(value)) {
    for (const item of value) {
      writeMember(item, `${start}- `, `${indent}  `, lines);
      start = indent;
    }
    return;
  }
  const record = recordOf(value);
  for (const key of Object.keys(record).toSorted()) {
    const member = record[key];
    const name = `${start}${yamlKey(key)}:`;
    start = indent;
    if (isEmpty(member)) {
      lines.push(`${name} ${scalar(member, `${indent}  `)}\n`);
      continue;
    }
    lines.push(`${name}\n`);
    const below = Array.isArray(member) ? indent : `${indent}  `;
    writeLines(member, below, below, lines);
  }
}

/** Writes an item of a list behind its dash. */
function writeMember(value: unknown, lead: string, indent: string, lines: string[]): void {
  if (isEmpty(value)) lines.push(`${lead}${scalar(value, indent)}\n`);
  else writeLines(value, lead, indent, lines);
}

/** Does the value fit behind its key: no object and no list, or an empty one? */
function isEmpty(value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 0;
  return !isRecord(value) || Object.keys(value).length === 0;
}

function scalar(value: unknown, indent: string): string {
  if (typeof value === 'string') return yamlString(value, indent);
  if (Array.isArray(value)) return '[]';
  // YAML 1.1 wants a point in a number with an exponent.
  return isRecord(value) ? '{}' : String(value).replace(/^(-?\d+)e/, '$1.0e');
}
