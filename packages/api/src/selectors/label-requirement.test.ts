import { describe, expect, test } from 'vitest';
import { type LabelOperator, labelRequirement } from './label-requirement.ts';

const VALUE_RULE =
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";

describe('what an operator accepts', () => {
  test.each<[LabelOperator, string[], (string | undefined)[], (string | undefined)[]]>([
    ['=', ['a'], ['a'], ['b', '', undefined]],
    ['==', ['a'], ['a'], ['b', '', undefined]],
    ['=', [''], [''], ['a', undefined]],
    ['!=', ['a'], ['b', '', undefined], ['a']],
    ['in', ['a', 'b'], ['a', 'b'], ['c', '', undefined]],
    ['in', ['a'], ['a'], ['b', undefined]],
    ['notin', ['a', 'b'], ['c', '', undefined], ['a', 'b']],
    ['exists', [], ['a', ''], [undefined]],
    ['!', [], [undefined], ['a', '']],
    ['gt', ['9'], ['10', '11', '+10', '0010'], ['9', '-10', 'x', '', '1.5', undefined]],
    ['lt', ['10'], ['9', '-1', '0'], ['10', '11', 'x', '', undefined]],
    ['gt', ['9007199254740992'], ['9007199254740993'], ['9007199254740992', '9223372036854775808']],
    ['lt', ['9007199254740993'], ['9007199254740992', '5'], ['9007199254740993', '9007199254740994']],
  ])('%s %j', (operator, values, accepted, refused) => {
    const requirement = labelRequirement('key', operator, values);
    for (const value of accepted) expect(requirement.accepts(value), `${value}`).toBe(true);
    for (const value of refused) expect(requirement.accepts(value), `${value}`).toBe(false);
  });
});

test('many values are found among each other, and a requirement holds no more than its parts', () => {
  const values = Array.from({ length: 1000 }, (_, index) => `v${index * 2}`);
  const requirement = labelRequirement('key', 'in', values);
  expect(values.every((value) => requirement.accepts(value))).toBe(true);
  expect(Array.from({ length: 1000 }, (_, index) => requirement.accepts(`v${index * 2 + 1}`))).not.toContain(true);
  expect(Object.keys(requirement)).toEqual(['key', 'operator', 'values']);
});

test('values are sorted and each is kept once', () => {
  expect(labelRequirement('key', 'in', ['b', 'a', 'b']).values).toEqual(['a', 'b']);
});

describe('a requirement that breaks a rule is refused with the text of Kubernetes', () => {
  test.each<[string, LabelOperator, string[], string]>([
    ['k', 'in', [], "values: Invalid value: []: for 'in', 'notin' operators, values set can't be empty"],
    ['k', 'notin', [], "values: Invalid value: []: for 'in', 'notin' operators, values set can't be empty"],
    ['k', '=', ['a', 'b'], 'values: Invalid value: ["a","b"]: exact-match compatibility requires one single value'],
    ['k', '!=', [], 'values: Invalid value: []: exact-match compatibility requires one single value'],
    ['k', 'exists', ['a'], 'values: Invalid value: ["a"]: values set must be empty for exists and does not exist'],
    ['k', '!', ['a'], 'values: Invalid value: ["a"]: values set must be empty for exists and does not exist'],
    [
      'k',
      'gt',
      ['1', '2'],
      `values: Invalid value: ["1","2"]: for 'Gt', 'Lt' operators, exactly one value is required`,
    ],
    ['k', 'lt', ['x'], `values[0]: Invalid value: "x": for 'Gt', 'Lt' operators, the value must be an integer`],
    ['k', 'lt', ['-1'], `values[0][k]: Invalid value: "-1": ${VALUE_RULE}`],
    [
      'k',
      'gt',
      ['-'],
      `[values[0]: Invalid value: "-": for 'Gt', 'Lt' operators, the value must be an integer, values[0][k]: Invalid value: "-": ${VALUE_RULE}]`,
    ],
    ['k', 'in', ['ok', 'c d'], `values[1][k]: Invalid value: "c d": ${VALUE_RULE}`],
    ['/k', 'exists', [], 'key: Invalid value: "/k": prefix part must be non-empty'],
  ])('%s %s %j', (key, operator, values, message) => {
    expect(() => labelRequirement(key, operator, values)).toThrow(
      expect.objectContaining({ code: 'LABEL_REQUIREMENT', message }),
    );
  });
});

test('an unknown operator is refused with the list of the known ones', () => {
  // @ts-expect-error the operator comes from JSON that nobody checked
  expect(() => labelRequirement('k', '~')).toThrow(
    'operator: Unsupported value: "~": supported values: "in", "notin", "=", "==", "!=", "gt", "lt", "exists", "!"',
  );
});
