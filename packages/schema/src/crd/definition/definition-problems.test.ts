import { fieldErrorText } from '@listwatch/api';
import type { JsonRecord } from '@listwatch/api/values';
import { describe, expect, it, test } from 'vitest';
import type { CustomRules, RuleCheck } from '../custom-rules.ts';
import { DEFINITION_ANSWERS } from './definition-answers.fixture.ts';
import { DEFINITIONS, definitionWith, goodDefinition, objectOf } from './definition-cases.fixture.ts';
import { defaultDefinition, withStorageVersion } from './definition-defaults.ts';
import { type DefinitionCheckOptions, definitionProblems, definitionStatusProblems } from './definition-problems.ts';
import { recordAt } from './definition-view.ts';
import { definitionWarnings } from './definition-warnings.ts';

function texts(definition: JsonRecord, options?: DefinitionCheckOptions): readonly string[] {
  return definitionProblems(defaultDefinition(definition), options).map(fieldErrorText);
}

function fixed(field: string, value: string): string {
  return `${field}: Invalid value: "${value}": field is immutable`;
}

const STRING = { type: 'string' };
const established = { conditions: [{ type: 'Established', status: 'True' }], storedVersions: ['v1'] };

describe('a new definition is validated as by kube-apiserver', () => {
  it.each(Object.entries(DEFINITIONS))('%s', (name, definition) => {
    expect([...new Set(texts(definition))].toSorted()).toEqual(DEFINITION_ANSWERS[name]?.toSorted());
  });
});

describe('an update', () => {
  const old: JsonRecord = { ...defaultDefinition(goodDefinition()), status: established };
  const changed = (spec: JsonRecord): JsonRecord => ({ ...old, spec: { ...recordAt(old, 'spec'), ...spec } });

  it('changes neither the group nor the plural, nor, once established, the scope and the kind', () => {
    const other = changed({ group: 'other.com', scope: 'Cluster', names: { plural: 'gears', kind: 'Gear' } });
    expect(texts(other, { old })).toEqual([
      fixed('spec.scope', 'Cluster'),
      fixed('spec.names.kind', 'Gear'),
      fixed('spec.group', 'other.com'),
      fixed('spec.names.plural', 'gears'),
    ]);
    const young = { ...old, status: { storedVersions: ['v1'] } };
    expect(texts(other, { old: young })).toHaveLength(2);
  });

  it('adds short names', () => {
    expect(texts(changed({ names: { plural: 'widgets', kind: 'Widget', shortNames: ['w'] } }), { old })).toEqual([]);
  });

  it('keeps a version that objects may be stored in', () => {
    const version = { name: 'v2', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } };
    const moved = withStorageVersion(changed({ versions: [version] }));
    expect(recordAt(moved, 'status')?.['storedVersions']).toEqual(['v1', 'v2']);
    expect(texts(moved, { old })).toEqual([
      'status.storedVersions[0]: Invalid value: "v1": missing from spec.versions; v1 was previously a storage version, and must remain in spec.versions until a storage migration ensures no data remains persisted in v1 and removes v1 from status.storedVersions',
    ]);
  });

  it('may keep the faults of the stored definition, but not add others', () => {
    const loose = definitionWith(
      objectOf({ a: { type: 'array', items: objectOf({ k: STRING }), 'x-kubernetes-list-type': 'set' } }),
    );
    expect(texts(loose)).toHaveLength(1);
    expect(texts(loose, { old: loose })).toEqual([]);
    expect(texts(DEFINITIONS['default with an unknown field'] ?? {}, { old: loose })).toHaveLength(1);
  });

  it('refuses a bad CA bundle once it is established, unless the stored one is bad, too', () => {
    const hook = DEFINITIONS['good: webhook with a bad bundle'] ?? {};
    const options = { isCaBundle: (bundle: string) => bundle === 'good' };
    expect(texts(hook, { ...options, old })).toEqual([
      'spec.conversion.webhookClientConfig.caBundle: Invalid value: "YQ==": unable to load root certificates: unable to parse bytes as PEM block',
    ]);
    expect(texts(hook, { ...options, old: { ...hook, status: established } })).toEqual([]);
  });

  it('keeps an approval that was missing before', () => {
    const definition = DEFINITIONS['protected group'] ?? {};
    expect(texts(definition, { old: definition })).toEqual([]);
  });
});

describe('defaults', () => {
  it('name the singular, the list kind, the conversion and the stored version', () => {
    expect(defaultDefinition(goodDefinition())).toMatchObject({
      spec: { names: { singular: 'widget', listKind: 'WidgetList' }, conversion: { strategy: 'None' } },
      status: { storedVersions: ['v1'] },
    });
  });

  it('give the service of a webhook its port', () => {
    const hook = { webhook: { clientConfig: { service: { name: 'a', namespace: 'b' } } } };
    const definition = definitionWith({ type: 'object' }, {}, { conversion: { strategy: 'Webhook', ...hook } });
    expect(defaultDefinition(definition)).toMatchObject({
      spec: { conversion: { webhook: { clientConfig: { service: { port: 443 } } } } },
    });
  });

  it('leave stored versions alone', () => {
    const status = { storedVersions: ['v0'] };
    expect(defaultDefinition({ ...goodDefinition(), status })['status']).toBe(status);
  });
});

