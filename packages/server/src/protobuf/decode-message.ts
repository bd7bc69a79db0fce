/** Decodes a protobuf message into the equivalent JSON value, by the schema of its type. */

import {
  canonical,
  isRecord,
  type JsonRecord,
  type ListSchema,
  type Schema,
  type SchemaSet,
  type StructSchema,
  type TypeName,
} from '@listwatch/schema';
import type { KindSchemas } from '../kinds/kind-schemas.ts';
import { newObjectBudget } from '../kinds/shapes/size-budget.ts';
import { type MessageField, type MessageFields, messageFields, structOf } from './message-fields.ts';
import { PACKED, SCALAR_READERS } from './scalar-readers.ts';
import { WIRE, WireReader } from './wire-reader.ts';

type Draft = Record<string, unknown>;

/** Schemas with the plans for decoding. */
export type MessageSchemas = Pick<KindSchemas, 'plan' | 'set'>;

/**
 * Decodes a message. Skips fields that the schema does not have. Throws a `ProtobufProblem`.
 *
 * Go writes empty fields too unless they are pointers; the canonical form drops those that Go omits from JSON.
 */
export function decodeMessage(schemas: MessageSchemas, type: TypeName, bytes: Buffer): JsonRecord {
  const { set } = schemas;
  const read = readStruct(set, structOf(set, type), new WireReader(bytes), {});
  return canonical(schemas.plan(type), read, newObjectBudget());
}

function readStruct(set: SchemaSet, struct: StructSchema, reader: WireReader, draft: Draft): Draft {
  readFields(set, messageFields(struct), reader, draft);
  return draft;
}

function readFields(set: SchemaSet, fields: MessageFields, reader: WireReader, draft: Draft): void {
  while (reader.next()) {
    const field = fields.get(reader.field);
    if (field === undefined) reader.skip();
    else readField(set, field, reader, draft);
  }
}

function readField(set: SchemaSet, known: MessageField, reader: WireReader, draft: Draft): void {
  if ('inline' in known) {
    readFields(set, known.inline, reader.message(), draft);
    return;
  }
  const { name, field } = known;
  const schema = set.resolve(field);
  if ('list' in schema) readItems(set, schema, reader, listIn(draft, name));
  else if ('map' in schema) readEntry(set, schema.map, reader.message(), recordIn(draft, name));
  else if ('type' in schema) draft[name] = SCALAR_READERS[schema.type](reader);
  else if (schema.form !== undefined) draft[name] = readValue(set, schema, reader);
  // A message may be sent in several parts, which are merged.
  else readStruct(set, schema, reader.message(), recordIn(draft, name));
}

/** Reads one item of a list, or all items of a packed list. */
function readItems(set: SchemaSet, { list: item }: ListSchema, reader: WireReader, items: unknown[]): void {
  const schema = set.resolve(item);
  const packed = 'type' in schema ? PACKED[schema.type] : undefined;
  if (packed === undefined || reader.wireType !== WIRE.bytes) {
    items.push(readValue(set, schema, reader));
    return;
  }
  const inside = reader.message();
  inside.wireType = packed;
  while (!inside.done) {
    inside.count();
    items.push(readValue(set, schema, inside));
  }
}

function readEntry(set: SchemaSet, schema: Schema, reader: WireReader, entries: Draft): void {
  let key = '';
  let value: unknown;
  while (reader.next()) {
    if (reader.field === 1) key = reader.string();
    else if (reader.field === 2) value = readValue(set, schema, reader);
    else reader.skip();
  }
  // Assigned, the key `__proto__` would change the prototype and lose its value.
  if (key === '__proto__') {
    Object.defineProperty(entries, key, { value, configurable: true, enumerable: true, writable: true });
  } else {
    entries[key] = value;
  }
}

function readValue(set: SchemaSet, schema: Schema, reader: WireReader): unknown {
  const resolved = set.resolve(schema);
  if ('type' in resolved) return SCALAR_READERS[resolved.type](reader);
  if ('fields' in resolved) return formOf(resolved, readStruct(set, resolved, reader.message(), {}));
  // A list or a map as an item is a message of its own: its field 1 repeats the items.
  const draft: Draft = {};
  const wrapped = { fields: { items: { ...resolved, number: 1 } } };
  readFields(set, messageFields(wrapped), reader.message(), draft);
  return draft['items'];
}

/** What JSON shows of a struct that has a form: one of its fields. */
function formOf({ form }: StructSchema, draft: Draft): unknown {
  if (form === undefined) return draft;
  const { schema, jSONSchemas, property, allows } = draft;
  return jSONSchemas ?? property ?? schema ?? (form === 'orBool' ? allows === true : null);
}

function recordIn(draft: Draft, name: string): Draft {
  const known = draft[name];
  if (isRecord(known)) return known;
  const made: Draft = {};
  draft[name] = made;
  return made;
}

function listIn(draft: Draft, name: string): unknown[] {
  const known = draft[name];
  if (Array.isArray(known)) return known;
  const made: unknown[] = [];
  draft[name] = made;
  return made;
}
