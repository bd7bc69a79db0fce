import { type JsonRecord } from '@listwatch/api/values';
import {
  canonical,
  DecodePlans,
  decodeMessage,
  encodeMessage,
  MessagePlans,
  openEnvelope,
  ProtobufProblem,
  type ScalarType,
  type Schema,
  type StructSchema,
  type TypeName,
} from '@listwatch/schema';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { messageParts } from '../../schema/src/protobuf/written-message.fixture.ts';
import { KIND_TABLE } from '../src/generated/kind-table.ts';
import { loadSchemas } from '../src/load-schemas.ts';

const second = fc.integer({ min: -60_000_000_000, max: 250_000_000_000 });
const int32 = fc.integer();
const text = fc.string({ unit: 'binary', maxLength: 8 });

function timeText(seconds: number, fraction: string): string {
  return new Date(seconds * 1000).toISOString().replace('.000Z', `${fraction}Z`);
}

const SCALARS: Readonly<Record<ScalarType, fc.Arbitrary<unknown>>> = {
  any: fc.dictionary(text, fc.constant({}), { maxKeys: 2 }),
  bool: fc.boolean(),
  bytes: fc.uint8Array({ maxLength: 5 }).map((bytes) => Buffer.from(bytes).toString('base64')),
  duration: fc.constantFrom('0ns', '1ns', '1000000000ns'),
  fieldsV1: fc.dictionary(text, fc.constant({}), { maxKeys: 2 }),
  float64: fc.double({ noNaN: true, noDefaultInfinity: true }),
  int32,
  int64: fc.maxSafeInteger(),
  intOrString: fc.oneof(int32, text),
  json: fc.constantFrom({}, [], 'x', 1, true),
  microTime: fc
    .tuple(second, fc.nat(999_999))
    .map(([at, micros]) => timeText(at, `.${String(micros).padStart(6, '0')}`)),
  quantity: fc.constantFrom('0', '1', '100m', '1Gi', '-5k'),
  rawExtension: fc.constantFrom({}, { a: 1 }),
  string: text,
  time: second.map((at) => timeText(at, '')),
};

const set = await loadSchemas();
const decodePlans = new DecodePlans(set);
const messagePlans = new MessagePlans(set);

function decoded(type: TypeName, bytes: Uint8Array): JsonRecord {
  return canonical(decodePlans.struct(type), decodeMessage(messagePlans.message(type), bytes, { maxFields: 60_000 }));
}

function structSchema(type: TypeName): StructSchema {
  const resolved = set.resolve(type);
  if (!('fields' in resolved)) throw new TypeError(type);
  return resolved;
}

/** Kinds whose schemas refer to themselves are filled to this depth. */
const MAX_DEPTH = 8;

function valueOf(schema: Schema, isAlways: boolean, depth: number): fc.Arbitrary<unknown> {
  const resolved = set.resolve(schema);
  if ('type' in resolved) return SCALARS[resolved.type];
  const maxLength = depth > MAX_DEPTH ? 0 : 2;
  // In protobuf an empty list is none at all, and JSON writes that as `null` where it always writes the list.
  if ('list' in resolved)
    return fc.array(valueOf(resolved.list, true, depth + 1), { minLength: isAlways ? 1 : 0, maxLength: 2 });
  if ('map' in resolved) {
    const minKeys = isAlways ? 1 : 0;
    return fc.dictionary(text, valueOf(resolved.map, true, depth + 1), {
      minKeys,
      maxKeys: Math.max(minKeys, maxLength),
    });
  }
  return resolved.form === undefined ? structOf(resolved, depth + 1) : fc.constantFrom(...FORMS[resolved.form]);
}

const FORMS = {
  orArray: [[{ type: 'x' }], { type: 'x' }],
  orBool: [true, { type: 'x' }],
  orStringArray: [['x']],
} as const;

function structOf({ fields }: StructSchema, depth = 0): fc.Arbitrary<JsonRecord> {
  // What has no number is in no message: `kind` and `apiVersion` stand in the envelope.
  const entries = Object.entries(fields).filter(([, { number }]) => number !== undefined);
  const maxLength = depth > MAX_DEPTH ? 0 : Math.min(4, entries.length);
  return fc
    .subarray(entries, { maxLength })
    .chain((some) =>
      fc.record(Object.fromEntries(some.map(([name, field]) => [name, valueOf(field, field.always === true, depth)]))),
    );
}

const types = fc.constantFrom(...KIND_TABLE.map(({ type }) => type));

const objects = types.chain((type) => fc.tuple(fc.constant(type), structOf(structSchema(type))));

describe('a message', () => {
  it('of any kind, with its fields in any order, is the object that was written', () => {
    const written = objects.chain(([type, value]) => {
      const parts = [...messageParts(set, type, value)];
      return fc.tuple(fc.constant({ type, fields: value }), fc.shuffledSubarray(parts, { minLength: parts.length }));
    });
    fc.assert(
      fc.property(written, ([{ type, fields }, parts]) => {
        const read = decoded(type, Buffer.concat(parts));
        expect(JSON.stringify(read)).toBe(JSON.stringify(canonical(decodePlans.struct(type), fields)));
      }),
      { numRuns: 500 },
    );
  });

  it('of any kind, written and read again, is the same object', () => {
    fc.assert(
      fc.property(objects, ([type, value]) => {
        const object = canonical(decodePlans.struct(type), value);
        const bytes = encodeMessage(messagePlans.message(type), object);
        const read = decoded(type, bytes);
        expect(JSON.stringify(read)).toBe(JSON.stringify(object));
        expect(encodeMessage(messagePlans.message(type), read)).toEqual(bytes);
      }),
      { numRuns: 500 },
    );
  });

  it('of any bytes is an object or a problem, and nothing else', () => {
    const mangled = fc.tuple(objects, fc.array(fc.tuple(fc.nat(), fc.nat(255)))).map(([[type, value], changes]) => {
      const bytes = Buffer.concat(messageParts(set, type, value));
      for (const [at, byte] of changes) if (bytes.length > 0) bytes[at % bytes.length] = byte;
      return [type, bytes] as const;
    });
    const random = fc.tuple(
      types,
      fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
    );
    fc.assert(
      fc.property(fc.oneof(mangled, random), ([type, bytes]) => {
        expect(outcome(() => decoded(type, bytes))).toBe('read or refused');
        expect(outcome(() => openEnvelope(Buffer.concat([Buffer.from('k8s\0'), bytes])))).toBe('read or refused');
      }),
      { numRuns: 2000 },
    );
  });
});

function outcome(read: () => unknown): string {
  try {
    read();
  } catch (error) {
    if (!(error instanceof ProtobufProblem)) return String(error);
  }
  return 'read or refused';
}
