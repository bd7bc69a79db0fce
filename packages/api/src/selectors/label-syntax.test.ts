import { describe, expect, test } from 'vitest';
import {
  ANNOTATIONS_MAX,
  annotationsSize,
  checkLabelValue,
  checkQualifiedName,
  validateAnnotations,
  validateLabels,
} from './label-syntax.ts';

const CHARACTERS =
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";
const PREFIX =
  "prefix part a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
const VALUE =
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";

describe('qualified names', () => {
  test.each(['a', 'A_b.c-9', 'example.com/x', `${'x'.repeat(253)}/${'y'.repeat(63)}`])('%s is legal', (name) => {
    expect(checkQualifiedName(name)).toEqual([]);
  });

  test.each([
    ['', ['name part must be non-empty', `name part ${CHARACTERS}`]],
    ['a b', [`name part ${CHARACTERS}`]],
    ['-a', [`name part ${CHARACTERS}`]],
    ['/x', ['prefix part must be non-empty']],
    ['A.com/x', [PREFIX]],
    ['a/', ['name part must be non-empty', `name part ${CHARACTERS}`]],
    ['x'.repeat(64), ['name part must be no more than 63 bytes']],
    [`${'x'.repeat(254)}/y`, ['prefix part must be no more than 253 bytes']],
    [
      'a/b/c',
      [`a valid label key ${CHARACTERS} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`],
    ],
  ])('%j is refused', (name, complaints) => {
    expect(checkQualifiedName(name)).toEqual(complaints);
  });
});

describe('label values', () => {
  test.each(['', 'a', '1', 'a_b.c-d', 'x'.repeat(63)])('%j is legal', (value) => {
    expect(checkLabelValue(value)).toEqual([]);
  });

  test.each([
    ['-x', [VALUE]],
    ['c d', [VALUE]],
    ['wéb', [VALUE]],
    ['x'.repeat(64), ['must be no more than 63 bytes']],
    [`${'x'.repeat(64)}-`, ['must be no more than 63 bytes', VALUE]],
  ])('%j is refused', (value, complaints) => {
    expect(checkLabelValue(value)).toEqual(complaints);
  });
});

test('the labels of an object are checked key by key and value by value', () => {
  expect(validateLabels({ ok: 'ok', 'a b': 'c d' }, 'metadata.labels')).toEqual([
    { type: 'FieldValueInvalid', field: 'metadata.labels', value: 'a b', detail: `name part ${CHARACTERS}` },
    { type: 'FieldValueInvalid', field: 'metadata.labels', value: 'c d', detail: VALUE },
  ]);
});

describe('annotations', () => {
  test('the prefix of a key may be in upper case, the error shows the key as it is written', () => {
    expect(validateAnnotations({ 'Example.COM/x': 'any text at all' }, 'metadata.annotations')).toEqual([]);
    expect(validateAnnotations({ '/X': '' }, 'metadata.annotations')).toEqual([
      {
        type: 'FieldValueInvalid',
        field: 'metadata.annotations',
        value: '/X',
        detail: 'prefix part must be non-empty',
      },
    ]);
  });

  test('keys and values together may take 256 KiB and no byte more', () => {
    const fitting = { a: 'x'.repeat(ANNOTATIONS_MAX - 1) };
    expect(validateAnnotations(fitting, 'metadata.annotations')).toEqual([]);
    expect(validateAnnotations({ ...fitting, a2: '' }, 'metadata.annotations')).toEqual([
      { type: 'FieldValueTooLong', field: 'metadata.annotations', detail: 'may not be more than 262144 bytes' },
    ]);
  });

  test('sizes are in bytes', () => {
    expect(annotationsSize({ é: '😀', a: '' })).toBe(7);
  });
});
