/** The CustomResourceDefinitions that the fuzzer creates, with an object for each kind, and rules that try to stall a server. */

import type { FuzzKind, Json } from './fuzz-kinds.ts';

const GROUP = 'fuzz.example.com';

/** Where definitions are served. */
export const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

type JsonMap = { readonly [key: string]: Json };

/** A definition, with its name. */
export type FuzzDefinition = JsonMap & { readonly metadata: { readonly name: string } };

const text: JsonMap = { type: 'string', maxLength: 40 };
const number: JsonMap = { type: 'integer', format: 'int32' };

/** Every `x-kubernetes-*` feature, formats, defaults, and rules of each sort. */
const widgetSpec: JsonMap = {
  type: 'object',
  required: ['color'],
  properties: {
    color: { ...text, enum: ['red', 'green', 'blue'], default: 'red' },
    size: { ...number, minimum: 0, maximum: 100, default: 3, multipleOf: 1 },
    name: { ...text, pattern: '^[a-z]([-a-z0-9]*[a-z0-9])?$', minLength: 1 },
    port: { 'x-kubernetes-int-or-string': true, default: 80 },
    any: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
    template: { type: 'object', 'x-kubernetes-embedded-resource': true, 'x-kubernetes-preserve-unknown-fields': true },
    set: { type: 'array', items: text, 'x-kubernetes-list-type': 'set', maxItems: 20 },
    atoms: { type: 'array', items: number, 'x-kubernetes-list-type': 'atomic' },
    steps: {
      type: 'array',
      maxItems: 20,
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['name', 'port'],
      items: {
        type: 'object',
        required: ['name'],
        properties: { name: text, port: { ...number, default: 1 }, run: text },
        'x-kubernetes-validations': [{ rule: '!has(self.run) || self.run != self.name', fieldPath: '.run' }],
      },
    },
    labels: { type: 'object', additionalProperties: text, maxProperties: 20, 'x-kubernetes-map-type': 'granular' },
    whole: { type: 'object', additionalProperties: text, maxProperties: 20, 'x-kubernetes-map-type': 'atomic' },
    when: { type: 'string', format: 'date-time', nullable: true },
    address: { type: 'string', format: 'ipv4' },
    replicas: { ...number, minimum: 0 },
    frozen: {
      ...text,
      'x-kubernetes-validations': [{ rule: 'self == oldSelf', message: 'is frozen', reason: 'FieldValueForbidden' }],
    },
    first: {
      ...text,
      'x-kubernetes-validations': [
        { rule: 'oldSelf.hasValue() || self.size() < 9', optionalOldSelf: true, message: 'too long at first' },
      ],
    },
    oneOf: { ...text, anyOf: [{ maxLength: 3 }, { pattern: '^x' }], not: { enum: ['no'] } },
  },
};

const specRules: Json = [
  { rule: "self.color != 'blue' || self.size > 1", messageExpression: "self.color + ' is too small'" },
  { rule: '!has(self.steps) || self.steps.all(s, s.port > 0)', reason: 'FieldValueInvalid' },
  { rule: "!has(self.labels) || self.labels.all(k, k.matches('^[a-z]+$'))" },
  { rule: "!has(self.set) || self.set.exists_one(s, s.startsWith('a')) || true" },
];

const widgetStatus: JsonMap = {
  type: 'object',
  properties: { replicas: number, selector: text, phase: { ...text, default: 'New' } },
};

function schemaOf(rules: Json): JsonMap {
  const spec: Json = { ...widgetSpec, 'x-kubernetes-validations': rules };
  return { openAPIV3Schema: { type: 'object', properties: { spec, status: widgetStatus } } };
}

