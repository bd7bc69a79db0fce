import { readFileSync } from 'node:fs';
import { type FieldError, fieldErrorText } from '@listwatch/api';
import { describe, expect, test } from 'vitest';
import { celRules, definitionProblems } from '../src/index.ts';

interface RuleCase {
  readonly name: string;
  readonly schema: Readonly<Record<string, unknown>>;
  readonly objects: readonly { readonly value: unknown; readonly old?: unknown }[];
}

interface RuleAnswer {
  readonly name: string;
  readonly refused: readonly string[];
  readonly objects: readonly { readonly errors: readonly string[]; readonly warnings: readonly string[] }[];
}

const cases: RuleCase[] = JSON.parse(readFileSync(new URL('./rules/cases.json', import.meta.url), 'utf8'));
const answers = new Map(
  readFileSync(new URL('./rules/answers.jsonl', import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line): RuleAnswer => JSON.parse(line))
    .map((one) => [one.name, one]),
);

/** Go walks over maps in a random order: the judge sorts what it finds. */
function texts(errors: readonly FieldError[]): string[] {
  return errors.map(fieldErrorText).toSorted();
}

/** Would a definition with this schema be refused for its rules? */
function refusals(schema: RuleCase['schema']): string[] {
  const definition = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'widgets.example.com' },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { plural: 'widgets', singular: 'widget', kind: 'Widget', listKind: 'WidgetList' },
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema } }],
    },
    status: { storedVersions: ['v1'] },
  };
  return texts(definitionProblems(definition, { rules: celRules }))
    .map((text) =>
      text.replaceAll('spec.validation.', 'spec.versions[0].schema.').replaceAll(/selfType\d+/g, 'selfType'),
    )
    .filter((text) => text.includes('x-kubernetes-validations') || text.includes('rule'));
}

describe('rules do what the validator of Kubernetes does', () => {
  test.each(cases)('$name', ({ name, schema, objects }) => {
    const answer = answers.get(name);
    expect(refusals(schema)).toEqual(answer?.refused);
    const found = objects.map(({ value, old }) => {
      const { errors, warnings } = celRules.evaluate({ schema, isRoot: true, value, old, field: '' });
      return { errors: texts(errors), warnings: warnings.toSorted() };
    });
    expect(found).toEqual(answer?.objects);
  });
});

test('a rule of nearly 100 000 characters is validated with its definition, and evaluated', () => {
  const schema = {
    type: 'object',
    properties: { a: { type: 'string', maxLength: 5 } },
    'x-kubernetes-validations': [{ rule: `${'self.a.size() > 0 && '.repeat(4500)}true` }],
  };
  expect(celRules.check({ schema, field: 'f', faulty: new Set() })).toEqual([]);
  const request = { schema, isRoot: false, value: { a: 'x' }, old: undefined, field: '' };
  expect(celRules.evaluate(request).errors).toEqual([]);
});

function textsOf(count: number): readonly string[] {
  return Array.from({ length: count }, () => 'a'.repeat(100));
}

test('patterns of rules have one budget for an object, beside the cost of CEL', () => {
  const rule = { rule: "self.matches('^(a?){100}$')" };
  const items = { type: 'string', maxLength: 500, 'x-kubernetes-validations': [rule] };
  const list = { type: 'array', maxItems: 200, items };
  const schema = { type: 'object', properties: { spec: { type: 'object', properties: { list } } } };
  expect(refusals(schema)).toEqual([]);
  // 404 instructions, counted four times, and 101 places: 163 000 steps for each of the texts, of 20 million.
  const found = (count: number): readonly FieldError[] =>
    celRules.evaluate({ schema, isRoot: true, value: { spec: { list: textsOf(count) } }, old: undefined, field: '' })
      .errors;
  expect(found(120)).toEqual([]);
  const [error, ...others] = found(125);
  expect(others).toEqual([]);
  expect(error?.detail).toBe(
    'validation failed due to running out of cost budget, no further validation rules will be run',
  );
});

test('a pattern of a rule that takes seconds to compile is refused with the definition', () => {
  const rule = { rule: `self.matches('${'x{999}'.repeat(100)}')` };
  const schema = { type: 'object', properties: { a: { type: 'string', 'x-kubernetes-validations': [rule] } } };
  expect(refusals(schema)[0]).toContain('invalid matches argument');
});

function ruled(rules: number): RuleCase['schema'] {
  return {
    type: 'object',
    properties: { a: { type: 'string', maxLength: 10 } },
    'x-kubernetes-validations': Array.from({ length: rules }, (_, index) => ({ rule: `self.a != 'no-${index}'` })),
  };
}

describe('many rules', () => {
  test('of one schema are compiled and estimated', () => {
    expect(celRules.check({ schema: ruled(2000), field: 'spec', faulty: new Set() })).toEqual([]);
  });

  test('are compiled when the first object needs them', () => {
    const request = { schema: ruled(2000), isRoot: true, value: { a: 'no-7' }, old: undefined, field: '' };
    const { errors } = celRules.evaluate(request);
    expect(errors.map(({ detail }) => detail)).toEqual(["failed rule: self.a != 'no-7'"]);
  });

  test('at every level of a deep schema do not read all that is below them', () => {
    let looks = 0;
    const bottom = {
      type: 'object',
      get properties(): object {
        looks += 1;
        return { a: { type: 'string' } };
      },
    };
    let schema: RuleCase['schema'] = bottom;
    for (let level = 0; level < 60; level += 1) {
      const rules = [{ rule: 'has(self.below)' }];
      schema = { type: 'object', properties: { below: schema }, 'x-kubernetes-validations': rules };
    }
    const errors = celRules.check({ schema, field: 'spec', faulty: new Set() });
    expect(errors).toEqual([]);
    expect(looks).toBeLessThan(5);
  });
});
