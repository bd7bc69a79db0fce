import { describe, expect, it, test } from 'vitest';
import { customColumns, selectableFields } from './custom-columns.ts';

const OBJECT = {
  metadata: { name: 'a', creationTimestamp: '2020-01-01T00:00:00Z' },
  spec: {
    color: 'red',
    n: 3,
    half: 2.5,
    on: true,
    list: ['p', 'q'],
    map: { b: 1, a: 2 },
    none: null,
    when: 'x',
    big: 9007199254740993n,
  },
};

function cell(type: string, jsonPath: string): unknown {
  const [column] = customColumns([{ name: 'x', type, jsonPath }]);
  return column?.cell(OBJECT, (time) => `age of ${time}`);
}

describe('a cell', () => {
  it.each([
    ['string', '.spec.color', 'red'],
    ['string', '.spec.n', '3'],
    ['string', '.spec.half', '2.5'],
    ['string', '.spec.on', 'true'],
    ['string', '.spec.list', '["p","q"]'],
    ['string', '.spec.list[*]', 'p'],
    ['string', '.spec.map', '{"a":2,"b":1}'],
    ['string', '.spec.big', '9007199254740993'],
    ['string', '.spec.missing', null],
    ['string', '.spec.list[5]', null],
    ['string', '.spec.none', '<no value>'],
    ['integer', '.spec.n', 3],
    ['integer', '.spec.half', 2],
    ['integer', '.spec.big', 9007199254740993n],
    ['integer', '.spec.color', null],
    ['integer', '.spec.none', null],
    ['number', '.spec.half', 2.5],
    ['number', '.spec.on', null],
    ['boolean', '.spec.on', true],
    ['boolean', '.spec.n', null],
    ['date', '.metadata.creationTimestamp', 'age of 2020-01-01T00:00:00Z'],
    ['date', '.spec.n', null],
  ])('of type %s at %s', (type, jsonPath, expected) => {
    expect(cell(type, jsonPath)).toEqual(expected);
  });
});

test('a column describes itself, unless its author does', () => {
  const columns = customColumns([
    { name: 'A', type: 'string', jsonPath: '.spec.color', priority: 1 },
    { name: 'B', type: 'string', jsonPath: '.spec.n', description: 'said', format: 'int32' },
  ]);
  expect(columns.map(({ name, format, description, priority }) => [name, format, description, priority])).toEqual([
    ['A', '', 'Custom resource definition column (in JSONPath format): .spec.color', 1],
    ['B', 'int32', 'said', 0],
  ]);
});

test('columns end before the first path that cannot be read; without columns there is the age', () => {
  const broken = [
    { name: 'A', type: 'string', jsonPath: '.a' },
    { name: 'B', type: 'string', jsonPath: '.b[?(' },
    { name: 'C', type: 'string', jsonPath: '.c' },
  ];
  expect(customColumns(broken).map(({ name }) => name)).toEqual(['A']);
  expect(customColumns(broken.slice(1))).toEqual([]);
  expect(customColumns([]).map(({ name, type }) => [name, type])).toEqual([['Age', 'date']]);
});

test('selectable fields are texts; an absent one is empty', () => {
  const fields = selectableFields([
    { jsonPath: '.spec.color' },
    { jsonPath: '.spec.n' },
    { jsonPath: '.spec.on' },
    { jsonPath: '.spec.x' },
  ]);
  expect(fields.map(({ name, valueOf }) => [name, valueOf(OBJECT)])).toEqual([
    ['spec.color', 'red'],
    ['spec.n', '3'],
    ['spec.on', 'true'],
    ['spec.x', ''],
  ]);
});
