/** Decodes a protobuf message into the equivalent JSON value. */

import { isRecord, type JsonRecord } from '@listwatch/api/values';
import type { MessageField, MessagePlan, MessageValue } from './message-plan.ts';
import { ProtobufProblem } from './protobuf-problem.ts';
import { type JsonParser, PACKED, SCALAR_READERS } from './scalar-readers.ts';
import { WireReader } from './wire-reader.ts';
import { WIRE } from './wire-type.ts';

/** Options of {@link decodeMessage}. */
export interface DecodeMessageOptions {
  /** A message with more fields, those of its parts included, is refused with the Status 413. Default: no limit. */
  readonly maxFields?: number;
  /** Parses JSON inside the message. Default: `JSON.parse`, which rounds long integers. */
  readonly parseJson?: JsonParser;
}

type Draft = Record<string, unknown>;

/**
 * Decodes a message. Skips fields that the schema does not have. The sender is not trusted: lengths and depth are checked.
 * Throws a `ProtobufProblem` in the words of Go's decoder.
 *
 * Go writes empty fields too unless they are pointers; `canonical` drops those that Go omits from JSON.
 */
export function decodeMessage(plan: MessagePlan, bytes: Uint8Array, options: DecodeMessageOptions = {}): JsonRecord {
  const draft: Draft = {};
  const decoder = new MessageDecoder(options.parseJson ?? parseAnyJson);
  decoder.fields(plan, new WireReader(bytes, options.maxFields), draft);
  return draft;
}

const utf8 = new TextDecoder();

function parseAnyJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(utf8.decode(bytes));
  } catch {
    throw new ProtobufProblem('proto: the field is not JSON');
  }
}

class MessageDecoder {
  readonly #parseJson: JsonParser;

  constructor(parseJson: JsonParser) {
    this.#parseJson = parseJson;
  }

  fields({ byNumber }: MessagePlan, reader: WireReader, draft: Draft): void {
    while (reader.next()) {
      const field = byNumber.get(reader.field);
      if (field === undefined) reader.skip();
      else this.#field(field, reader, draft);
    }
  }

  #field(field: MessageField, reader: WireReader, draft: Draft): void {
    if (field.inline !== undefined) {
      this.fields(field.inline, reader.message(), draft);
      return;
    }
    const { name, value } = field;
    if (value.is === 'list') this.#items(value.item, reader, listIn(draft, name));
    else if (value.is === 'map') this.#entry(value.item, reader.message(), recordIn(draft, name));
    // A message may be sent in several parts, which are merged.
    else if (value.is === 'message' && value.message.form === undefined)
      this.fields(value.message, reader.message(), recordIn(draft, name));
    else draft[name] = this.#value(value, reader);
  }

  /** Reads one item of a list, or all items of a packed list. */
  #items(item: MessageValue, reader: WireReader, items: unknown[]): void {
    const packed = item.is === 'scalar' ? PACKED[item.scalar] : undefined;
    if (packed === undefined || reader.wireType !== WIRE.bytes) {
      items.push(this.#value(item, reader));
      return;
    }
    const inside = reader.message();
    inside.wireType = packed;
    while (!inside.done) {
      inside.count();
      items.push(this.#value(item, inside));
    }
  }

  #entry(item: MessageValue, reader: WireReader, entries: Draft): void {
    let key = '';
    let value: unknown;
    while (reader.next()) {
      if (reader.field === 1) key = reader.string();
      else if (reader.field === 2) value = this.#value(item, reader);
      else reader.skip();
    }
    // Assigned, the key `__proto__` would change the prototype and lose its value.
    if (key === '__proto__') {
      Object.defineProperty(entries, key, { value, configurable: true, enumerable: true, writable: true });
    } else {
      entries[key] = value;
    }
  }

  #value(plan: MessageValue, reader: WireReader): unknown {
    if (plan.is === 'scalar') return SCALAR_READERS[plan.scalar](reader, this.#parseJson);
    const draft: Draft = {};
    const inside = reader.message();
    if (plan.is === 'message') {
      this.fields(plan.message, inside, draft);
      return formOf(plan.message, draft);
    }
    if (plan.is !== 'wrapped') return undefined;
    while (inside.next()) {
      if (inside.field !== 1) inside.skip();
      else if (plan.inside.is === 'list') this.#items(plan.inside.item, inside, listIn(draft, 'items'));
      else if (plan.inside.is === 'map') this.#entry(plan.inside.item, inside.message(), recordIn(draft, 'items'));
    }
    return draft['items'];
  }
}

/** What JSON shows of a struct that has a form: one of its fields. */
function formOf({ form }: MessagePlan, draft: Draft): unknown {
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
