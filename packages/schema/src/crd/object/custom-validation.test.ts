import { fieldErrorText } from '@listwatch/api';
import type { JsonRecord } from '@listwatch/api/values';
import { describe, expect, it, test } from 'vitest';
import type { CustomRules, RuleEvaluation } from '../custom-rules.ts';
import { CustomSchema } from '../custom-schema.ts';
import { celRules } from '../rules/cel-rules.ts';
import { type CustomValidationOptions, validateObject } from './custom-validation.ts';

const TYPE = { apiVersion: 'example.org/v1', kind: 'Gadget', metadata: { name: 'g' } };
const STRING = { type: 'string' };

function objectOf(properties: JsonRecord, more: JsonRecord = {}): JsonRecord {
  return { type: 'object', properties, ...more };
}

function texts(schema: JsonRecord, object: JsonRecord, options?: CustomValidationOptions): readonly string[] {
  return validateObject(new CustomSchema(schema), object, options).errors.map(fieldErrorText);
}

describe('an update tolerates', () => {
  const schema = objectOf({
    spec: objectOf(
      {
        short: { type: 'string', maxLength: 2 },
        other: STRING,
        list: { type: 'array', items: { type: 'string', maxLength: 2 } },
        keyed: {
          type: 'array',
          items: objectOf({ k: STRING, v: { type: 'string', maxLength: 2 } }, { required: ['k'] }),
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['k'],
        },
        set: { type: 'array', items: STRING, 'x-kubernetes-list-type': 'set' },
        map: { type: 'object', additionalProperties: { type: 'string', maxLength: 2 } },
        free: objectOf(
          { a: { type: 'string', maxLength: 2 } },
          { 'x-kubernetes-preserve-unknown-fields': true, maxProperties: 1 },
        ),
      },
      { required: ['needed'] },
    ),
  });
  const errors = (before: JsonRecord, after: JsonRecord): readonly string[] =>
    texts(schema, { ...TYPE, spec: { needed: 1, ...after } }, { old: { ...TYPE, spec: { needed: 1, ...before } } });

  it('a value that has not changed', () => {
    expect(errors({ short: 'long' }, { short: 'long', other: 'x' })).toEqual([]);
    expect(errors({ short: 'long' }, { short: 'longer' })).toEqual([
      'spec.short: Too long: may not be more than 2 bytes',
    ]);
  });

  it('a list as a whole only', () => {
    expect(errors({ list: ['long'] }, { list: ['long'], other: 'x' })).toEqual([]);
    expect(errors({ list: ['long'] }, { list: ['long', 'a'] })).toHaveLength(1);
  });

  it('an item with the same key, wherever it stands', () => {
    const item = { k: 'a', v: 'long' };
    expect(errors({ keyed: [item] }, { keyed: [{ k: 'b' }, item] })).toEqual([]);
    expect(errors({ keyed: [item] }, { keyed: [{ k: 'b', v: 'long' }, item] })).toEqual([
      'spec.keyed[0].v: Too long: may not be more than 2 bytes',
    ]);
  });

  it('a value of a map with the same key', () => {
    expect(errors({ map: { a: 'long' } }, { map: { a: 'long', b: 'c' } })).toEqual([]);
  });

  it('repeated items, if the old object has any', () => {
    expect(errors({ set: ['a', 'a'] }, { set: ['a', 'a', 'b', 'b'] })).toEqual([]);
    expect(errors({ set: ['a'] }, { set: ['a', 'a'] })).toEqual(['spec.set[1]: Duplicate value: "a"']);
  });

  it('a missing field while what should have it has not changed', () => {
    const old = { ...TYPE, spec: { other: 'x' } };
    expect(texts(schema, { ...old, metadata: { name: 'g', labels: { a: 'b' } } }, { old })).toEqual([]);
    expect(texts(schema, { ...old, spec: { other: 'y' } }, { old })).toEqual(['spec.needed: Required value']);
  });

  it('nothing below a junctor, unless all that it validates is unchanged', () => {
    const junctor = objectOf({
      spec: objectOf({ a: STRING, b: STRING }, { anyOf: [{ properties: { a: { minLength: 9 } } }] }),
    });
    const old = { ...TYPE, spec: { a: 'x', b: 'y' } };
    expect(texts(junctor, { ...old, metadata: { name: 'g', labels: { a: 'b' } } }, { old })).toEqual([]);
    expect(texts(junctor, { ...old, spec: { a: 'x', b: 'z' } }, { old })).toHaveLength(2);
  });

  it('nothing of an object with fields that the schema does not know', () => {
    const free = { a: 'x', b: 1 };
    expect(errors({ free }, { free: { ...free }, other: 'x' })).toEqual([
      'spec.free: Too many: 2: must have at most 1 item',
    ]);
  });
});

