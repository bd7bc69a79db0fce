/**
 * Records of the `log` table: what each revision changed. The values themselves stand in `versions`.
 *
 *     offset  0  kind         put or delete
 *             1  time         milliseconds since 1970, float64
 *             9  previous     the key's revision before this one, float64, 0 = none
 *            17  total        bytes of all changes up to here, float64: a span's size is one subtraction
 *            25  key          UTF-8
 */

import { corruptError } from './corrupt-error.ts';

const PUT = 0;
const DELETE = 1;
const HEADER_BYTES = 25;
const KEY_BYTES = 8;

/** One revision. */
export interface LogRecord {
  readonly key: string;
  readonly deleted: boolean;
  readonly time: number;
  readonly previous: number;
  readonly total: number;
}

/** The bytes of a record. */
export function encodeLogRecord(record: LogRecord): Buffer {
  const buffer = Buffer.allocUnsafe(HEADER_BYTES + record.key.length * 3);
  buffer[0] = record.deleted ? DELETE : PUT;
  buffer.writeDoubleBE(record.time, 1);
  buffer.writeDoubleBE(record.previous, 9);
  buffer.writeDoubleBE(record.total, 17);
  return buffer.subarray(0, HEADER_BYTES + buffer.write(record.key, HEADER_BYTES));
}

/** The record in the first `length` bytes, which are only read now. Throws `CORRUPT` when they are no record. */
export function decodeLogRecord(bytes: Buffer, length: number): LogRecord {
  const [kind] = bytes;
  if (length <= HEADER_BYTES || (kind !== PUT && kind !== DELETE)) throw corruptError('a log record cannot be decoded');
  const previous = bytes.readDoubleBE(9);
  if (!(Number.isSafeInteger(previous) && previous >= 0)) {
    throw corruptError('a log record names a revision that cannot be');
  }
  return {
    deleted: kind === DELETE,
    time: bytes.readDoubleBE(1),
    previous,
    total: bytes.readDoubleBE(17),
    key: bytes.toString('utf8', HEADER_BYTES, length),
  };
}

/** A revision as a key that sorts by number. */
export function encodeRevision(revision: number): Buffer {
  const buffer = Buffer.allocUnsafe(KEY_BYTES);
  buffer.writeBigUInt64BE(BigInt(revision));
  return buffer;
}

/** The revision of a key of the `log` table; undefined when the key is none. */
export function decodeRevisionKey(bytes: Buffer, start: number, end: number): number | undefined {
  return end - start === KEY_BYTES ? decodeRevision(bytes, start) : undefined;
}

/** The revision behind an encoded key. */
export function decodeRevision(bytes: Buffer, start: number): number {
  return bytes.readUInt32BE(start) * 2 ** 32 + bytes.readUInt32BE(start + 4);
}
