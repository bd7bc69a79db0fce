/** The heaviest requests to custom kinds and the heaviest applies that we can think of. */

import type { HeavyRequest } from './heavy-requests.ts';

const CRDS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const THINGS = '/apis/heavy.example.com/v1/namespaces/default/things';
const MAPS = '/api/v1/namespaces/default/configmaps';
const DEPLOYMENTS = '/apis/apps/v1/namespaces/default/deployments';
const APPLY = 'application/apply-patch+yaml';
const JSON_TYPE = 'application/json';

const NAME = 'things.heavy.example.com';

const text = { type: 'string' };

function definition(spec: object, status: object = { type: 'object' }): string {
  const schema = { openAPIV3Schema: { type: 'object', properties: { spec, status } } };
  return JSON.stringify({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: NAME },
    spec: {
      group: 'heavy.example.com',
      scope: 'Namespaced',
      names: { plural: 'things', kind: 'Thing' },
      versions: [{ name: 'v1', served: true, storage: true, schema }],
    },
  });
}

function thing(spec: object): string {
  return JSON.stringify({ apiVersion: 'heavy.example.com/v1', kind: 'Thing', metadata: { name: 'a' }, spec });
}

function record<T>(count: number, value: (index: number) => T): Record<string, T> {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, value(index)]));
}

function items<T>(count: number, value: (index: number) => T): readonly T[] {
  return Array.from({ length: count }, (_, index) => value(index));
}

const ofMap = definition({ type: 'object', additionalProperties: text });
const ofAnything = definition({ type: 'object', 'x-kubernetes-preserve-unknown-fields': true });
const step = { type: 'object', required: ['name'], properties: { name: text, run: { ...text, default: 'x' } } };
const ofSteps = definition({
  type: 'object',
  properties: {
    steps: { type: 'array', items: step, 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['name'] },
  },
});
const ofSet = definition({
  type: 'object',
  properties: { set: { type: 'array', items: text, 'x-kubernetes-list-type': 'set' } },
});
const patterned = definition({
  type: 'object',
  properties: { list: { type: 'array', items: { ...text, pattern: '^(([a-z0-9]+-)*[a-z0-9]+.)+$' } } },
});
const short = { ...text, maxLength: 100 };
const ruled = definition({
  type: 'object',
  properties: record(200, (index) => ({
    type: 'array',
    maxItems: 100,
    items: short,
    'x-kubernetes-validations': [{ rule: `self.all(x, x.size() > 0 && x != 'no-${index}')` }],
  })),
});
const oneRule = (rule: string): string =>
  definition({
    type: 'object',
    properties: { list: { type: 'array', maxItems: 300, items: { ...text, maxLength: 100 } } },
    'x-kubernetes-validations': [{ rule }],
  });

function leaf(n: number): object {
  return { description: `What ${n} is for.`, type: n % 3 === 0 ? 'integer' : 'string' };
}

/** A definition in the shape of the largest real ones: nested objects and lists with descriptions, as generators write them. */
function generatedDefinition(members: number): string {
  const group = (n: number): object => ({
    description: `Group ${n}.`,
    type: 'object',
    properties: {
      ...record(7, (at) => leaf(n + at)),
      list: { type: 'array', items: { type: 'object', required: ['name'], properties: { name: leaf(n) } } },
    },
  });
  const groups = Math.floor((members - 40) / MEMBERS_OF_GROUP);
  const perArea = 20;
  const areas = record(Math.floor(groups / perArea), (area) => ({
    type: 'object',
    properties: record(perArea, (n) => group(area * perArea + n)),
  }));
  return definition({ type: 'object', properties: areas });
}

const MEMBERS_OF_GROUP = 35;

const creates: readonly (readonly [name: string, body: string])[] = [
  ['a definition of 60 000 members', generatedDefinition(60_000)],
  ['a definition of 29 000 properties', definition({ type: 'object', properties: record(29_000, () => text) })],
  ['a definition of 9 000 properties', definition({ type: 'object', properties: record(9000, () => text) })],
  ['a definition of 12 000 properties', definition({ type: 'object', properties: record(12_000, () => text) })],
  [
    'a definition 90 levels deep',
    definition(
      nested(
        90,
        record(40, () => text),
      ),
    ),
  ],
  ['a definition of 200 rules', ruled],
  [
    'a definition of 1 500 rules',
    definition({
      type: 'object',
      properties: record(1500, () => ({ ...short, 'x-kubernetes-validations': [{ rule: 'self.size() > 0' }] })),
    }),
  ],
  [
    'a definition of 4 000 patterns',
    definition({ type: 'object', properties: record(4000, (n) => ({ ...text, pattern: `^a{${(n % 900) + 1}}$` })) }),
  ],
  ['a definition with a long rule', oneRule(`${'self.list.size() > 0 && '.repeat(400)}true`)],
  ['a definition with a rule of 100 KB', oneRule(`${'self.list.size() > 0 && '.repeat(4160)}true`)],
  ['a definition with a rule of 100 KB of terms', oneRule(`1${' + 1'.repeat(25_000)} > 0`)],
  ['a definition with a rule of a list of 100 KB', oneRule(`[${'1,'.repeat(49_900)}1].size() > 0`)],
  ['a definition with a rule of 100 KB of text', oneRule(`'${'x'.repeat(99_990)}' != ''`)],
  [
    'a definition of defaults',
    definition({ type: 'object', properties: record(5000, () => ({ ...text, default: 'x' })) }),
  ],
];

