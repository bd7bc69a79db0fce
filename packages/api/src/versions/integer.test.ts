import { describe, expect, test } from 'vitest';
import { comparableInt64, parseInt64, parseUint64 } from './integer.ts';

describe('signed integers', () => {
  test.each([
    ['0', 0n],
    ['-0', 0n],
    ['007', 7n],
    ['+5', 5n],
    ['-12', -12n],
    ['9223372036854775807', 9223372036854775807n],
    ['-9223372036854775808', -9223372036854775808n],
  ])('%s is read', (text, value) => {
    expect(parseInt64(text)).toBe(value);
  });

  test.each([
    ['', 'strconv.ParseInt: parsing "": invalid syntax'],
    ['x', 'strconv.ParseInt: parsing "x": invalid syntax'],
    ['1.5', 'strconv.ParseInt: parsing "1.5": invalid syntax'],
    ['1e3', 'strconv.ParseInt: parsing "1e3": invalid syntax'],
    ['0x10', 'strconv.ParseInt: parsing "0x10": invalid syntax'],
    ['1_000', 'strconv.ParseInt: parsing "1_000": invalid syntax'],
    [' 1', 'strconv.ParseInt: parsing " 1": invalid syntax'],
    ['+', 'strconv.ParseInt: parsing "+": invalid syntax'],
    ['--1', 'strconv.ParseInt: parsing "--1": invalid syntax'],
    ['١', 'strconv.ParseInt: parsing "١": invalid syntax'],
    ['9223372036854775808', 'strconv.ParseInt: parsing "9223372036854775808": value out of range'],
    ['-9223372036854775809', 'strconv.ParseInt: parsing "-9223372036854775809": value out of range'],
  ])('%j is refused with the text of Kubernetes', (text, message) => {
    expect(() => parseInt64(text)).toThrow(expect.objectContaining({ code: 'INTEGER', message, text }));
  });
});

describe('unsigned integers', () => {
  test.each([
    ['0', 0n],
    ['00', 0n],
    ['18446744073709551615', 18446744073709551615n],
  ])('%s is read', (text, value) => {
    expect(parseUint64(text)).toBe(value);
  });

  test.each([
    ['', 'strconv.ParseUint: parsing "": invalid syntax'],
    ['-1', 'strconv.ParseUint: parsing "-1": invalid syntax'],
    ['+1', 'strconv.ParseUint: parsing "+1": invalid syntax'],
    ['abc', 'strconv.ParseUint: parsing "abc": invalid syntax'],
    ['18446744073709551616', 'strconv.ParseUint: parsing "18446744073709551616": value out of range'],
  ])('%j is refused with the text of Kubernetes', (text, message) => {
    expect(() => parseUint64(text)).toThrow(expect.objectContaining({ code: 'INTEGER', message }));
  });
});

describe('integers for comparing', () => {
  test.each([
    ['12', 12],
    ['-7', -7],
    ['999999999999999', 999999999999999],
    ['9007199254740993', 9007199254740993n],
    ['9223372036854775808', undefined],
    ['1.5', undefined],
    ['', undefined],
    ['1000000000000000x', undefined],
  ])('%j', (text, value) => {
    expect(comparableInt64(text)).toBe(value);
  });
});
