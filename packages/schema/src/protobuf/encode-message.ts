/** Encodes JSON objects as protobuf, byte for byte as Go does. */

import { isRecord, type JsonRecord } from '@listwatch/api/values';
import type { MessagePlan, MessageValue } from './message-plan.ts';
import { type JsonText, writeScalar, writeText } from './scalar-writers.ts';
import { MAX_WRITE_DEPTH } from './wire-type.ts';
import { WireWriter } from './wire-writer.ts';

/** Options of {@link encodeMessage}. */
export interface EncodeMessageOptions {
  /** Writes JSON inside protobuf. Default: `JSON.stringify`, which throws for bigints. */
  readonly jsonText?: JsonText;
}

const shared = new WireWriter();

/**
 * Encodes an object in canonical form. Members that the schema does not have are left out; `kind` and `apiVersion` stand in
 * the envelope. As Go writes it: fields by their numbers, maps by their keys, empty values unless they are pointers.
 * Throws a TypeError for a value of the wrong type, a RangeError for messages that are nested too deep.
 *
 * @example
 * encodeMessage(new MessagePlans(schemas).message('core/v1.ConfigMap'), { metadata: { name: 'a' }, data: { k: 'v' } });
 */
export function encodeMessage(plan: MessagePlan, object: JsonRecord, options: EncodeMessageOptions = {}): Uint8Array {
  try {
    new MessageEncoder(shared, options.jsonText ?? JSON.stringify).fields(plan, object);
    return shared.take();
  } finally {
    shared.clear();
  }
}

class MessageEncoder {
  readonly #writer: WireWriter;
  readonly #jsonText: JsonText;
  #depth = 0;

  constructor(writer: WireWriter, jsonText: JsonText) {
    this.#writer = writer;
    this.#jsonText = jsonText;
  }

  /** The fields of a message. The writer goes from the end to the start. */
  fields({ fields }: MessagePlan, object: JsonRecord): void {
    if (this.#depth >= MAX_WRITE_DEPTH) throw new RangeError(`the object is nested deeper than ${MAX_WRITE_DEPTH}`);
    this.#depth += 1;
    for (let index = fields.length - 1; index >= 0; index -= 1) {
      const field = fields[index];
      if (field === undefined) continue;
      if (field.inline !== undefined) {
        const end = this.#writer.length;
        this.fields(field.inline, object);
        this.#writer.delimit(field.number, end);
        continue;
      }
      const value = object[field.name];
      const isAbsent = value === undefined || value === null;
      if (!isAbsent || (!field.isPointer && isAlwaysWritten(field.value)))
        this.#value(field.number, field.value, value);
    }
    this.#depth -= 1;
  }

  /** Few functions call one another here: each is a frame of the stack for each level of the object. */
  #value(number: number, plan: MessageValue, value: unknown): void {
    const end = this.#writer.length;
    switch (plan.is) {
      case 'scalar':
        if (plan.scalar === 'string' && typeof value === 'string') writeText(this.#writer, number, value);
        else writeScalar(this.#writer, number, plan.scalar, value, this.#jsonText);
        return;
      case 'message':
        this.fields(
          plan.message,
          plan.message.form === undefined ? membersOf(value) : formMembers(plan.message, value),
        );
        this.#writer.delimit(number, end);
        return;
      case 'list':
        this.#list(number, plan.item, value);
        return;
      case 'map':
        this.#map(number, plan.item, value);
        return;
      case 'wrapped':
        if (value !== undefined && value !== null) this.#value(1, plan.inside, value);
        this.#writer.delimit(number, end);
    }
  }

  #list(number: number, item: MessageValue, value: unknown): void {
    if (!Array.isArray(value)) throw new TypeError('a value that is no list cannot be written as one');
    for (let index = value.length - 1; index >= 0; index -= 1) this.#value(number, item, value[index]);
  }

  #map(number: number, item: MessageValue, value: unknown): void {
    const entries = membersOf(value);
    const keys = Object.keys(entries).toSorted();
    for (let index = keys.length - 1; index >= 0; index -= 1) {
      const key = keys[index] ?? '';
      const end = this.#writer.length;
      const member = entries[key];
      if (member !== null || isAlwaysWritten(item)) this.#value(2, item, member);
      writeText(this.#writer, 1, key);
      this.#writer.delimit(number, end);
    }
  }
}

/** Is an absent value written as an empty one? Go does that for all but lists, maps and bytes, which are lists to it. */
function isAlwaysWritten(plan: MessageValue): boolean {
  return plan.is === 'scalar' ? plan.scalar !== 'bytes' : plan.is === 'message';
}

/** What a struct holds that JSON shows as one of its fields. */
function formMembers({ form }: MessagePlan, value: unknown): JsonRecord {
  if (Array.isArray(value)) return form === 'orArray' ? { jSONSchemas: value } : { property: value };
  if (isRecord(value)) return form === 'orBool' ? { allows: true, schema: value } : { schema: value };
  return { allows: value === true };
}

const NOTHING: JsonRecord = Object.freeze({});

function membersOf(value: unknown): JsonRecord {
  if (value === undefined || value === null) return NOTHING;
  if (!isRecord(value)) throw new TypeError('a value that is no object cannot be written as one');
  return value;
}
