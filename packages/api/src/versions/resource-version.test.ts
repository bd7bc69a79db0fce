import { describe, expect, test } from 'vitest';
import {
  compareResourceVersions,
  isResourceVersion,
  parseResourceVersion,
  resourceVersion,
  resourceVersionOf,
  revisionOf,
} from './resource-version.ts';

describe('well-formedness', () => {
  test.each(['1', '812', '18446744073709551616', `1${'0'.repeat(40)}`])('%s is a version', (text) => {
    expect(isResourceVersion(text)).toBe(true);
    expect(resourceVersion(text)).toBe(text);
  });

  test.each(['', '0', '00', '01', '-1', '+1', '1.5', 'abc', ' 1', '1\n', '١'])('%j is no version', (text) => {
    expect(isResourceVersion(text)).toBe(false);
    expect(() => resourceVersion(text)).toThrow(TypeError);
  });

  test('nothing is no version', () => {
    expect(isResourceVersion(undefined)).toBe(false);
  });

  test('the refused text is shown', () => {
    expect(() => resourceVersion('x')).toThrow('resource version is not well formed: "x"');
  });
});

describe('order', () => {
  test.each([
    ['9', '10', -1],
    ['10', '9', 1],
    ['10', '10', 0],
    ['9007199254740993', '9007199254740992', 1],
    ['99999999999999999999', '100000000000000000000', -1],
  ])('%s against %s is %i', (left, right, order) => {
    expect(compareResourceVersions(resourceVersion(left), resourceVersion(right))).toBe(order);
  });
});

describe('revisions', () => {
  test('a revision and its version are two forms of one thing', () => {
    expect(resourceVersionOf(9007199254740993n)).toBe('9007199254740993');
    expect(revisionOf(resourceVersion('9007199254740993'))).toBe(9007199254740993n);
  });

  test.each([0n, -1n])('%s has no version', (revision) => {
    expect(() => resourceVersionOf(revision)).toThrow(
      new RangeError(`a resource version is positive, not ${revision}`),
    );
  });
});

describe('the version of a request', () => {
  test.each([
    ['', 0n],
    ['0', 0n],
    ['00', 0n],
    ['007', 7n],
    ['18446744073709551615', 18446744073709551615n],
  ])('%j is read as %s', (text, revision) => {
    expect(parseResourceVersion(text)).toBe(revision);
  });

  test.each([
    ['abc', 'invalid syntax'],
    ['-1', 'invalid syntax'],
    ['1.5', 'invalid syntax'],
    ['18446744073709551616', 'value out of range'],
  ])('%j is refused with the text of Kubernetes', (text, problem) => {
    const detail = `strconv.ParseUint: parsing "${text}": ${problem}`;
    expect(() => parseResourceVersion(text)).toThrow(
      expect.objectContaining({
        code: 'RESOURCE_VERSION',
        message: `resourceVersion: Invalid value: "${text}": ${detail}`,
        fieldError: { type: 'FieldValueInvalid', field: 'resourceVersion', value: text, detail },
      }),
    );
  });
});
