/** The blocks of tar archives: ustar, with the long names of POSIX (pax) and GNU. */

import { StreamError } from '../stream-error.ts';

export const BLOCK_BYTES = 512;

/** What we write and read. `other`: devices, hard links, sparse files and what else there is. */
export type TarEntryType = 'directory' | 'file' | 'other' | 'symlink';

export interface TarHeader {
  /** As it is in the archive: whoever writes a file there checks it first. */
  readonly path: string;
  readonly type: TarEntryType;
  readonly size: number;
  readonly mode: number;
  /** Seconds since the epoch. */
  readonly mtime: number;
  readonly linkPath: string;
}

const FIELD = {
  name: [0, 100],
  mode: [100, 8],
  uid: [108, 8],
  gid: [116, 8],
  size: [124, 12],
  mtime: [136, 12],
  checksum: [148, 8],
  type: [156, 1],
  link: [157, 100],
  magic: [257, 8],
  prefix: [345, 155],
} as const satisfies Readonly<Record<string, readonly [offset: number, length: number]>>;

const TYPE_FLAG: Readonly<Record<Exclude<TarEntryType, 'other'>, string>> = { file: '0', symlink: '2', directory: '5' };
const TYPE_OF: Readonly<Record<string, TarEntryType>> = {
  '0': 'file',
  '\0': 'file',
  '7': 'file',
  '2': 'symlink',
  '5': 'directory',
};
/** Entries that say something of the next one. */
export const PAX = 'x';
export const PAX_GLOBAL = 'g';
export const GNU_LONG_NAME = 'L';
export const GNU_LONG_LINK = 'K';

/** A header as it stands in the archive. */
export interface RawTarHeader extends TarHeader {
  readonly flag: string;
}

/** Reads a block; undefined for the block of zeros that ends an archive. Throws `BAD_ARCHIVE` for anything else. */
export function readTarHeader(block: Uint8Array): RawTarHeader | undefined {
  if (block.every((byte) => byte === 0)) return undefined;
  const sum = octal(block, FIELD.checksum);
  if (sum !== checksum(block)) throw new StreamError('BAD_ARCHIVE', 'a header of the archive has a wrong checksum');
  const flag = String.fromCharCode(block[FIELD.type[0]] ?? 0);
  const isUstar = text(block, FIELD.magic).startsWith('ustar');
  const prefix = isUstar ? text(block, FIELD.prefix) : '';
  const name = text(block, FIELD.name);
  return {
    flag,
    path: prefix === '' ? name : `${prefix}/${name}`,
    type: TYPE_OF[flag] ?? 'other',
    size: octal(block, FIELD.size),
    mode: octal(block, FIELD.mode),
    mtime: octal(block, FIELD.mtime),
    linkPath: text(block, FIELD.link),
  };
}

/** The blocks of an entry before its content: a pax header where a name is too long, and the header itself. */
export function tarHeaderBlocks(header: TarHeader): Uint8Array {
  const encoder = new TextEncoder();
  const records: [string, string][] = [];
  if (encoder.encode(header.path).length > FIELD.name[1]) records.push(['path', header.path]);
  if (encoder.encode(header.linkPath).length > FIELD.link[1]) records.push(['linkpath', header.linkPath]);
  if (header.size > OCTAL_MAX) records.push(['size', String(header.size)]);
  if (records.length === 0) return headerBlock(header, TYPE_FLAG[header.type === 'other' ? 'file' : header.type]);
  const body = encoder.encode(records.map(paxRecord).join(''));
  const pax = headerBlock({ ...header, path: 'PaxHeaders/long', linkPath: '', size: body.length }, PAX);
  const own = headerBlock(header, TYPE_FLAG[header.type === 'other' ? 'file' : header.type]);
  const blocks = new Uint8Array(pax.length + padded(body.length) + own.length);
  blocks.set(pax);
  blocks.set(body, pax.length);
  blocks.set(own, pax.length + padded(body.length));
  return blocks;
}

