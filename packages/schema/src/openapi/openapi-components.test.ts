import { describe, expect, it } from 'vitest';
import type { SchemaPackage, StructSchema } from '../schema.ts';
import { SchemaSet } from '../schema-set.ts';
import { OpenApiComponents, openApiName } from './openapi-components.ts';

const ROOT = '#/components/schemas/';
const QUANTITY = 'io.k8s.apimachinery.pkg.api.resource.Quantity';
const TIME = 'io.k8s.apimachinery.pkg.apis.meta.v1.Time';

const builtIn: SchemaPackage = {
  name: 'core/v1',
  openApiPackage: 'io.k8s.api.core.v1',
  imports: [],
  types: {
    Protocol: { type: 'string', enum: ['TCP', 'UDP'] },
    ResourceList: { map: 'quantity' },
    Selector: { fields: { key: { type: 'string', required: true, always: true } }, mapType: 'atomic' },
    OneOrMany: { fields: { one: { type: 'string' } }, form: 'orArray' },
    Loop: { fields: { inner: { type: 'core/v1.Loop', pointer: true }, all: { list: 'core/v1.Loop' } } },
    Empty: { fields: {} },
    Thing: {
      fields: {
        name: { type: 'string' },
        always: { type: 'string', always: true },
        count: { type: 'int32', always: true },
        on: { type: 'bool', always: true },
        maybe: { type: 'int64', pointer: true, always: true },
        share: { type: 'float64' },
        protocol: { type: 'core/v1.Protocol', default: 'TCP', required: true },
        since: { type: 'time' },
        limits: { type: 'core/v1.ResourceList', mapType: 'atomic' },
        selector: { type: 'core/v1.Selector' },
        pointed: { type: 'core/v1.Selector', pointer: true },
        labels: { map: 'string' },
        bytes: { type: 'bytes' },
        anything: { type: 'any' },
        either: { type: 'core/v1.OneOrMany', always: true },
        ports: {
          list: 'core/v1.Selector',
          listType: 'map',
          keys: ['key'],
          patchStrategy: 'merge',
          patchMergeKey: 'key',
        },
      },
    },
  },
};

function properties(fields: StructSchema['fields'], version: 2 | 3 = 3): unknown {
  const types = { ...builtIn.types, It: { fields } };
  const components = new OpenApiComponents(new SchemaSet([{ ...builtIn, types }]), { version });
  components.ref('core/v1.It');
  return components.schemas()['io.k8s.api.core.v1.It']?.['properties'];
}

const THING = builtIn.types['Thing'];
const FIELDS = THING !== undefined && 'fields' in THING ? THING.fields : {};

describe('components of built-in types', () => {
  const components = new OpenApiComponents(new SchemaSet([builtIn]), {
    kindsOf: (type) => (type === 'core/v1.Thing' ? [{ group: '', version: 'v1', kind: 'Thing' }] : []),
  });
  const ref = components.ref('core/v1.Thing');

  it('are named as kube-apiserver names them', () => {
    expect(ref).toBe('#/components/schemas/io.k8s.api.core.v1.Thing');
    expect(openApiName(new SchemaSet([builtIn]), 'core/v1.Thing')).toBe('io.k8s.api.core.v1.Thing');
  });

  it('are all that are referred to, each once, in the order of their names', () => {
    expect(Object.keys(components.schemas())).toEqual([
      'io.k8s.api.core.v1.OneOrMany',
      'io.k8s.api.core.v1.Selector',
      'io.k8s.api.core.v1.Thing',
      QUANTITY,
      TIME,
    ]);
  });

  it('name their required fields and the kinds that they are published as', () => {
    expect(components.schemas()['io.k8s.api.core.v1.Thing']).toMatchObject({
      type: 'object',
      required: ['protocol'],
      'x-kubernetes-group-version-kind': [{ group: '', version: 'v1', kind: 'Thing' }],
    });
    expect(components.schemas()['io.k8s.api.core.v1.Selector']).toEqual({
      type: 'object',
      properties: { key: { type: 'string', default: '' } },
      required: ['key'],
      'x-kubernetes-map-type': 'atomic',
    });
  });

  it('say nothing of a type that is one of several in JSON', () => {
    expect(components.schemas()['io.k8s.api.core.v1.OneOrMany']).toEqual({});
  });

  it('may refer to themselves, and may be empty', () => {
    const looped = new OpenApiComponents(new SchemaSet([builtIn]));
    const self = { $ref: looped.ref('core/v1.Loop') };
    looped.ref('core/v1.Empty');
    expect(looped.schemas()).toEqual({
      'io.k8s.api.core.v1.Empty': { type: 'object' },
      'io.k8s.api.core.v1.Loop': {
        type: 'object',
        properties: { inner: self, all: { type: 'array', items: { default: {}, allOf: [self] } } },
      },
    });
  });

  it('are not made of scalars and unknown types', () => {
    expect(() => components.ref('core/v1.Protocol')).toThrow(new RangeError('core/v1.Protocol is no struct'));
    expect(() => components.ref('core/v1.Nothing')).toThrow(new RangeError('there is no schema of core/v1.Nothing'));
  });
});