const columns: Json = [
  { name: 'Color', type: 'string', jsonPath: '.spec.color' },
  { name: 'Ports', type: 'string', jsonPath: '.spec.steps[*].port', priority: 1 },
  { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
];
const scale: JsonMap = {
  specReplicasPath: '.spec.replicas',
  statusReplicasPath: '.status.replicas',
  labelSelectorPath: '.status.selector',
};

function definition(plural: string, kind: string, spec: JsonMap): FuzzDefinition {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${GROUP}` },
    spec: { group: GROUP, scope: 'Namespaced', names: { plural, kind }, ...spec },
  };
}

function version(name: string, schema: JsonMap, more: JsonMap = {}): JsonMap {
  return { name, served: true, storage: name === 'v1', schema, ...more };
}

const widgetVersion: JsonMap = {
  subresources: { status: {}, scale },
  additionalPrinterColumns: columns,
  selectableFields: [{ jsonPath: '.spec.color' }, { jsonPath: '.spec.size' }],
};
const loose: JsonMap = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
const hook: JsonMap = {
  strategy: 'Webhook',
  // Nobody listens there: every conversion fails at once.
  webhook: { conversionReviewVersions: ['v1'], clientConfig: { url: 'https://127.0.0.1:1/convert' } },
};

const widgets = (rules: Json): FuzzDefinition =>
  definition('widgets', 'Widget', {
    names: { plural: 'widgets', kind: 'Widget', shortNames: ['wi'], categories: ['all'] },
    versions: [version('v1', schemaOf(rules), widgetVersion), version('v1beta1', schemaOf([]))],
  });
const flaps = (rules: Json): FuzzDefinition =>
  definition('flaps', 'Flap', { versions: [version('v1', schemaOf(rules), { subresources: { status: {} } })] });

/** Widgets have every feature, gadgets no schema, gizmos a conversion that fails, and flaps come and go. */
export const FUZZ_DEFINITIONS: readonly FuzzDefinition[] = [
  widgets(specRules),
  definition('gadgets', 'Gadget', { scope: 'Cluster', versions: [version('v1', loose)] }),
  definition('gizmos', 'Gizmo', { conversion: hook, versions: [version('v1', loose), version('v2', loose)] }),
  flaps(specRules),
];

const widget: JsonMap = {
  spec: {
    color: 'blue',
    size: 2,
    name: 'a-b',
    port: 'http',
    any: { x: [1, { y: null }] },
    template: { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'x' }, spec: {} },
    set: ['a', 'b'],
    atoms: [1, 2, 3],
    steps: [
      { name: 'one', run: 'x' },
      { name: 'two', port: 2 },
    ],
    labels: { a: 'b' },
    whole: { c: 'd' },
    when: null,
    address: '10.0.0.1',
    replicas: 2,
    frozen: 'f',
    first: 'g',
    oneOf: 'xyz',
  },
  status: { replicas: 1, selector: 'a=b', phase: 'Running' },
};

function kindOf(plural: string, kind: string, name: string, namespaced = true): FuzzKind {
  const apiVersion = `${GROUP}/${name}`;
  const metadata: Json = { labels: { app: 'web' }, finalizers: [] };
  return { root: `/apis/${apiVersion}`, plural, namespaced, object: { apiVersion, kind, metadata, ...widget } };
}

/** Their kinds. */
export const CUSTOM_KINDS: readonly FuzzKind[] = [
  kindOf('widgets', 'Widget', 'v1'),
  kindOf('widgets', 'Widget', 'v1beta1'),
  kindOf('gadgets', 'Gadget', 'v1', false),
  kindOf('gizmos', 'Gizmo', 'v1'),
  kindOf('gizmos', 'Gizmo', 'v2'),
  kindOf('flaps', 'Flap', 'v1'),
];

const nested = (open: string, middle: string, close: string, depth: number): string =>
  open.repeat(depth) + middle + close.repeat(depth);

/** Rules that cost much to compile, to check or to run: cost bombs, patterns that backtrack, deep nesting, and nonsense. */
const HOSTILE_RULES: readonly string[] = [
  'self.any.all(a, self.any.all(b, self.any.all(c, self.any.all(d, a == d))))',
  'self.atoms.all(a, self.atoms.all(b, self.atoms.all(c, a + b + c >= 0)))',
  "self.name.matches('^(a+)+$')",
  "self.name.matches('(((((((((a{1,30}){1,30}){1,30}){1,30})))))))')",
  "self.name.matches(self.name + '(a*)*b')",
  nested('(', 'true', ')', 200),
  nested('!', 'true', '', 3000),
  nested('[', '', ']', 400),
  `${'self.size + '.repeat(1500)}1 > 0`,
  `${'self.size > 0 && '.repeat(500)}true`,
  `'${'x'.repeat(9000)}' == self.name`,
  'self.set.map(a, self.set.map(b, self.set.map(c, a + b + c))).size() < 3',
  "[1,2,3].map(a, 'x'.replace('x', 'xxxxxxxxxxxxxxxx')).size() == 3",
  "self.name.split('').map(x, x + self.name).join('') != ''",
  'self.size / 0 == 1',
  '9223372036854775807 + self.size > 0',
  "quantity('1Gi').compareTo(quantity(self.name)) > 0",
  "url(self.name).getHost() == '' || ip(self.address).family() == 4",
  'self.nope == 1',
  'self',
  'oldSelf.size <= self.size',
  '',
  '((',
  "'\\",
  'true ? 1 : "a"',
  "'%s'.format([self]) != ''",
  'dyn(self) == dyn(self)',
];

/** Widgets and flaps with one of these rules. */
export const HOSTILE_DEFINITIONS: readonly FuzzDefinition[] = HOSTILE_RULES.flatMap((rule) => {
  const rules: Json = [{ rule, message: 'm' }];
  return [widgets(rules), flaps(rules)];
});
