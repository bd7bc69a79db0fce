import type { JsonRecord } from '@listwatch/api/values';
import { describe, expect, it } from 'vitest';
import { CustomSchema } from './custom-schema.ts';
import { schemaLanguage } from './schema-language.ts';

function specNode(spec: JsonRecord): unknown {
  const node = schemaLanguage({ type: 'object', properties: { spec } });
  return 'fields' in node ? node.fields['spec'] : undefined;
}

const META = { apiVersion: { type: 'string' }, kind: { type: 'string' }, metadata: { type: 'meta/v1.ObjectMeta' } };

describe('a custom schema in the schema language', () => {
  it('is a struct with apiVersion, kind and metadata', () => {
    expect(new CustomSchema({ type: 'object', 'x-kubernetes-preserve-unknown-fields': true }).node).toEqual({
      fields: META,
      keepsUnknown: true,
    });
  });

  it.each<[JsonRecord, unknown]>([
    [
      { type: 'string', format: 'date', pattern: 'a' },
      { type: 'string', validation: { format: 'date', pattern: 'a' } },
    ],
    [{ type: 'integer' }, { type: 'int64' }],
    [
      { type: 'integer', format: 'int32', minimum: 0 },
      { type: 'int32', validation: { format: 'int32', minimum: 0 } },
    ],
    [
      { type: 'number', enum: [1, 2] },
      { type: 'float64', enum: [1, 2] },
    ],
    [
      { type: 'boolean', default: false, description: 'd' },
      { type: 'bool', default: false, description: 'd' },
    ],
    [
      { type: 'string', nullable: true },
      { type: 'string', nullable: true },
    ],
    [
      { 'x-kubernetes-int-or-string': true, anyOf: [{ type: 'integer' }, { type: 'string' }] },
      { type: 'intOrString', validation: { anyOf: [{}, {}] } },
    ],
    [{ 'x-kubernetes-preserve-unknown-fields': true }, { type: 'any' }],
    [{ type: 'object' }, { fields: {} }],
    [{ type: 'object', additionalProperties: { type: 'string' } }, { map: { type: 'string' } }],
    [
      { type: 'object', additionalProperties: true, 'x-kubernetes-map-type': 'atomic' },
      { map: 'any', mapType: 'atomic' },
    ],
    [
      { type: 'object', properties: { a: { type: 'string' } }, required: ['a'], 'x-kubernetes-map-type': 'atomic' },
      { fields: { a: { type: 'string', required: true } }, mapType: 'atomic' },
    ],
    [
      {
        type: 'object',
        properties: {},
        'x-kubernetes-embedded-resource': true,
        'x-kubernetes-preserve-unknown-fields': true,
      },
      { fields: META, keepsUnknown: true, embedded: true },
    ],
    [
      {
        type: 'array',
        items: { type: 'object', properties: { k: { type: 'string' } } },
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['k'],
      },
      { list: { fields: { k: { type: 'string' } } }, listType: 'map', keys: ['k'] },
    ],
    [
      { type: 'object', oneOf: [{ required: ['a'], properties: { a: { enum: [1] } } }], not: { maxProperties: 1 } },
      {
        fields: {},
        validation: { oneOf: [{ required: ['a'], properties: { a: { enum: [1] } } }], not: { maxProperties: 1 } },
      },
    ],
    [
      { type: 'string', 'x-kubernetes-validations': [{ rule: 'self != ""', message: 'm' }] },
      { type: 'string', validation: { cel: [{ rule: 'self != ""', message: 'm' }] } },
    ],
  ])('%j', (source, expected) => {
    expect(specNode(source)).toEqual(expected);
  });
});
