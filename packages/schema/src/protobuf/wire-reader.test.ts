import { describe, expect, it } from 'vitest';
import { ProtobufProblem } from './protobuf-problem.ts';
import { WireReader } from './wire-reader.ts';
import { bytesField, doubleField, intField, varint } from './written-message.fixture.ts';

/** A reader that has come to the first field. */
function at(...bytes: readonly (number | Uint8Array)[]): WireReader {
  const reader = new WireReader(
    Buffer.concat(bytes.map((part) => (typeof part === 'number' ? Buffer.of(part) : part))),
    60_000,
  );
  reader.next();
  return reader;
}

function problem(read: () => unknown): string {
  try {
    return `no problem but ${String(read())}`;
  } catch (error) {
    if (!(error instanceof ProtobufProblem)) throw error;
    return error.message;
  }
}

describe('an integer', () => {
  it.each([0, 1, 127, 128, 300, 2 ** 31 - 1, 2 ** 49 - 1, 2 ** 49, Number.MAX_SAFE_INTEGER])('of %d', (value) => {
    expect(at(intField(1, value)).int64()).toBe(value);
    expect(at(intField(1, -value)).int64()).toBe(0 - value);
  });

  it('beyond what a double holds is a bigint', () => {
    expect(at(intField(1, 2n ** 63n - 1n)).int64()).toBe(2n ** 63n - 1n);
    expect(at(intField(1, -(2n ** 63n))).int64()).toBe(-(2n ** 63n));
    expect(at(intField(1, 2n ** 53n)).int64()).toBe(2 ** 53);
  });

  it('of 32 bits is the last 32 bits of what was sent', () => {
    expect(at(intField(1, -1)).int32()).toBe(-1);
    expect(at(intField(1, 2 ** 32 + 7)).int32()).toBe(7);
    expect(at(intField(1, 2n ** 62n + 9n)).int32()).toBe(9);
    expect(at(intField(1, 0xffff_ffff)).int32()).toBe(-1);
  });

  it('may be longer than it needs to be, up to ten bytes', () => {
    expect(at(0x08, 0x81, 0x80, 0x80, 0x00).int64()).toBe(1);
    expect(at(0x08, ...Array<number>(9).fill(0x80), 0x00).int64()).toBe(0);
    expect(problem(() => at(0x08, ...Array<number>(10).fill(0x80), 0x00).int64())).toBe('proto: integer overflow');
  });

  it('is true when it is not 0', () => {
    expect(at(intField(1, 0)).bool()).toBe(false);
    expect(at(intField(1, 2)).bool()).toBe(true);
  });
});

describe('other fields', () => {
  it('are doubles, text, bytes and messages', () => {
    expect(at(doubleField(1, -1.5)).double()).toBe(-1.5);
    expect(at(bytesField(1, 'é')).string()).toBe('é');
    expect(at(bytesField(1, Buffer.of(0xff))).string()).toBe('\ufffd');
    expect(at(bytesField(1, Buffer.of(0xff, 0))).base64()).toBe('/wA=');
    const inside = at(bytesField(3, intField(7, 9)), intField(8, 1)).message();
    expect([inside.next(), inside.field, inside.int64(), inside.next()]).toEqual([true, 7, 9, false]);
  });

  it('are skipped whatever they are, groups with all that is in them', () => {
    const group = [varint(9 * 8 + 3), intField(1, 5), varint(8 * 8 + 3), varint(8 * 8 + 4), varint(9 * 8 + 4)];
    const all = [intField(1, -1), doubleField(2, 1), bytesField(3, 'x'), ...group, Buffer.of(0x2d, 1, 2, 3, 4)];
    const reader = new WireReader(Buffer.concat([...all, intField(15, 1)]));
    const seen: number[] = [];
    while (reader.next()) {
      seen.push(reader.field);
      reader.skip();
    }
    expect(seen).toEqual([1, 2, 3, 9, 5, 15]);
  });

  it('may be 29 000 groups in one another', () => {
    const [open, close] = [Buffer.alloc(29_000, 0x0b), Buffer.alloc(29_000, 0x0c)];
    const reader = at(open, close, intField(2, 1));
    reader.skip();
    expect([reader.next(), reader.field]).toEqual([true, 2]);
  });
});

describe('a message with more fields than the server decodes is refused', () => {
  const refusal = 'the body has more than 60000 fields';

  it.each([
    ['unknown fields', () => readAll(at(Buffer.alloc(3_000_000, intField(1, 1))))],
    ['groups', () => at(Buffer.alloc(3_000_000, 0x0b)).skip()],
    ['messages in messages', () => readNested(at(Buffer.alloc(3_000_000, bytesField(1, intField(1, 1)))))],
  ])('%s', (_, read) => expect(read).toThrow(refusal));
});

describe('bytes that are no message are a problem', () => {
  it.each([
    ['a field without a value', () => at(0x08).int64(), 'proto: unexpected end'],
    ['a length beyond the end', () => at(0x0a, 2, 0x61).string(), 'proto: unexpected end'],
    ['a length below zero', () => at(0x0a, varint(-1)).string(), 'proto: unexpected end'],
    ['a skipped length beyond the end', () => at(0x0a, 2, 0x61).skip(), 'proto: unexpected end'],
    ['half a double', () => at(0x09, 1, 2).double(), 'proto: unexpected end'],
    ['field 0', () => at(0x00, 1), 'proto: illegal tag 0'],
    ['a field beyond all numbers', () => at(varint(2n ** 40n)), 'proto: illegal tag 1099511627776'],
    ['text where an integer should be', () => at(bytesField(1, 'x')).int64(), 'proto: wrong wireType = 2 for field 1'],
    ['an integer where text should be', () => at(intField(2, 1)).string(), 'proto: wrong wireType = 0 for field 2'],
    ['a wire type that is none', () => at(0x0f).skip(), 'proto: illegal wireType 7'],
    ['the end of no group', () => at(0x0c).skip(), 'proto: unexpected end of group'],
    ['a group without an end', () => at(0x0b, intField(1, 1)).skip(), 'proto: unexpected end of a group'],
  ])('%s', (_, read, message) => expect(problem(read)).toBe(message));

  it('in a message whose end lies before that of the bytes', () => {
    const inside = at(bytesField(1, Buffer.of(0x0a, 5)), Buffer.from('more than enough')).message();
    inside.next();
    expect(problem(() => inside.string())).toBe('proto: unexpected end');
  });
});

function readAll(reader: WireReader): void {
  do reader.skip();
  while (reader.next());
}

function readNested(reader: WireReader): void {
  do readAllOf(reader.message());
  while (reader.next());
}

function readAllOf(reader: WireReader): void {
  while (reader.next()) reader.skip();
}
