/** Maps protobuf field numbers to the fields of a shape. */

import type { Shape, StructShape } from '../kinds/shapes/shape.ts';

/** A named field, or an embedded message whose fields are inlined into the surrounding object. */
export type MessageField =
  | { readonly name: string; readonly shape: Shape }
  | { readonly inline: ReadonlyMap<number, MessageField> };

export type MessageFields = ReadonlyMap<number, MessageField>;

/** A cache by the fields of a shape, which its copies (`{ ...SHAPE, always: true }`) share. */
const made = new WeakMap<StructShape['fields'], MessageFields>();

/** The fields of a shape by their numbers. */
export function messageFields(shape: StructShape): MessageFields {
  const known = made.get(shape.fields);
  if (known !== undefined) return known;
  const fields = new Map<number, MessageField>();
  const inline = new Map<number, Map<number, MessageField>>();
  for (const [name, path] of fieldPaths(shape)) {
    const [outer, inner] = path;
    const field = { name, shape: shape.fields[name] ?? 'any' } as const;
    if (outer === 0) continue;
    if (inner === undefined) {
      fields.set(outer, field);
      continue;
    }
    const inside = inline.get(outer) ?? new Map<number, MessageField>();
    inside.set(inner, field);
    inline.set(outer, inside);
    fields.set(outer, { inline: inside });
  }
  made.set(shape.fields, fields);
  return fields;
}

type Path = readonly [number, number?];

/** Each field with its number; with two numbers if it belongs to an embedded message. */
export function fieldPaths({ entries, numbers }: StructShape): readonly (readonly [string, Path])[] {
  let last: Path = [0];
  return entries.map(([name]) => {
    const number = numbers[name];
    last = number === undefined ? following(last) : pathOf(number);
    return [name, last] as const;
  });
}

function following([outer, inner]: Path): Path {
  return inner === undefined ? [outer + 1] : [outer, inner + 1];
}

function pathOf(number: string): Path {
  const [outer = 0, inner] = number.split('.').map(Number);
  return inner === undefined ? [outer] : [outer, inner];
}
