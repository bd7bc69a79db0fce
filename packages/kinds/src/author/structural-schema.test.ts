import { type } from 'arktype';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { jsonSchemaOf } from './standard-schema.ts';
import { structuralSchema } from './structural-schema.ts';

const ofZod = (schema: z.ZodType): unknown => structuralSchema(jsonSchemaOf(schema));

describe('a schema of Zod', () => {
  it.each([
    [
      'texts with bounds and a default',
      z.string().min(1).max(5).default('x'),
      { type: 'string', default: 'x', minLength: 1, maxLength: 5 },
    ],
    ['integers without the bounds of JavaScript', z.int().min(1), { type: 'integer', format: 'int64', minimum: 1 }],
    ['integers of 32 bits', z.int32(), { type: 'integer', format: 'int64', minimum: -(2 ** 31), maximum: 2 ** 31 - 1 }],
    ['numbers above a bound', z.number().gt(0), { type: 'number', minimum: 0, exclusiveMinimum: true }],
    ['booleans with a text', z.boolean().describe('on?'), { type: 'boolean', description: 'on?' }],
    ['enums', z.enum(['a', 'b']), { type: 'string', enum: ['a', 'b'] }],
    ['literals', z.literal('a'), { type: 'string', enum: ['a'] }],
    ['unions of literals', z.union([z.literal('a'), z.literal('b')]), { type: 'string', enum: ['a', 'b'] }],
    ['null', z.string().nullable(), { type: 'string', nullable: true }],
    ['numbers or texts', z.union([z.string(), z.int()]), { 'x-kubernetes-int-or-string': true }],
    ['anything', z.any(), { 'x-kubernetes-preserve-unknown-fields': true }],
    ['formats, without their patterns', z.iso.datetime(), { type: 'string', format: 'date-time' }],
    ['patterns', z.string().regex(/^a+$/u), { type: 'string', pattern: '^a+$' }],
    ['lists', z.array(z.string()).max(3), { type: 'array', maxItems: 3, items: { type: 'string' } }],
    [
      'maps',
      z.record(z.string(), z.int()),
      { type: 'object', additionalProperties: { type: 'integer', format: 'int64' } },
    ],
    [
      'objects that keep what they do not know',
      z.looseObject({ a: z.string() }),
      {
        type: 'object',
        properties: { a: { type: 'string' } },
        required: ['a'],
        'x-kubernetes-preserve-unknown-fields': true,
      },
    ],
    [
      'intersections',
      z.intersection(z.object({ a: z.string() }), z.object({ b: z.string().optional() })),
      { type: 'object', properties: { a: { type: 'string' }, b: { type: 'string' } }, required: ['a'] },
    ],
    [
      'extensions of Kubernetes',
      z
        .array(z.object({ name: z.string() }))
        .meta({ 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['name'] }),
      {
        type: 'array',
        items: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['name'],
      },
    ],
  ])('says %s as a CRD says them', (_, schema, expected) => {
    expect(ofZod(schema)).toEqual(expected);
  });

  it('puts the fields of a union outside, and what belongs together inside', () => {
    const schema = z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('git'), url: z.string() }),
      z.object({ kind: z.literal('image'), name: z.string() }),
    ]);
    expect(ofZod(schema)).toEqual({
      type: 'object',
      properties: {
        kind: { type: 'string', enum: ['git', 'image'] },
        url: { type: 'string' },
        name: { type: 'string' },
      },
      required: ['kind'],
      oneOf: [
        { required: ['kind', 'url'], properties: { kind: { enum: ['git'] } } },
        { required: ['kind', 'name'], properties: { kind: { enum: ['image'] } } },
      ],
    });
  });

  it('that is written twice is put in place, and one that contains itself is refused', () => {
    const part = z.object({ a: z.string() }).meta({ id: 'Part' });
    expect(ofZod(z.object({ x: part, y: part }))).toMatchObject({
      properties: { x: { type: 'object', properties: { a: { type: 'string' } } }, y: { type: 'object' } },
    });
    const tree: z.ZodType = z.lazy(() => z.object({ children: z.array(tree) }));
    expect(() => ofZod(z.object({ spec: tree }))).toThrow(/cannot be that of a CRD: spec\S* refers to itself/u);
  });
});

it('a schema of ArkType is taken, too', () => {
  const schema = type({ spec: { host: 'string > 1', 'replicas?': 'number.integer >= 1', note: 'string | null' } });
  expect(structuralSchema(jsonSchemaOf(schema))).toEqual({
    type: 'object',
    required: ['spec'],
    properties: {
      spec: {
        type: 'object',
        required: ['host', 'note'],
        properties: {
          host: { type: 'string', minLength: 2 },
          note: { type: 'string', nullable: true },
          replicas: { type: 'integer', format: 'int64', minimum: 1 },
        },
      },
    },
  });
});

describe('what no CRD can say is refused with its place', () => {
  it.each([
    [{ type: 'object', properties: { a: { type: ['string', 'boolean'] } } }, 'a has the types string and boolean'],
    [
      { type: 'object', properties: { a: { anyOf: [{ type: 'string' }, { type: 'object' }] } } },
      'a has values of different types in anyOf',
    ],
    [{ type: 'object', patternProperties: { '^a': {} } }, 'its root has patternProperties'],
    [{ type: 'array', prefixItems: [{ type: 'string' }] }, 'its root has prefixItems'],
    [
      { type: 'object', properties: { a: {} }, additionalProperties: { type: 'string' } },
      'its root has both properties and additionalProperties',
    ],
    [{ type: 'object', properties: { a: { $ref: '#/$defs/x' } } }, 'a refers to #/$defs/x, which is not in the schema'],
    [{ type: 'array', items: { type: 'object' }, uniqueItems: true }, 'its root has unique items that are no scalars'],
    [{ type: 'object', properties: { a: false } }, 'a must be a schema, not false'],
  ])('%j', (schema, message) => {
    expect(() => structuralSchema(schema)).toThrow(new TypeError(`the schema cannot be that of a CRD: ${message}`));
  });

  it('a schema of a thousand levels', () => {
    let schema: object = { type: 'string' };
    for (let level = 0; level < 1000; level += 1) schema = { type: 'object', properties: { a: schema } };
    expect(() => structuralSchema({ ...schema })).toThrow(/is deeper than 100 levels/u);
  });

  it('a library that tells no JSON Schema', () => {
    const schema = { '~standard': { version: 1, vendor: 'other' } } as const;
    expect(() => jsonSchemaOf(schema)).toThrow('other tells no JSON Schema of its schemas');
  });
});
