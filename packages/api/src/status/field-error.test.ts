import { describe, expect, test } from 'vitest';
import {
  type FieldError,
  fieldDuplicate,
  fieldErrorBody,
  fieldErrorsText,
  fieldErrorText,
  fieldForbidden,
  fieldInternal,
  fieldInvalid,
  fieldNotFound,
  fieldNotSupported,
  fieldRequired,
  fieldTooFew,
  fieldTooLong,
  fieldTooMany,
  fieldTooShort,
  fieldTypeInvalid,
} from './field-error.ts';

describe('each kind of complaint has its own wording', () => {
  test.each<[FieldError, string]>([
    [
      fieldRequired('metadata.name', 'name or generateName is required'),
      'metadata.name: Required value: name or generateName is required',
    ],
    [fieldRequired('spec'), 'spec: Required value'],
    [fieldInvalid('spec.port', 0, 'must be positive'), 'spec.port: Invalid value: 0: must be positive'],
    [fieldInvalid('a', 'x"y', 'bad'), 'a: Invalid value: "x\\"y": bad'],
    [fieldInvalid('a', true, 'bad'), 'a: Invalid value: true: bad'],
    [fieldInvalid('a', null, 'bad'), 'a: Invalid value: null: bad'],
    [fieldInvalid('a', { k: '<&>' }, 'bad'), 'a: Invalid value: {"k":"\\u003c\\u0026\\u003e"}: bad'],
    [fieldTypeInvalid('a', 'x', 'must be a number'), 'a: Invalid value: "x": must be a number'],
    [fieldNotSupported('mode', 'C', ['A', 'B', '']), 'mode: Unsupported value: "C": supported values: "A", "B", ""'],
    [fieldNotSupported('dryRun', ['x'], ['All']), 'dryRun: Unsupported value: ["x"]: supported values: "All"'],
    [fieldNotSupported('mode', 'C', []), 'mode: Unsupported value: "C"'],
    [fieldForbidden('force', 'not now'), 'force: Forbidden: not now'],
    [fieldDuplicate('ports[1].name', 'http'), 'ports[1].name: Duplicate value: "http"'],
    [fieldNotFound('ref', 'x'), 'ref: Not found: "x"'],
    [fieldTooLong('metadata.annotations', 262144), 'metadata.annotations: Too long: may not be more than 262144 bytes'],
    [fieldTooLong('a', 1), 'a: Too long: may not be more than 1 byte'],
    [fieldTooLong('a', 2, 'character'), 'a: Too long: may not be more than 2 characters'],
    [fieldTooShort('a', 3), 'a: Too short: must be at least 3 characters'],
    [fieldTooMany('list', 5, 1), 'list: Too many: 5: must have at most 1 item'],
    [fieldTooFew('list', 0, 2), 'list: Too few: 0: must have at least 2 items'],
    [fieldInternal('a', 'lost'), 'a: Internal error: lost'],
  ])('%j', (error, text) => {
    expect(fieldErrorText(error)).toBe(text);
    expect(`${error.field}: ${fieldErrorBody(error)}`).toBe(text);
  });
});

describe('several complaints', () => {
  const first = fieldForbidden('a', 'one');
  const second = fieldForbidden('b', 'two');

  test.each<[string, FieldError[], string]>([
    ['none is nothing', [], ''],
    ['one stands alone', [first], 'a: Forbidden: one'],
    ['two stand between brackets', [first, second], '[a: Forbidden: one, b: Forbidden: two]'],
    ['the same twice counts as one', [first, first], 'a: Forbidden: one'],
    ['a repetition is dropped, the order stays', [second, first, second], '[b: Forbidden: two, a: Forbidden: one]'],
  ])('%s', (_name, errors, text) => {
    expect(fieldErrorsText(errors)).toBe(text);
  });
});