function nested(depth: number, properties: object): object {
  let schema: object = { type: 'object', properties };
  for (let level = 0; level < depth; level += 1)
    schema = { type: 'object', properties: { ...properties, below: schema } };
  return schema;
}

const manyWords = items(1000, (index) => `${'a-'.repeat(400)}${index}`);
const fewWords = items(300, (index) => `${'a-'.repeat(45)}${index}`);
const objects: readonly (readonly [name: string, definition: string, body: string])[] = [
  ['a custom object of 18 000 fields', ofMap, thing(record(18_000, () => 'v'))],
  ['a custom object without a schema', ofAnything, thing(record(18_000, () => 'v'))],
  ['a custom object of 9 000 items with defaults', ofSteps, thing({ steps: items(9000, (n) => ({ name: `s${n}` })) })],
  ['a custom object of 9 000 items of one key', ofSteps, thing({ steps: items(9000, () => ({ name: 's' })) })],
  ['a custom set of 40 000 items', ofSet, thing({ set: items(40_000, String) })],
  ['a custom list of 1 000 long words and a pattern', patterned, thing({ list: manyWords })],
  ['a custom list of 40 000 words and a pattern', patterned, thing({ list: items(40_000, (n) => `a-${n}`) })],
  ['200 rules on 1 MB', ruled, thing(record(200, () => items(90, (n) => `${n}-${'x'.repeat(50)}`)))],
  ['a rule of every pair', oneRule('self.list.all(x, self.list.all(y, x != y || true))'), thing({ list: fewWords })],
  ['a rule with a pattern', oneRule("self.list.all(x, x.matches('^(a|b|-)*$') || true)"), thing({ list: fewWords })],
  ['a rule that splits', oneRule("self.list.map(x, x.split('-').size()).size() > 0"), thing({ list: fewWords })],
];

const applied = (data: object): string =>
  JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, data });
const owned = applied(record(12_000, () => 'v'));
const envOf = (count: number, value: string): string =>
  JSON.stringify({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'a' },
    spec: {
      selector: { matchLabels: { a: 'b' } },
      template: {
        metadata: { labels: { a: 'b' } },
        spec: { containers: [{ name: 'c', image: 'i', env: items(count, (n) => ({ name: `V${n}`, value })) }] },
      },
    },
  });

type Applied = readonly [name: string, path: string, body: string, before?: readonly [string, string]];
const applies: readonly Applied[] = [
  ['an apply that creates 18 000 fields', `${MAPS}/a`, applied(record(18_000, () => 'v'))],
  ['an apply that creates 24 000 fields', `${MAPS}/a`, applied(record(24_000, () => 'v'))],
  ['an apply of one field to 24 000', `${MAPS}/a`, applied({ z: '1' }), [MAPS, applied(record(24_000, () => 'v'))]],
  ['an apply over 12 000 fields of another', `${MAPS}/a`, owned, [MAPS, owned]],
  ['a forced apply of 12 000 other values', `${MAPS}/a?force=true`, applied(record(12_000, () => 'w')), [MAPS, owned]],
  ['an apply with 12 000 conflicts', `${MAPS}/a`, applied(record(12_000, () => 'w')), [MAPS, owned]],
  ['an apply of one field to 12 000', `${MAPS}/a`, applied({ z: '1' }), [MAPS, owned]],
  ['an apply that creates a definition of 60 000 members', `${CRDS}/${NAME}`, generatedDefinition(60_000)],
  [
    'a forced apply of a definition of 60 000 members',
    `${CRDS}/${NAME}?force=true`,
    generatedDefinition(60_000).replaceAll('What', 'Why'),
    [CRDS, generatedDefinition(60_000)],
  ],
  ['an apply of 6 000 variables', `${DEPLOYMENTS}/a`, envOf(6000, 'v')],
  [
    'a forced apply of 6 000 variables',
    `${DEPLOYMENTS}/a?force=true`,
    envOf(6000, 'w'),
    [DEPLOYMENTS, envOf(6000, 'v')],
  ],
];

/** All of them. */
export function heavyCustomRequests(): readonly HeavyRequest[] {
  return [
    ...creates.map(([name, body]) => ({ name, method: 'POST', path: CRDS, type: JSON_TYPE, body })),
    ...objects.map(([name, custom, body]) => ({
      name,
      method: 'POST',
      path: THINGS,
      type: JSON_TYPE,
      body,
      definition: custom,
    })),
    ...objects.slice(0, 5).map(([name, custom, body]) => ({
      name: `apply: ${name}`,
      method: 'PATCH',
      path: `${THINGS}/a?fieldManager=me`,
      type: APPLY,
      body,
      definition: custom,
    })),
    {
      name: 'a merge patch of a definition of 60 000 members',
      method: 'PATCH',
      path: `${CRDS}/${NAME}`,
      type: 'application/merge-patch+json',
      body: generatedDefinition(60_000).replaceAll('What', 'Why'),
      before: [CRDS, generatedDefinition(60_000)],
    },
    ...applies.map(([name, path, body, before]) => ({
      name,
      method: 'PATCH',
      path: `${path}${path.includes('?') ? '&' : '?'}fieldManager=me`,
      type: APPLY,
      body,
      before,
    })),
  ];
}
