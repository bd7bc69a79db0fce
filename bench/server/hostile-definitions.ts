/** Definitions that are small and ask for a lot of work. */

import type { HeavyRequest } from './heavy-requests.ts';

const CRDS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const THINGS = '/apis/heavy.example.com/v1/namespaces/default/things';
const JSON_TYPE = 'application/json';
const TABLE = 'application/json;as=Table;v=v1;g=meta.k8s.io';

const open = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };

function definition(spec: object, version: object = {}): string {
  const schema = { openAPIV3Schema: { type: 'object', properties: { spec } } };
  return JSON.stringify({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'things.heavy.example.com' },
    spec: {
      group: 'heavy.example.com',
      scope: 'Namespaced',
      names: { plural: 'things', kind: 'Thing' },
      versions: [{ name: 'v1', served: true, storage: true, schema, ...version }],
    },
  });
}

function thing(spec: object): string {
  return JSON.stringify({ apiVersion: 'heavy.example.com/v1', kind: 'Thing', metadata: { name: 'a' }, spec });
}

function list<T>(count: number, value: (index: number) => T): readonly T[] {
  return Array.from({ length: count }, (_, index) => value(index));
}

function nested(levels: number): object {
  let value: object = {};
  for (let level = 0; level < levels; level += 1) value = { a: value };
  return value;
}

const columns = (count: number): string =>
  definition(open, {
    additionalPrinterColumns: list(count, (n) => ({ name: `c${n}`, type: 'string', jsonPath: '.spec..a..a' })),
  });

const text = (more: object): object => ({ type: 'string', ...more });
const properties = (count: number, part: (index: number) => object): string =>
  definition({ type: 'object', properties: Object.fromEntries(list(count, (n) => [`k${n}`, part(n)])) });
const patterned = (pattern: string): string =>
  definition({ type: 'object', properties: { list: { type: 'array', items: text({ pattern }) } } });

const creates: readonly (readonly [name: string, body: string])[] = [
  ['a definition with a pattern of 480 classes', patterned(`(?i)[${'\\x{80}-\\x{10ffff}'.repeat(480)}]`)],
  ['a definition with a pattern of 1 360 repeats', patterned('x{999}'.repeat(1360))],
  [
    'a definition of 2 000 rules',
    properties(2000, (n) =>
      text({ maxLength: 100, 'x-kubernetes-validations': [{ rule: `self != 'no-${n}' && self.size() > ${n % 7}` }] }),
    ),
  ],
  [
    'a definition of 2 000 rules on one object',
    definition({
      type: 'object',
      properties: { a: text({ maxLength: 100 }) },
      'x-kubernetes-validations': list(2000, (n) => ({ rule: `self.a != 'no-${n}'` })),
    }),
  ],
];

/** Letters of which each begins a state of the automaton that is new. */
const mixed = (length: number): string => {
  let seed = 1;
  return list(length, () => {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
    return seed % 3 === 0 ? 'a' : 'b';
  }).join('');
};

const objects: readonly (readonly [name: string, definition: string, body: string])[] = [
  [
    'a custom list of 200 texts and a pattern of 200 choices',
    patterned('^(a?){200}$'),
    thing({ list: list(200, () => 'a'.repeat(500)) }),
  ],
  [
    'a custom list of long texts and a pattern that remembers',
    patterned('(a|b)*a(a|b){12}$'),
    thing({ list: list(60, () => mixed(11_000)) }),
  ],
  [
    'a custom list of 200 texts and a pattern of 900 choices',
    patterned('^(a?){900}$'),
    thing({ list: list(200, () => 'a'.repeat(500)) }),
  ],
  ['the first object of a definition of 2 000 rules', creates[3]?.[1] ?? '', thing({ a: 'x' })],
];

const wide = definition({
  type: 'object',
  properties: Object.fromEntries(list(29_000, (n) => [`k${n}`, text({})])),
});
const PROTOBUF = 'application/com.github.proto-openapi.spec.v3.v1.0+protobuf';
const documents: readonly (readonly [name: string, path: string, accept?: string])[] = [
  ['OpenAPI v3', '/openapi/v3/apis/heavy.example.com/v1'],
  ['OpenAPI v3 in protobuf', '/openapi/v3/apis/heavy.example.com/v1', PROTOBUF],
  ['OpenAPI v2', '/openapi/v2'],
  ['discovery', '/apis/heavy.example.com/v1'],
];

/** All of them. */
export function hostileDefinitions(): readonly HeavyRequest[] {
  return [
    ...[10, 200].map((count) => ({
      name: `a table of ${count} columns that descend 300 levels`,
      method: 'GET',
      path: `${THINGS}/a?includeObject=None`,
      type: JSON_TYPE,
      accept: TABLE,
      body: '',
      definition: columns(count),
      before: [THINGS, thing(nested(300))] as const,
    })),
    ...documents.map(([name, path, accept]) => ({
      name: `${name} of a definition of 29 000 properties`,
      method: 'GET',
      path,
      type: JSON_TYPE,
      accept,
      body: '',
      definition: wide,
      collection: THINGS,
    })),
    {
      name: 'the first object of a definition of 29 000 properties',
      method: 'POST',
      path: THINGS,
      type: JSON_TYPE,
      body: thing({ k1: 'x' }),
      definition: wide,
    },
    ...creates.map(([name, body]) => ({ name, method: 'POST', path: CRDS, type: JSON_TYPE, body })),
    ...objects.map(([name, custom, body]) => ({
      name,
      method: 'POST',
      path: THINGS,
      type: JSON_TYPE,
      body,
      definition: custom,
    })),
  ];
}
