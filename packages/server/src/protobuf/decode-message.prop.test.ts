import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BUILT_IN_KINDS } from '../kinds/resource-registry.ts';
import { canonical } from '../kinds/shapes/canonical.ts';
import type { JsonRecord } from '../kinds/shapes/json-value.ts';
import { type ScalarName, type Shape, type StructShape, scalarName } from '../kinds/shapes/shape.ts';
import { decodeMessage } from './decode-message.ts';
import { openEnvelope } from './envelope.ts';
import { ProtobufProblem } from './protobuf-problem.ts';
import { messageParts } from './wire-writer.test-d.ts';

const second = fc.integer({ min: -60_000_000_000, max: 250_000_000_000 });
const int32 = fc.integer();
const text = fc.string({ unit: 'binary', maxLength: 8 });

function timeText(seconds: number, fraction: string): string {
  return new Date(seconds * 1000).toISOString().replace('.000Z', `${fraction}Z`);
}

const SCALARS: Readonly<Record<ScalarName, fc.Arbitrary<unknown>>> = {
  any: fc.dictionary(text, fc.constant({}), { maxKeys: 2 }),
  bool: fc.boolean(),
  bytes: fc.uint8Array({ maxLength: 5 }).map((bytes) => Buffer.from(bytes).toString('base64')),
  float64: fc.double({ noNaN: true, noDefaultInfinity: true }),
  int32,
  int64: fc.maxSafeInteger(),
  intOrString: fc.oneof(int32, text),
  microTime: fc
    .tuple(second, fc.nat(999_999))
    .map(([at, micros]) => timeText(at, `.${String(micros).padStart(6, '0')}`)),
  quantity: fc.constantFrom('0', '1', '100m', '1Gi', '-5k'),
  string: text,
  time: second.map((at) => timeText(at, '')),
};

function valueOf(shape: Shape): fc.Arbitrary<unknown> {
  if (typeof shape === 'string') return SCALARS[scalarName(shape)];
  // In protobuf an empty list is none at all, and JSON writes that as `null` where it always writes the list.
  if ('list' in shape) return fc.array(valueOf(shape.list), { minLength: shape.always === true ? 1 : 0, maxLength: 2 });
  return 'map' in shape ? fc.dictionary(text, valueOf(shape.map), { maxKeys: 2 }) : structOf(shape);
}

function structOf(shape: StructShape): fc.Arbitrary<JsonRecord> {
  return fc
    .subarray([...shape.entries], { maxLength: Math.min(4, shape.entries.length) })
    .chain((fields) => fc.record(Object.fromEntries(fields.map(([name, field]) => [name, valueOf(field)]))));
}

const shapes = fc.constantFrom(...BUILT_IN_KINDS.map(({ shape }) => shape));

const objects = shapes.chain((shape) => fc.tuple(fc.constant(shape), structOf(shape)));

describe('a message', () => {
  it('of any kind, with its fields in any order, is the object that was written', () => {
    const written = objects.chain(([shape, value]) => {
      // The type stands in the envelope.
      const { kind: _kind, apiVersion: _version, ...fields } = value;
      const parts = [...messageParts(shape, fields)];
      return fc.tuple(fc.constant({ shape, fields }), fc.shuffledSubarray(parts, { minLength: parts.length }));
    });
    fc.assert(
      fc.property(written, ([{ shape, fields }, parts]) => {
        const decoded = decodeMessage(shape, Buffer.concat(parts));
        expect(JSON.stringify(decoded)).toBe(JSON.stringify(canonical(shape, fields)));
      }),
      { numRuns: 500 },
    );
  });

  it('of any bytes is an object or a problem, and nothing else', () => {
    const mangled = fc.tuple(objects, fc.array(fc.tuple(fc.nat(), fc.nat(255)))).map(([[shape, value], changes]) => {
      const bytes = Buffer.concat(messageParts(shape, value));
      for (const [at, byte] of changes) if (bytes.length > 0) bytes[at % bytes.length] = byte;
      return [shape, bytes] as const;
    });
    const random = fc.tuple(
      shapes,
      fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
    );
    fc.assert(
      fc.property(fc.oneof(mangled, random), ([shape, bytes]) => {
        expect(outcome(() => decodeMessage(shape, bytes))).toBe('read or refused');
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
