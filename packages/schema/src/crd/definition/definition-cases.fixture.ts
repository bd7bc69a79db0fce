/** Definitions with faults, by what is wrong with them. */

import { isRecord, type JsonRecord } from '@listwatch/api/values';

/** A definition that has nothing wrong with it. */
export function goodDefinition(): JsonRecord {
  return definitionWith(objectOf({ spec: objectOf({ a: { type: 'string' } }) }));
}

/** A definition with this schema in its only version. */
export function definitionWith(schema: JsonRecord, version: JsonRecord = {}, spec: JsonRecord = {}): JsonRecord {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'widgets.example.com' },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { plural: 'widgets', kind: 'Widget' },
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema }, ...version }],
      ...spec,
    },
  };
}

/** An object schema with these properties. */
export function objectOf(properties: JsonRecord, more: JsonRecord = {}): JsonRecord {
  return { type: 'object', properties, ...more };
}

function inSpec(property: JsonRecord): JsonRecord {
  return definitionWith(objectOf({ spec: objectOf({ a: property }) }));
}

function changed(change: (spec: Record<string, unknown>, definition: Record<string, unknown>) => void): JsonRecord {
  const definition: Record<string, unknown> = structuredClone(goodDefinition());
  const { spec } = definition;
  if (isRecord(spec)) change(spec, definition);
  return definition;
}

function versions(...all: readonly JsonRecord[]): JsonRecord {
  const schema = { openAPIV3Schema: { type: 'object' } };
  return changed((spec) => {
    spec['versions'] = all.map((version) => ({ name: 'v1', served: true, storage: false, schema, ...version }));
  });
}

function conversion(value: JsonRecord): JsonRecord {
  return definitionWith({ type: 'object' }, {}, { conversion: value });
}

function webhook(clientConfig: JsonRecord | undefined, more: JsonRecord = {}): JsonRecord {
  return conversion({
    strategy: 'Webhook',
    webhook: { conversionReviewVersions: ['v1'], ...(clientConfig === undefined ? {} : { clientConfig }), ...more },
  });
}

function named(names: JsonRecord): JsonRecord {
  return changed((spec) => {
    spec['names'] = { plural: 'widgets', kind: 'Widget', ...names };
  });
}

function columns(...additionalPrinterColumns: readonly JsonRecord[]): JsonRecord {
  return definitionWith({ type: 'object' }, { additionalPrinterColumns });
}

function selectable(...paths: readonly string[]): JsonRecord {
  const schema = objectOf({
    metadata: objectOf({ name: { type: 'string' } }),
    spec: objectOf({
      a: { type: 'string' },
      n: { type: 'number' },
      list: { type: 'array', items: { type: 'string' } },
      map: { type: 'object', additionalProperties: { type: 'string' } },
      ...Object.fromEntries(Array.from({ length: 9 }, (_, index) => [`f${index}`, { type: 'integer' }])),
    }),
  });
  return definitionWith(schema, { selectableFields: paths.map((jsonPath) => ({ jsonPath })) });
}

function scaled(scale: JsonRecord): JsonRecord {
  return definitionWith({ type: 'object' }, { subresources: { scale } });
}

function grouped(group: string, annotations?: JsonRecord): JsonRecord {
  return changed((spec, definition) => {
    spec['group'] = group;
    definition['metadata'] = { name: `widgets.${group}`, ...(annotations === undefined ? {} : { annotations }) };
  });
}

const STRING = { type: 'string' };
const ITEM = objectOf({ k: STRING, p: { type: 'integer' } });

