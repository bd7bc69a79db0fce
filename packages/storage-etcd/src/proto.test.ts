import { isStorageError } from '@listwatch/storage';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ProtoReader } from './proto-reader.ts';
import { ProtoWriter } from './proto-writer.ts';

function write(fill: (writer: ProtoWriter) => void): Buffer {
  const writer = new ProtoWriter(4096);
  fill(writer);
  return writer.finish();
}

describe('protobuf', () => {
  it('numbers come back as they were written, up to 2^53 - 1', () => {
    fc.assert(
      fc.property(fc.maxSafeNat(), (value) => {
        const reader = new ProtoReader(write((writer) => writer.present(1, value)));
        expect(reader.next()).toBe(true);
        expect(reader.field).toBe(1);
        expect(reader.int()).toBe(value);
        expect(reader.next()).toBe(false);
      }),
    );
  });

  it('an int64 comes back with all its bits, and numbers and bigints are written alike', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), (value) => {
        const reader = new ProtoReader(write((writer) => writer.present(7, value)));
        reader.next();
        expect(reader.int64()).toBe(value);
      }),
    );
    fc.assert(
      fc.property(fc.maxSafeNat(), (value) => {
        const asNumber = write((writer) => writer.int(3, value));
        expect(write((writer) => writer.int(3, BigInt(value)))).toEqual(asNumber);
      }),
    );
  });

  it('a negative number of etcd, as the watch id -1, is read', () => {
    const reader = new ProtoReader(Buffer.from('10ffffffffffffffffff01', 'hex'));
    reader.next();
    expect(reader.int()).toBe(-1);
  });

  it('a number that JavaScript cannot hold is refused instead of rounded', () => {
    const reader = new ProtoReader(write((writer) => writer.int(1, 2n ** 53n + 1n)));
    reader.next();
    expect(() => reader.int()).toThrow(/beyond 2\^53/);
  });

  it('messages nest, and what is not known is skipped', () => {
    const message = write((writer) => {
      writer.int(4, 1);
      const outer = writer.mark();
      writer.bytes(2, Buffer.from('inner'));
      writer.int(1, 300);
      writer.nest(16, outer);
    });
    const reader = new ProtoReader(message);
    reader.next();
    expect(reader.field).toBe(16);
    const inner = reader.message();
    inner.next();
    inner.skip();
    inner.next();
    expect(inner.string()).toBe('inner');
    expect(inner.next()).toBe(false);
    reader.next();
    expect(reader.bool()).toBe(true);
  });

  it('a small value does not keep a large message alive, a large one shares it', () => {
    const small = new ProtoReader(
      write((writer) => {
        writer.bytes(2, Buffer.alloc(3000));
        writer.bytes(1, Buffer.from('small'));
      }),
    );
    small.next();
    const copy = small.bytes();
    expect(Buffer.from(copy).toString()).toBe('small');
    expect(copy.buffer.byteLength).toBe(5);

    const own = new ProtoWriter(10_000);
    own.bytes(1, Buffer.alloc(9000));
    const message = own.finish();
    const large = new ProtoReader(message);
    large.next();
    expect(large.bytes().buffer).toBe(message.buffer);
  });

  it('a message that is cut off anywhere is refused or shorter, never read past its end', () => {
    const whole = write((writer) => {
      writer.bytes(5, Buffer.from('value'));
      writer.int(3, 70_000);
    });
    for (let length = 0; length < whole.length; length += 1) {
      const reader = new ProtoReader(Buffer.from(whole.subarray(0, length)));
      let fields = 0;
      try {
        while (reader.next()) {
          reader.skip();
          fields += 1;
        }
        expect(fields).toBeLessThan(2);
      } catch (error) {
        expect(isStorageError(error, 'CORRUPT')).toBe(true);
      }
    }
  });
});
