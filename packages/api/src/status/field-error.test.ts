import { describe, expect, test } from 'vitest';
import {
  type FieldError,
  fieldDuplicate,
  fieldErrorBody,
  fieldErrorReport,
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

describe('errors about large values stay small', () => {
  test('a long text is cut behind its quotes', () => {
    const text = fieldErrorText(fieldInvalid('a', 'x'.repeat(10_000), 'bad'));
    expect(text).toBe(`a: Invalid value: "${'x'.repeat(4096)}"...: bad`);
  });

  test('a long list is cut', () => {
    const text = fieldErrorText(fieldInvalid('a', Array<number>(100_000).fill(1), 'bad'));
    expect(text).toHaveLength('a: Invalid value: ...: bad'.length + 4096);
    expect(text).toMatch(/^a: Invalid value: \[1,1,.*1\.\.\.: bad$/);
  });

  test('a long path and a long detail are cut', () => {
    const text = fieldErrorText(fieldForbidden(`data[${'k'.repeat(10_000)}]`, 'd'.repeat(10_000)));
    expect(text).toHaveLength(1024 + '...: Forbidden: '.length + 4096 + '...'.length);
  });

  test('a hundred errors are listed, and dots stand for the rest', () => {
    const errors = Array.from({ length: 4000 }, (_, index) => fieldForbidden(`a[${index}]`, 'no'));
    const { message, causes } = fieldErrorReport(errors);
    expect(causes).toHaveLength(100);
    expect(message).toMatch(/^\[a\[0\]: Forbidden: no, .*, a\[99\]: Forbidden: no, \.\.\.\]$/);
  });

  test('errors that show the same large value again and again end at 64 Ki characters', () => {
    const value = Array<string>(4000).fill('reference');
    const errors = Array.from({ length: 4000 }, (_, index) => fieldInvalid('a', value, `no ${index}`));
    const { message, causes } = fieldErrorReport(errors);
    expect(causes).toHaveLength(15);
    expect(message.length).toBeLessThan(70_000);
  });

  test('the first error is there however long it is', () => {
    expect(fieldErrorReport([fieldInvalid('a', 'x'.repeat(100_000), 'bad')]).causes).toHaveLength(1);
  });
});