/** The definitions; those with nothing wrong begin with `good`. */
export const DEFINITIONS: Readonly<Record<string, JsonRecord>> = {
  'good: plain': goodDefinition(),
  'name is not plural.group': changed((_, definition) => {
    definition['metadata'] = { name: 'x.y' };
  }),
  'group without a dot': grouped('example'),
  'group is no domain': grouped('Ex_ample.com'),
  'no group': changed((spec) => {
    delete spec['group'];
  }),
  'no scope': changed((spec) => {
    delete spec['scope'];
  }),
  'unknown scope': changed((spec) => {
    spec['scope'] = 'World';
  }),
  'no schema': definitionWith({ type: 'object' }, { schema: undefined }),
  'empty schema holder': definitionWith({ type: 'object' }, { schema: {} }),
  'no versions': changed((spec) => {
    spec['versions'] = [];
  }),
  'two storage versions': versions({ storage: true }, { name: 'v2', storage: true }),
  'no storage version': versions({}, { name: 'v2' }),
  'version twice': versions({ storage: true }, {}),
  'version is no label': versions({ name: '1.0', storage: true }),
  'second version is no label': versions({ storage: true }, { name: 'V_2' }),
  'no kind': named({ kind: '' }),
  'list kind is kind': named({ listKind: 'Widget' }),
  'bad names': named({
    singular: 'A_b',
    kind: 'Wid get',
    listKind: '1List',
    shortNames: ['w', 'W'],
    categories: ['a', 'b c'],
  }),
  'no plural': changed((spec, definition) => {
    spec['names'] = { kind: 'Widget' };
    definition['metadata'] = { name: 'a.example.com' };
  }),
  'preserves unknown fields': changed((spec) => {
    spec['preserveUnknownFields'] = true;
  }),
  'preserves unknown fields, has defaults': definitionWith(
    objectOf({ spec: objectOf({ a: { type: 'string', default: 'x' } }) }),
    {},
    { preserveUnknownFields: true },
  ),
  'protected group': grouped('foo.k8s.io'),
  'good: protected group, unapproved': grouped('foo.k8s.io', { 'api-approved.kubernetes.io': 'unapproved, test' }),
  'good: protected group, approved': grouped('foo.kubernetes.io', { 'api-approved.kubernetes.io': 'https://a.b/c' }),
  'protected group, no reason': grouped('kubernetes.io', { 'api-approved.kubernetes.io': 'because' }),
  'warning of a version that is not deprecated': definitionWith({ type: 'object' }, { deprecationWarning: 'x' }),
  'empty warning': definitionWith({ type: 'object' }, { deprecated: true, deprecationWarning: '' }),
  'long warning': definitionWith({ type: 'object' }, { deprecated: true, deprecationWarning: 'é'.repeat(129) }),
  'warning with a line break': definitionWith({ type: 'object' }, { deprecated: true, deprecationWarning: 'é\nb' }),
  // conversion
  'unknown strategy': conversion({ strategy: 'Magic' }),
  'no strategy': conversion({}),
  'webhook strategy without a webhook': conversion({ strategy: 'Webhook' }),
  'webhook without a client': webhook(undefined),
  'webhook with neither url nor service': webhook({}),
  'webhook over http': webhook({ url: 'http://a.b/c' }),
  'webhook with a bad url': webhook({ url: 'https://u:p@/c?q=1#f' }),
  'webhook without a host': webhook({ url: 'https:///c' }),
  'webhook with an empty service': webhook({ service: { name: '', namespace: '' } }),
  'webhook with a bad service': webhook({ service: { name: 'a', namespace: '', port: 0, path: 'a//b_' } }),
  'good: webhook with a bad bundle': webhook({ url: 'https://a.b/c', caBundle: 'YQ==' }),
  'webhook with unknown versions': webhook({ url: 'https://a.b' }, { conversionReviewVersions: ['v9', 'v9', 'V_1'] }),
  'no conversion with a webhook': conversion({
    strategy: 'None',
    webhook: { conversionReviewVersions: ['v1'], clientConfig: { url: 'https://a.b' } },
  }),
  // structure
  'no type at the root': definitionWith({}),
  'string at the root': definitionWith({ type: 'string' }),
  'array at the root': definitionWith({ type: 'array', items: STRING }),
  'nullable root': definitionWith({ type: 'object', nullable: true }),
  'property without a type': inSpec({}),
  'items without a type': inSpec({ type: 'array', items: {} }),
  'array without items': inSpec({ type: 'array' }),
  'items as a list': inSpec({ type: 'array', items: [STRING] }),
  'unknown type': inSpec({ type: 'banana' }),
  'null type': inSpec({ type: 'null' }),
  'additional properties at the root': definitionWith({ type: 'object', additionalProperties: STRING }),
  'properties and additional properties': inSpec({ ...objectOf({ b: STRING }), additionalProperties: STRING }),
  'properties and no additional ones': inSpec({ ...objectOf({ b: STRING }), additionalProperties: false }),
  'good: properties and any additional ones': inSpec({ ...objectOf({ b: STRING }), additionalProperties: true }),
  'labels in metadata': definitionWith(objectOf({ metadata: objectOf({ labels: { type: 'object' } }) })),
  'good: name in metadata': definitionWith(
    objectOf({ metadata: objectOf({ name: { type: 'string', maxLength: 3 } }) }),
  ),
  'required metadata': definitionWith(objectOf({ metadata: { type: 'object', required: ['name'] } })),
  'metadata is a string': definitionWith(objectOf({ metadata: STRING })),
  'kind is an integer': definitionWith(objectOf({ kind: { type: 'integer' }, apiVersion: { type: 'object' } })),
  'type in anyOf': inSpec({ type: 'string', anyOf: [{ type: 'string' }] }),
  'all that is forbidden in a junctor': inSpec({
    type: 'object',
    allOf: [
      {
        title: 't',
        description: 'd',
        default: 1,
        nullable: true,
        additionalProperties: STRING,
        'x-kubernetes-preserve-unknown-fields': true,
        'x-kubernetes-embedded-resource': true,
        'x-kubernetes-int-or-string': true,
        'x-kubernetes-list-type': 'set',
        'x-kubernetes-list-map-keys': ['a'],
        'x-kubernetes-map-type': 'atomic',
        'x-kubernetes-validations': [{ rule: 'true' }],
        properties: { metadata: {} },
      },
    ],
  }),
  'good: junctor about an undeclared property, below the root': inSpec({
    type: 'object',
    anyOf: [{ required: ['x'] }, { properties: { y: { enum: [1] } } }],
  }),
  'junctor about an undeclared property, at the root': definitionWith({
    ...objectOf({ spec: objectOf({ a: STRING }) }),
    anyOf: [
      { properties: { spec: { properties: { b: { minLength: 1 } } }, other: { not: { items: { minimum: 1 } } } } },
    ],
  }),
  'good: int-or-string with its anyOf': inSpec({
    'x-kubernetes-int-or-string': true,
    anyOf: [{ type: 'integer' }, { type: 'string' }],
  }),
  'good: int-or-string in allOf': inSpec({
    'x-kubernetes-int-or-string': true,
    allOf: [{ anyOf: [{ type: 'integer' }, { type: 'string' }] }, { minimum: 1 }],
  }),
  'int-or-string with the types turned': inSpec({
    'x-kubernetes-int-or-string': true,
    anyOf: [{ type: 'string' }, { type: 'integer' }],
  }),
  'int-or-string that is all': inSpec({
    'x-kubernetes-int-or-string': true,
    'x-kubernetes-preserve-unknown-fields': true,
    'x-kubernetes-embedded-resource': true,
  }),
  'status subresource with a root junctor': definitionWith(
    { type: 'object', maxProperties: 3, not: { required: ['x'] } },
    { subresources: { status: {} } },
  ),
  'status subresource with a string at the root': definitionWith({ type: 'string' }, { subresources: { status: {} } }),
  // words
  'unsupported words': inSpec({
    type: 'object',
    $ref: '#/a',
    id: 'i',
    definitions: { a: STRING },
    dependencies: { a: ['b'] },
    patternProperties: { a: STRING },
    uniqueItems: true,
  }),
  'additional items': inSpec({ type: 'array', items: STRING, additionalItems: STRING }),
  $schema: inSpec({ type: 'string', $schema: 'http://json-schema.org/schema' }),
  'pattern with lookahead': inSpec({ type: 'string', pattern: '^(?=a)b' }),
  'patterns that are none': inSpec({ type: 'string', pattern: '[z-a]', anyOf: [{ pattern: '(' }] }),
  'unknown fields are not preserved': inSpec({ type: 'object', 'x-kubernetes-preserve-unknown-fields': false }),
  'embedded string': inSpec({ type: 'string', 'x-kubernetes-embedded-resource': true }),
  'embedded without anything': inSpec({ type: 'object', 'x-kubernetes-embedded-resource': true }),
  'embedded with additional properties': inSpec({
    type: 'object',
    'x-kubernetes-embedded-resource': true,
    additionalProperties: STRING,
  }),
  'embedded without a type': inSpec({
    'x-kubernetes-embedded-resource': true,
    'x-kubernetes-preserve-unknown-fields': true,
  }),
  'good: embedded': inSpec({
    type: 'object',
    'x-kubernetes-embedded-resource': true,
    'x-kubernetes-preserve-unknown-fields': true,
  }),
  'embedded in metadata': inSpec({
    ...objectOf({
      metadata: objectOf({
        a: { type: 'object', 'x-kubernetes-embedded-resource': true, 'x-kubernetes-preserve-unknown-fields': true },
      }),
    }),
    'x-kubernetes-embedded-resource': true,
  }),
  'map type of a string': inSpec({ type: 'string', 'x-kubernetes-map-type': 'atomic' }),
  'unknown map type': inSpec({ type: 'object', 'x-kubernetes-map-type': 'loose' }),
  'list type of a string': inSpec({ type: 'string', 'x-kubernetes-list-type': 'set' }),
  'unknown list type': inSpec({ type: 'array', items: STRING, 'x-kubernetes-list-type': 'bag' }),
  'keys without a list type': inSpec({ type: 'array', items: ITEM, 'x-kubernetes-list-map-keys': ['k'] }),
  'keys of a set': inSpec({
    type: 'array',
    items: STRING,
    'x-kubernetes-list-type': 'set',
    'x-kubernetes-list-map-keys': ['k'],
  }),
  'map list without keys': inSpec({ type: 'array', items: ITEM, 'x-kubernetes-list-type': 'map' }),
  'map list of strings': inSpec({
    type: 'array',
    items: STRING,
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': ['k'],
  }),
  'map list with bad keys': inSpec({
    type: 'array',
    items: {
      ...objectOf({ k: STRING, o: { type: 'object' }, n: { type: 'string', nullable: true } }),
      required: ['k', 'n'],
      nullable: true,
    },
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': ['k', 'k', 'x', 'o', 'n'],
  }),
  'map list with an optional key': inSpec({
    type: 'array',
    items: ITEM,
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': ['k'],
  }),
  'good: map list with a default key': inSpec({
    type: 'array',
    items: objectOf({ k: { type: 'string', default: 'x' } }),
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': ['k'],
  }),
  'set of objects': inSpec({ type: 'array', items: ITEM, 'x-kubernetes-list-type': 'set' }),
  'set of sets': inSpec({
    type: 'array',
    items: { type: 'array', items: STRING, 'x-kubernetes-list-type': 'set' },
    'x-kubernetes-list-type': 'set',
  }),
  'set of nulls': inSpec({ type: 'array', items: { type: 'string', nullable: true }, 'x-kubernetes-list-type': 'set' }),
  // defaults
  'default of another type': inSpec({ type: 'string', default: 1 }),
  'default beyond its bounds': inSpec({ type: 'integer', default: 5, maximum: 4 }),
  'default with an unknown field': inSpec({ ...objectOf({ b: STRING }), default: { b: 'x', c: 1 } }),
  'default without a required field': inSpec({ ...objectOf({ b: STRING }), required: ['b'], default: {} }),
  'default list with a wrong item': inSpec({ type: 'array', items: STRING, default: ['a', 1] }),
  'good: default null': inSpec({ type: 'string', default: null }),
  'good: nested defaults': inSpec({ ...objectOf({ b: { type: 'integer', default: 1 } }), default: {} }),
  'default in metadata': definitionWith(objectOf({ metadata: objectOf({ name: { type: 'string', default: 'x' } }) })),
  'default of kind': definitionWith(objectOf({ kind: { type: 'string', default: 'Widget' } })),
  'default in a junctor': inSpec({ type: 'string', anyOf: [{ default: 'x' }] }),
  // parts of versions
  'bad columns': columns(
    {},
    { name: 'a', type: 'text', format: 'f', jsonPath: 'spec' },
    { name: 'b', type: 'date', jsonPath: '.a' },
  ),
  'good: column with a bad filter': columns({ name: 'a', type: 'string', jsonPath: '.spec[?(@.a==1' }),
  'bad scale paths': scaled({
    specReplicasPath: '.status.a',
    statusReplicasPath: 'status',
    labelSelectorPath: '.metadata.a',
  }),
  'empty scale': scaled({}),
  'bad selectable fields': selectable(
    '.spec.x',
    '.spec.n',
    '.spec.list[0]',
    '.metadata.name',
    'spec',
    '',
    '.spec.a',
    '.spec.a',
    '.spec.',
  ),
  'good: selectable map value': selectable('.spec.map.x'),
  'nine selectable fields': selectable(...Array.from({ length: 9 }, (_, index) => `.spec.f${index}`)),
  'selectable fields without a schema': definitionWith(
    { type: 'object' },
    { schema: undefined, selectableFields: [{ jsonPath: '.a' }] },
  ),
  'faults of the second of two different versions': versions(
    { storage: true, schema: { openAPIV3Schema: objectOf({ a: STRING }) } },
    {
      name: 'v2',
      schema: { openAPIV3Schema: objectOf({ a: {} }) },
      additionalPrinterColumns: [{ name: 'a', type: 'x', jsonPath: '.a' }],
      subresources: { scale: {} },
      selectableFields: [{ jsonPath: '.b' }],
    },
  ),
  'two storage versions with different schemas': versions(
    {
      storage: true,
      subresources: { status: {}, scale: { specReplicasPath: '.spec.a', statusReplicasPath: '.status.a' } },
    },
    {
      name: 'v2',
      storage: true,
      schema: { openAPIV3Schema: objectOf({ a: { type: 'string', minLength: 1, enum: ['a'] } }) },
      selectableFields: [{ jsonPath: '.a' }],
      additionalPrinterColumns: [{ name: 'a', type: 'string', jsonPath: '.a' }],
    },
  ),
  // rules, as texts
  'bad rules': inSpec({
    type: 'string',
    'x-kubernetes-validations': [
      { rule: ' ' },
      { rule: 'true', message: ' ' },
      { rule: 'true', message: 'a\nb' },
      { rule: 'true\n&& true' },
      { rule: 'true', messageExpression: ' ', reason: 'Why', fieldPath: '.x' },
    ],
  }),
  // formats
  'good: unknown formats': inSpec({
    ...objectOf({
      b: { type: 'string', format: 'zzz' },
      c: { type: 'integer', format: 'date' },
      d: { type: 'string', format: 'date-time' },
      e: { type: 'boolean', format: 'int32' },
    }),
  }),
};
