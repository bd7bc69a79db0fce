/** Maps protobuf field numbers to the fields of a struct. */

import type { Field, SchemaSet, StructSchema } from '@listwatch/schema';

/** A named field, or an embedded message whose fields are inlined into the surrounding object. */
export type MessageField =
  | { readonly name: string; readonly field: Field }
  | { readonly inline: ReadonlyMap<number, MessageField> };

export type MessageFields = ReadonlyMap<number, MessageField>;

const made = new WeakMap<StructSchema['fields'], MessageFields>();

/** The fields of a struct by their numbers. */
export function messageFields({ fields }: Pick<StructSchema, 'fields'>): MessageFields {
  const known = made.get(fields);
  if (known !== undefined) return known;
  const byNumber = new Map<number, MessageField>();
  for (const [name, field] of Object.entries(fields)) {
    const { number, within = [] } = field;
    if (number !== undefined) inlined(byNumber, within).set(number, { name, field });
  }
  made.set(fields, byNumber);
  return byNumber;
}

/** The fields of the message that these numbers lead to. */
function inlined(fields: Map<number, MessageField>, within: readonly number[]): Map<number, MessageField> {
  let inside = fields;
  for (const number of within) {
    const known = inside.get(number);
    const next = new Map(known !== undefined && 'inline' in known ? known.inline : []);
    inside.set(number, { inline: next });
    inside = next;
  }
  return inside;
}

/** The struct that a type is. Throws a TypeError for other types. */
export function structOf(set: SchemaSet, type: string): StructSchema {
  const resolved = set.resolve(set.get(type));
  if (!('fields' in resolved)) throw new TypeError(`${type} is not a struct`);
  return resolved;
}
