import { describe, expect, it } from 'vitest';
import {
  bitString,
  explicit,
  implicit,
  integer,
  objectIdentifier,
  octetString,
  sequence,
  time,
  utf8String,
} from './der.ts';

const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString('latin1');
const hex = (...bytes: readonly Uint8Array[]): string => Buffer.concat(bytes).toString('hex');

describe('DER', () => {
  it.each([
    ['1.2.840.113549', '06062a864886f70d'],
    ['1.3.6.1.4.1.311.21.20', '06092b0601040182371514'],
    ['2.5.4.3', '0603550403'],
  ])('writes the object identifier %s', (dotted, expected) => {
    expect(hex(objectIdentifier(dotted))).toBe(expected);
  });

  it.each([
    ['00', '020100'],
    ['7f', '02017f'],
    ['80', '02020080'],
    ['0001', '020101'],
    ['ff00', '020300ff00'],
  ])('writes the bytes %s as an integer that is not negative', (bytes, expected) => {
    expect(hex(integer(Buffer.from(bytes, 'hex')))).toBe(expected);
  });

  it.each([
    [127, '047f'],
    [128, '048180'],
    [256, '04820100'],
    [70_000, '0483011170'],
  ])('writes a length of %i', (length, expected) => {
    expect(hex(octetString(Buffer.alloc(length)).subarray(0, expected.length / 2))).toBe(expected);
  });

  it('writes years in two digits until 2049 and in four from 2050', () => {
    expect(text(time(new Date('2049-12-31T23:59:59.999Z')))).toBe('\u0017\r491231235959Z');
    expect(text(time(new Date('2050-01-01T00:00:00Z')))).toBe('\u0018\u000f20500101000000Z');
  });

  it('writes the other forms', () => {
    expect(hex(utf8String('ü'))).toBe('0c02c3bc');
    expect(hex(bitString(Buffer.from([0x06]), 1))).toBe('03020106');
    expect(hex(sequence(explicit(0, integer(Buffer.from([2]))), implicit(2, Buffer.from('a'))))).toBe(
      '3008a003020102820161',
    );
  });
});
