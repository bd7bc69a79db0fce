import { isRecord, type JsonRecord } from '@listwatch/api/values';
import { describe, expect, it } from 'vitest';
import { customComponents } from './custom-openapi.ts';

function objectOf(properties: JsonRecord, more: JsonRecord = {}): JsonRecord {
  return { type: 'object', properties, ...more };
}

const SPEC = objectOf(
  {
    text: { type: 'string', default: 'x', minLength: 1, nullable: false, description: 'A text.' },
    maybe: { type: 'string', nullable: true },
    either: { 'x-kubernetes-int-or-string': true },
    one: objectOf({ a: { type: 'string' } }, { oneOf: [{ required: ['a'] }] }),
    kept: objectOf({ a: { type: 'string' } }, { 'x-kubernetes-preserve-unknown-fields': true }),
    embedded: objectOf({ spec: { type: 'object' } }, { 'x-kubernetes-embedded-resource': true }),
    list: { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'set' },
    nothing: { type: 'object', additionalProperties: false },
  },
  { required: ['text', 'maybe'] },
);

function componentsOf(version: 2 | 3, schema: JsonRecord | undefined = objectOf({ spec: SPEC })): JsonRecord {
  const kind = { group: 'example.com', version: 'v1', kind: 'Widget', listKind: 'WidgetList', plural: 'widgets' };
  return customComponents({ ...kind, schema, selectableFields: [{ jsonPath: '.spec.text' }] }, version).schemas;
}

function at(value: unknown, ...path: readonly string[]): unknown {
  return path.reduce((here: unknown, name) => (isRecord(here) ? here[name] : undefined), value);
}

const KIND = 'com.example.v1.Widget';

describe('components of a custom kind', () => {
  it('have apiVersion, kind and metadata, and say what they are', () => {
    const schemas = componentsOf(3);
    expect(Object.keys(schemas)).toEqual([KIND, 'com.example.v1.WidgetList']);
    expect(at(schemas, KIND, 'properties', 'metadata', 'allOf')).toEqual([
      { $ref: '#/components/schemas/io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta' },
    ]);
    expect(at(schemas, KIND, 'x-kubernetes-group-version-kind')).toEqual([
      { group: 'example.com', kind: 'Widget', version: 'v1' },
    ]);
    expect(at(schemas, KIND, 'x-kubernetes-selectable-fields')).toEqual([{ fieldPath: 'spec.text' }]);
    expect(at(schemas, 'com.example.v1.WidgetList', 'properties', 'items')).toEqual({
      description:
        'List of widgets. More info: https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md',
      type: 'array',
      items: { $ref: `#/components/schemas/${KIND}` },
    });
  });

  it('of version 3 have the whole schema', () => {
    const spec = at(componentsOf(3), KIND, 'properties', 'spec');
    expect(at(spec, 'properties', 'text')).toEqual({
      type: 'string',
      default: 'x',
      minLength: 1,
      description: 'A text.',
    });
    expect(at(spec, 'properties', 'maybe')).toEqual({ type: 'string', nullable: true });
    expect(at(spec, 'properties', 'either')).toEqual({
      'x-kubernetes-int-or-string': true,
      anyOf: [{ type: 'integer' }, { type: 'string' }],
    });
    expect(at(spec, 'properties', 'one', 'oneOf')).toEqual([{ required: ['a'] }]);
    expect(at(spec, 'properties', 'kept')).toEqual(at(SPEC, 'properties', 'kept'));
    expect(at(spec, 'properties', 'embedded', 'required')).toEqual(['kind', 'apiVersion']);
    expect(at(spec, 'properties', 'nothing', 'additionalProperties')).toBe(false);
  });

  it('of version 2 have what its clients can read', () => {
    const spec = at(componentsOf(2), KIND, 'properties', 'spec');
    expect(at(spec, 'required')).toEqual(['text']);
    expect(at(spec, 'properties', 'text')).toEqual({ type: 'string', minLength: 1, description: 'A text.' });
    expect(at(spec, 'properties', 'maybe')).toEqual({});
    expect(at(spec, 'properties', 'either')).toEqual({ 'x-kubernetes-int-or-string': true });
    expect(at(spec, 'properties', 'one')).toEqual(objectOf({ a: { type: 'string' } }));
    expect(at(spec, 'properties', 'kept')).toEqual({ 'x-kubernetes-preserve-unknown-fields': true });
    expect(at(componentsOf(2), KIND, 'properties', 'metadata', '$ref')).toBe(
      '#/definitions/io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta',
    );
  });

  it('have no properties when the kind has no schema, or in version 2 keeps all', () => {
    const open = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
    expect(at(componentsOf(2, open), KIND, 'properties')).toBeUndefined();
    expect(at(componentsOf(3, open), KIND, 'properties', 'kind', 'type')).toBe('string');
  });
});