describe('fields', () => {
  it('have the defaults that Go implies, unless a pointer holds them', () => {
    expect(properties(FIELDS)).toEqual({
      name: { type: 'string' },
      always: { type: 'string', default: '' },
      count: { type: 'integer', format: 'int32', default: 0 },
      on: { type: 'boolean', default: false },
      maybe: { type: 'integer', format: 'int64' },
      share: { type: 'number', format: 'double' },
      protocol: { type: 'string', enum: ['TCP', 'UDP'], default: 'TCP' },
      since: { $ref: `${ROOT}${TIME}` },
      limits: {
        type: 'object',
        additionalProperties: { $ref: `${ROOT}${QUANTITY}` },
        'x-kubernetes-map-type': 'atomic',
      },
      selector: { default: {}, allOf: [{ $ref: `${ROOT}io.k8s.api.core.v1.Selector` }] },
      pointed: { $ref: `${ROOT}io.k8s.api.core.v1.Selector` },
      labels: { type: 'object', additionalProperties: { type: 'string', default: '' } },
      bytes: { type: 'string', format: 'byte' },
      anything: {},
      either: { $ref: `${ROOT}io.k8s.api.core.v1.OneOrMany` },
      ports: {
        type: 'array',
        items: { default: {}, allOf: [{ $ref: `${ROOT}io.k8s.api.core.v1.Selector` }] },
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['key'],
        'x-kubernetes-patch-strategy': 'merge',
        'x-kubernetes-patch-merge-key': 'key',
      },
    });
  });

  it('have no defaults in version 2, and references with nothing beside them', () => {
    const { count, selector, protocol } = FIELDS;
    if (count === undefined || selector === undefined || protocol === undefined) throw new Error('no such fields');
    expect(properties({ count, selector, protocol }, 2)).toEqual({
      count: { type: 'integer', format: 'int32' },
      selector: { $ref: '#/definitions/io.k8s.api.core.v1.Selector' },
      protocol: { type: 'string', enum: ['TCP', 'UDP'] },
    });
  });
});

describe('scalars with a name of their own', () => {
  it.each([
    [3, { oneOf: [{ type: 'string' }, { type: 'number' }] }],
    [2, { type: 'string' }],
  ] as const)('version %i says of a quantity %j', (version, expected) => {
    const components = new OpenApiComponents(new SchemaSet([builtIn]), { version });
    components.ref('core/v1.Thing');
    expect(components.schemas()[QUANTITY]).toEqual(expected);
  });
});

describe('components of custom kinds', () => {
  const custom: SchemaPackage = {
    name: 'com.example/v1',
    imports: [],
    types: {
      Order: {
        fields: {
          lines: { list: { fields: { article: { type: 'string', required: true } } } },
          port: { type: 'intOrString' },
          size: { type: 'int32', always: true, nullable: true, description: 'How many', validation: { minimum: 1 } },
          name: {
            type: 'string',
            validation: {
              pattern: '^a',
              not: { enum: ['b'] },
              anyOf: [{ maxLength: 3 }],
              cel: [{ rule: 'self != "c"' }],
            },
          },
          extra: { fields: {}, keepsUnknown: true },
          template: { fields: {}, embedded: true, keepsUnknown: true },
        },
      },
    },
  };

  it('say everything in place, with their validation and without implied defaults', () => {
    const components = new OpenApiComponents(new SchemaSet([custom]));
    expect(components.ref('com.example/v1.Order')).toBe('#/components/schemas/com.example.v1.Order');
    expect(components.schemas()).toEqual({
      'com.example.v1.Order': {
        type: 'object',
        properties: {
          lines: {
            type: 'array',
            items: { type: 'object', properties: { article: { type: 'string' } }, required: ['article'] },
          },
          port: { 'x-kubernetes-int-or-string': true },
          size: { type: 'integer', format: 'int32', nullable: true, description: 'How many', minimum: 1 },
          name: {
            type: 'string',
            pattern: '^a',
            not: { enum: ['b'] },
            anyOf: [{ maxLength: 3 }],
            'x-kubernetes-validations': [{ rule: 'self != "c"' }],
          },
          extra: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
          template: {
            type: 'object',
            'x-kubernetes-embedded-resource': true,
            'x-kubernetes-preserve-unknown-fields': true,
          },
        },
      },
    });
  });
});
