/** Decodes a protobuf message into the equivalent JSON value, by the shape of its kind. */

import { canonical } from '../kinds/shapes/canonical.ts';
import { isRecord, type JsonRecord } from '../kinds/shapes/json-value.ts';
import { type ListShape, type Shape, type StructShape, scalarName } from '../kinds/shapes/shape.ts';
import { type MessageField, type MessageFields, messageFields } from './message-fields.ts';
import { PACKED, SCALAR_READERS } from './scalar-readers.ts';
import { WIRE, WireReader } from './wire-reader.ts';

type Draft = Record<string, unknown>;

/**
 * Decodes a message. Skips fields that the shape does not have. Throws a `ProtobufProblem`.
 *
 * Go writes empty fields too unless they are pointers; the canonical form drops those that Go omits from JSON. The
 * recursion is as deep as the shape, whatever the sender nests.
 */
export function decodeMessage(shape: StructShape, bytes: Buffer): JsonRecord {
  return canonical(shape, readStruct(shape, new WireReader(bytes), {}));
}

function readStruct(shape: StructShape, reader: WireReader, draft: Draft): Draft {
  readFields(messageFields(shape), reader, draft);
  return draft;
}

function readFields(fields: MessageFields, reader: WireReader, draft: Draft): void {
  while (reader.next()) {
    const field = fields.get(reader.field);
    if (field === undefined) reader.skip();
    else readField(field, reader, draft);
  }
}

function readField(field: MessageField, reader: WireReader, draft: Draft): void {
  if ('inline' in field) {
    readFields(field.inline, reader.message(), draft);
    return;
  }
  const { name, shape } = field;
  if (typeof shape === 'object' && 'list' in shape) readItems(shape, reader, listIn(draft, name));
  else if (typeof shape === 'object' && 'map' in shape) readEntry(shape.map, reader.message(), recordIn(draft, name));
  // A message may be sent in several parts, which are merged.
  else if (typeof shape === 'object') readStruct(shape, reader.message(), recordIn(draft, name));
  else draft[name] = SCALAR_READERS[scalarName(shape)](reader);
}

/** Reads one item of a list, or all items of a packed list. */
function readItems({ list: item }: ListShape, reader: WireReader, items: unknown[]): void {
  const packed = typeof item === 'string' ? PACKED[scalarName(item)] : undefined;
  if (packed === undefined || reader.wireType !== WIRE.bytes) {
    items.push(readValue(item, reader));
    return;
  }
  const inside = reader.message();
  inside.wireType = packed;
  while (!inside.done) {
    inside.count();
    items.push(readValue(item, inside));
  }
}

function readEntry(shape: Shape, reader: WireReader, entries: Draft): void {
  let key = '';
  let value: unknown;
  while (reader.next()) {
    if (reader.field === 1) key = reader.string();
    else if (reader.field === 2) value = readValue(shape, reader);
    else reader.skip();
  }
  // Assigned, the key `__proto__` would change the prototype and lose its value.
  if (key === '__proto__') {
    Object.defineProperty(entries, key, { value, configurable: true, enumerable: true, writable: true });
  } else {
    entries[key] = value;
  }
}

function readValue(shape: Shape, reader: WireReader): unknown {
  if (typeof shape === 'string') return SCALAR_READERS[scalarName(shape)](reader);
  if ('struct' in shape) return readStruct(shape, reader.message(), {});
  throw new TypeError('protobuf has no lists of lists or of maps');
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