/** A size in whole blocks. */
export function padded(size: number): number {
  return Math.ceil(size / BLOCK_BYTES) * BLOCK_BYTES;
}

const OCTAL_MAX = 0o7_7777_7777_77;

function headerBlock(header: TarHeader, flag: string): Uint8Array {
  const block = new Uint8Array(BLOCK_BYTES);
  const bytes = (value: string, [offset, length]: readonly [number, number]): void => {
    block.set(new TextEncoder().encode(value).subarray(0, length), offset);
  };
  const number = (value: number, [offset, length]: readonly [number, number]): void => {
    bytes(
      Math.max(0, Math.trunc(value))
        .toString(8)
        .padStart(length - 1, '0'),
      [offset, length - 1],
    );
  };
  bytes(header.path, FIELD.name);
  number(header.mode, FIELD.mode);
  number(0, FIELD.uid);
  number(0, FIELD.gid);
  number(Math.min(header.size, OCTAL_MAX), FIELD.size);
  number(header.mtime, FIELD.mtime);
  bytes(flag, FIELD.type);
  bytes(header.linkPath, FIELD.link);
  bytes('ustar\u000000', FIELD.magic);
  bytes(`${checksum(block).toString(8).padStart(6, '0')}\0 `, FIELD.checksum);
  return block;
}

/** `LENGTH NAME=VALUE\n`, where the length counts itself. */
function paxRecord([name, value]: readonly [string, string]): string {
  const rest = ` ${name}=${value}\n`;
  const bytes = new TextEncoder().encode(rest).length;
  let length = bytes + String(bytes).length;
  if (String(length).length !== String(bytes).length) length = bytes + String(length).length;
  return `${length}${rest}`;
}

/** The records of a pax header. Throws `BAD_ARCHIVE`. */
export function readPax(body: Uint8Array): ReadonlyMap<string, string> {
  const records = new Map<string, string>();
  const decoder = new TextDecoder();
  for (let at = 0; at < body.length; ) {
    const space = body.indexOf(0x20, at);
    const length = space === -1 ? Number.NaN : Number(decoder.decode(body.subarray(at, space)));
    // Only the length says where a record ends: a value may have any byte.
    if (!Number.isInteger(length) || length <= space - at || at + length > body.length) {
      throw new StreamError('BAD_ARCHIVE', 'a pax header of the archive cannot be read');
    }
    const record = decoder.decode(body.subarray(space + 1, at + length - 1));
    const equals = record.indexOf('=');
    if (equals > 0) records.set(record.slice(0, equals), record.slice(equals + 1));
    at += length;
  }
  return records;
}

/** The sum of the bytes, with spaces where the sum itself stands. */
function checksum(block: Uint8Array): number {
  const [offset, length] = FIELD.checksum;
  let sum = 0;
  for (const [index, byte] of block.entries()) sum += index >= offset && index < offset + length ? 0x20 : byte;
  return sum;
}

function text(block: Uint8Array, [offset, length]: readonly [number, number]): string {
  const field = block.subarray(offset, offset + length);
  const end = field.indexOf(0);
  return new TextDecoder().decode(end === -1 ? field : field.subarray(0, end));
}

function octal(block: Uint8Array, field: readonly [number, number]): number {
  const [first = 0] = block.subarray(field[0]);
  if ((first & 0x80) !== 0) return binary(block.subarray(field[0], field[0] + field[1]));
  const digits = text(block, field).trim();
  if (digits === '') return 0;
  if (!/^[0-7]+$/u.test(digits)) throw new StreamError('BAD_ARCHIVE', 'a header of the archive has a wrong number');
  return Number.parseInt(digits, 8);
}

/** GNU writes sizes from 8 GiB on in binary. */
function binary(field: Uint8Array): number {
  let value = field[0] === 0x80 ? 0 : Number.NaN;
  for (const byte of field.subarray(1)) value = value * 256 + byte;
  if (!Number.isSafeInteger(value)) throw new StreamError('BAD_ARCHIVE', 'a header of the archive has a wrong number');
  return value;
}
