/** Paths to one field of an object, in the part of JSONPath that names exactly one. */

import { isRecord } from '@listwatch/api/values';

/** The names and indexes on the way to a field. */
export type FieldPath = readonly (number | string)[];

/** A name, an index, or a name in quotes. A dot in a name is written as `\.`. */
const SEGMENT = /\.((?:[^.[\]\\'"{}*?@()\s]|\\.)+)|\[(\d+)\]|\['((?:[^'\\]|\\.)*)'\]|\["((?:[^"\\]|\\.)*)"\]/gy;

/**
 * Reads `{.status.phase}`, `.status.phase` or `status.phase`, with `[0]` for items of lists and `['a.b']` or `a\.b` for names with
 * dots. Throws a RangeError for what does not name exactly one field, such as `[*]`.
 */
export function parseFieldPath(text: string): FieldPath {
  const inner = text.startsWith('{') && text.endsWith('}') ? text.slice(1, -1) : text;
  const rooted = inner.startsWith('$') ? inner.slice(1) : inner;
  const path = rooted.startsWith('.') || rooted.startsWith('[') ? rooted : `.${rooted}`;
  const segments: (number | string)[] = [];
  let end = 0;
  for (const match of path.matchAll(SEGMENT)) {
    const [whole, name, index, single, double] = match;
    const member = name ?? single ?? double;
    segments.push(member === undefined ? Number(index) : member.replaceAll(/\\(.)/g, '$1'));
    end += whole.length;
  }
  if (end !== path.length) {
    throw new RangeError(`${JSON.stringify(text)} does not name one field; write it like {.status.conditions[0].type}`);
  }
  return segments;
}

/** The value at a path; undefined when there is none. */
export function readField(object: unknown, path: FieldPath): unknown {
  let value = object;
  for (const segment of path) {
    if (Array.isArray(value)) value = typeof segment === 'number' ? value[segment] : undefined;
    else value = isRecord(value) && Object.hasOwn(value, segment) ? value[segment] : undefined;
  }
  return value;
}

/** For messages. */
export function fieldPathText(path: FieldPath): string {
  return path
    .map((segment) =>
      /^[\w-]+$/.test(String(segment)) && typeof segment === 'string' ? `.${segment}` : bracket(segment),
    )
    .join('');
}

function bracket(segment: number | string): string {
  return typeof segment === 'number' ? `[${segment}]` : `['${segment}']`;
}