describe('a write of /status', () => {
  const schema = objectOf({
    spec: objectOf({ a: { type: 'integer' } }),
    status: objectOf({ n: { type: 'integer' } }, { required: ['r'] }),
  });

  it('validates the status alone, with paths that begin at it', () => {
    const object = { ...TYPE, spec: { a: 'wrong' }, status: { n: 'x' } };
    expect(texts(schema, object, { isStatus: true })).toEqual([
      'status.n: Invalid value: "string": n in body must be of type integer: "string"',
      'status.r: Required value',
    ]);
  });

  it('accepts an object without a status', () => {
    expect(texts(schema, TYPE, { isStatus: true })).toEqual([]);
  });
});

describe('scale', () => {
  const scale = {
    specReplicasPath: '.spec.replicas',
    statusReplicasPath: '.status.replicas',
    labelSelectorPath: '.status.sel',
  };
  const open = objectOf({}, { 'x-kubernetes-preserve-unknown-fields': true });

  it.each([
    [{ spec: { replicas: -3 } }, ['.spec.replicas: Invalid value: -3: should be a non-negative integer']],
    [
      { status: { replicas: 2147483648 } },
      ['.status.replicas: Invalid value: 2147483648: should be less than or equal to 2147483647'],
    ],
    [
      { spec: { replicas: 'x' }, status: 1 },
      [
        '.spec.replicas: Invalid value: 0: .spec.replicas accessor error: x is of the type string, expected int64',
        '.status.replicas: Invalid value: 0: .status.replicas accessor error: 1 is of the type int64, expected map[string]interface{}',
        '.status.sel: Invalid value: "": .status.sel accessor error: 1 is of the type int64, expected map[string]interface{}',
      ],
    ],
    [{ spec: { replicas: 1 } }, []],
  ])('%j', (parts, expected) => {
    expect(texts(open, { ...TYPE, ...parts }, { scale })).toEqual(expected);
  });
});

describe('rules', () => {
  const plain = objectOf({ spec: objectOf({ a: { type: 'string', minLength: 2 }, n: { type: 'integer' } }) });
  const schema = { ...plain, 'x-kubernetes-validations': [{ rule: 'self.spec.n > 1' }] };
  const asked: RuleEvaluation[] = [];
  const rules: CustomRules = {
    check() {
      return [];
    },
    evaluate(request) {
      asked.push(request);
      return {
        errors: [{ type: 'FieldValueInvalid', field: 'spec', detail: 'failed rule: self.a' }],
        warnings: ['spec.n: Invalid value: 5'],
      };
    },
  };

  it('are evaluated with the object and its old state, after errors that allow it', () => {
    const object = { ...TYPE, spec: { a: 'x' } };
    const found = validateObject(new CustomSchema(schema), object, { old: TYPE, rules });
    expect(found.errors.map(fieldErrorText)).toEqual([
      'spec.a: Invalid value: "x": spec.a in body should be at least 2 chars long',
      'spec: Invalid value: failed rule: self.a',
    ]);
    expect(found.warnings).toEqual(['spec.n: Invalid value: 5']);
    expect(asked).toEqual([{ schema, isRoot: true, value: object, old: TYPE, field: '' }]);
  });

  it('are not evaluated after an error about a type', () => {
    expect(texts(schema, { ...TYPE, spec: { n: 'x' } }, { rules })).toEqual([
      'spec.n: Invalid value: "string": spec.n in body must be of type integer: "string"',
      '<nil>: Invalid value: null: some validation rules were not checked because the object was invalid; correct the existing errors to complete validation',
    ]);
  });

  it('that a schema does not have are not missed after an error about a type', () => {
    expect(texts(plain, { ...TYPE, spec: { n: 'x' } }, { rules })).toEqual([
      'spec.n: Invalid value: "string": spec.n in body must be of type integer: "string"',
    ]);
  });
});