test('a write warns of formats that are not known, and that the stored definition does not have', () => {
  const definition = DEFINITIONS['good: unknown formats'] ?? {};
  expect(definitionWarnings(definition)).toEqual([
    'unrecognized format "zzz"',
    'unrecognized format "date"',
    'unrecognized format "int32"',
  ]);
  expect(definitionWarnings(definition, definition)).toEqual([]);
});

test('a write of /status checks the accepted names', () => {
  expect(definitionStatusProblems({ status: { acceptedNames: { kind: 'A B' } } }).map(fieldErrorText)).toEqual([
    expect.stringMatching(/^status\.acceptedNames\.kind: Invalid value: "A B": may have mixed case/),
  ]);
});

describe('rules', () => {
  const asked: RuleCheck[] = [];
  const evaluated: unknown[] = [];
  const rules: CustomRules = {
    check(request) {
      asked.push(request);
      return [{ type: 'FieldValueForbidden', field: request.field, detail: 'costs too much' }];
    },
    evaluate(request) {
      evaluated.push([request.field, request.value, request.old]);
      return { errors: [], warnings: [] };
    },
  };
  const rule = { rule: 'self == oldSelf', messageExpression: '"x"' };
  const definition = definitionWith(
    objectOf({ a: { type: 'string', default: 'd', 'x-kubernetes-validations': [rule] } }),
  );

  it('are checked in a structural schema, with the rules that are stored', () => {
    asked.length = 0;
    expect(texts(definition, { rules, old: definition })).toEqual([
      'spec.validation.openAPIV3Schema: Forbidden: costs too much',
    ]);
    expect(asked[0]).toMatchObject({ field: 'spec.validation.openAPIV3Schema', isUnchanged: true });
    expect([...(asked[0]?.stored ?? [])]).toEqual(['self == oldSelf', '"x"']);
  });

  it('are evaluated for defaults, as a new value and as one that replaces itself', () => {
    evaluated.length = 0;
    texts(definition, { rules });
    const field = 'spec.validation.openAPIV3Schema.properties[a].default';
    expect(evaluated).toEqual([
      [field, 'd', 'd'],
      [field, 'd', undefined],
    ]);
  });

  it('are not checked in a schema with other faults, nor around it', () => {
    asked.length = 0;
    const faulty = { type: 'array', items: { type: 'object' }, 'x-kubernetes-list-type': 'set' };
    const schema = objectOf({ good: STRING, spec: objectOf({ faulty }) });
    texts(definitionWith(schema), { rules });
    expect([...(asked[0]?.faulty ?? [])]).toEqual([faulty, objectOf({ faulty }), schema]);
    asked.length = 0;
    texts(definitionWith(objectOf({ a: {} })), { rules });
    expect(asked).toEqual([]);
  });
});

describe('hostile definitions', () => {
  it('may not be nested deeper than a thousand levels', () => {
    let schema: JsonRecord = STRING;
    for (let depth = 0; depth < 20_000; depth += 1) schema = { type: 'array', items: schema };
    expect(texts(definitionWith(objectOf({ a: schema })))).toEqual([
      'spec.validation.openAPIV3Schema: Invalid value: "": schemas must not be nested deeper than 1000 levels',
    ]);
  });

  it('have no patterns longer than 8 Ki', () => {
    const [error = ''] = texts(definitionWith(objectOf({ a: { type: 'string', pattern: 'a'.repeat(9000) } })));
    expect(error).toContain(
      "must be a valid regular expression, but isn't: error parsing regexp: expression is longer than",
    );
  });

  it.each([
    ['480 ranges in either case', `(?i)[${String.raw`\x{80}-\x{10ffff}`.repeat(480)}]`],
    ['1 360 repeats', 'x{999}'.repeat(1360)],
  ])('have no patterns that take seconds to compile: %s', (_, pattern) => {
    const [error = ''] = texts(definitionWith(objectOf({ a: { type: 'string', pattern } })));
    expect(error).toContain(
      "must be a valid regular expression, but isn't: error parsing regexp: expression too large",
    );
  });

  it('with a fault in each of 20 000 properties end with a thousand errors', () => {
    const faulty = Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`p${index}`, {}]));
    const { length } = texts(definitionWith(objectOf(faulty)));
    expect(length).toBeGreaterThan(100);
    expect(length).toBeLessThan(1100);
  });
});