it('nothing is said of rules where there are none', () => {
  const schema = objectOf({ n: { type: 'integer' } });
  expect(texts(schema, { ...TYPE, n: 'x' }, { rules: celRules })).toHaveLength(1);
});

describe('hostile objects and schemas', () => {
  it('stop at a hundred errors and one', () => {
    const schema = objectOf({ spec: objectOf({ list: { type: 'array', items: STRING } }) });
    expect(
      texts(schema, { ...TYPE, spec: { list: Array.from({ length: 50_000 }, (_, index) => index) } }),
    ).toHaveLength(101);
  });

  it('list a hundred repeated items and one', () => {
    const schema = objectOf({
      spec: objectOf({ set: { type: 'array', items: STRING, 'x-kubernetes-list-type': 'set' } }),
    });
    const set = Array.from({ length: 100_000 }, (_, index) => `${index % 50_000}`);
    expect(texts(schema, { ...TYPE, spec: { set } })).toHaveLength(101);
  });

  it('cannot make a pattern read a text for long: too long a text is refused', () => {
    const schema = objectOf({ spec: objectOf({ a: { type: 'string', pattern: '([ab]{0,30}){0,30}[cd]' } }) });
    expect(texts(schema, { ...TYPE, spec: { a: 'ab'.repeat(50_000) } })[0]).toContain(
      "spec.a in body is too long to be matched with '([ab]{0,30}){0,30}[cd]'",
    );
  });

  it('cannot make patterns read many texts for long: from some text on they are refused', () => {
    const pattern = '^(a?){200}$';
    const schema = new CustomSchema(() =>
      objectOf({ spec: objectOf({ list: { type: 'array', items: { type: 'string', pattern } } }) }),
    );
    // 804 instructions and 151 places: 121 000 for each of the texts, of 20 million.
    const list = Array.from({ length: 200 }, () => 'a'.repeat(150));
    const object = { ...TYPE, spec: { list } };
    const { errors } = validateObject(schema, object);
    expect(errors[0]?.field).toBe('spec.list[164]');
    expect(errors).toHaveLength(36);
    expect(errors[0]?.detail).toContain(
      `is not matched with '${pattern}': the object has too many texts with patterns`,
    );
  });

  it('are matched however long their texts are where a deadline ends what takes too long', () => {
    const pattern = '^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$';
    const schema = new CustomSchema(() => objectOf({ spec: objectOf({ a: { type: 'string', pattern } }) }));
    const long = { ...TYPE, spec: { a: `${'ab.'.repeat(100_000)}c` } };
    expect(validateObject(schema, long, { hasDeadline: true }).errors).toEqual([]);
    const wrong = { ...TYPE, spec: { a: `${long.spec.a}.` } };
    expect(validateObject(schema, wrong, { hasDeadline: true }).errors[0]?.detail).toContain('should match');
    expect(validateObject(schema, long).errors[0]?.detail).toContain('is too long to be matched');
  });

  it('find a value in an enum of a hundred thousand, and list the first ones', () => {
    const values = Array.from({ length: 100_000 }, (_, index) => `value-${index}`);
    const schema = objectOf({ spec: objectOf({ list: { type: 'array', items: { type: 'string', enum: values } } }) });
    expect(texts(schema, { ...TYPE, spec: { list: values } })).toEqual([]);
    const [error = ''] = texts(schema, { ...TYPE, spec: { list: ['nope'] } });
    expect(error).toContain('supported values: "value-0", "value-1"');
    expect(error.length).toBeLessThan(10_000);
  });

  it('may be nested a thousand levels deep, with junctors', () => {
    let schema: JsonRecord = { type: 'string', maxLength: 1 };
    let value: unknown = 'xx';
    for (let depth = 0; depth < 450; depth += 1) {
      schema = objectOf({ a: schema }, { anyOf: [{ required: ['a'] }] });
      value = { a: value };
    }
    expect(texts(objectOf({ spec: schema }), { ...TYPE, spec: value })[0]).toMatch(/^spec(\.a)+: Too long/);
  });
});

test('an error names a field of the schema in the way the author wrote it', () => {
  const schema = objectOf({ spec: { type: 'object', additionalProperties: objectOf({ n: { type: 'integer' } }) } });
  expect(texts(schema, { ...TYPE, spec: { 'a.b/c': { n: 'x' } } })).toEqual([
    'spec.a.b/c.n: Invalid value: "string": spec.a.b/c.n in body must be of type integer: "string"',
  ]);
});
