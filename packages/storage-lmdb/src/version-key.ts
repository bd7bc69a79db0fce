/**
 * Keys of the `versions` table: the contract's key, NUL, the revision turned upside down, and what happened.
 *
 *     /registry/pods/a \0 ~12 put      <- the newest version of a key comes first,
 *     /registry/pods/a \0  ~7 put         so that a read at revision 9 is one seek to ~9
 *     /registry/pods/b \0 ~10 delete
 *
 * NUL sorts before every byte a key may contain, so the versions of `a` all come before `ab`.
 */

/** NUL, eight bytes of revision, one of kind. */
const SUFFIX_BYTES = 10;
const PUT = 0;
const DELETE = 1;
const UINT32 = 2 ** 32;
const UINT32_MAX = UINT32 - 1;

/** A decoded key. */
export interface VersionKey {
  readonly key: string;
  readonly revision: number;
  readonly deleted: boolean;
}

/** The bytes under which a version is kept. */
export function encodeVersionKey(key: string, revision: number, deleted: boolean): Buffer {
  // One UTF-16 unit is at most three bytes of UTF-8.
  const buffer = Buffer.allocUnsafe(key.length * 3 + SUFFIX_BYTES);
  const end = writeKeyAndRevision(buffer, key, revision);
  buffer[end] = deleted ? DELETE : PUT;
  return buffer.subarray(0, end + 1);
}

/** The bytes right before the newest version of `key` that is not newer than `revision`. */
export function seekVersion(key: string, revision: number): Buffer {
  const buffer = Buffer.allocUnsafe(key.length * 3 + SUFFIX_BYTES);
  return buffer.subarray(0, writeKeyAndRevision(buffer, key, revision));
}

/**
 * The bytes right before the first version of the first key at or after `start`. A start that contains NUL lies behind
 * the key before the NUL and before everything that continues it with a byte from 1 on.
 */
export function seekKey(start: string): Buffer {
  const nul = start.indexOf('\0');
  return Buffer.from(nul === -1 ? start : `${start.slice(0, nul)}\u0001`);
}

/** The bytes behind the last version of the last key with `prefix`, or undefined when that is the end of the table. */
export function prefixEnd(prefix: string): Buffer | undefined {
  const bytes = Buffer.from(prefix);
  // UTF-8 never uses 0xff, so the last byte can always be raised.
  const last = bytes.length - 1;
  if (last < 0) return undefined;
  bytes[last] = (bytes[last] ?? 0) + 1;
  return bytes;
}

/** The version behind the bytes from `start` to `end`; undefined when they are none. */
export function decodeVersionKey(bytes: Buffer, start: number, end: number): VersionKey | undefined {
  const suffix = end - SUFFIX_BYTES;
  if (suffix <= start || bytes[suffix] !== 0 || (bytes[end - 1] ?? DELETE + 1) > DELETE) return undefined;
  const high = UINT32_MAX - bytes.readUInt32BE(suffix + 1);
  const low = UINT32_MAX - bytes.readUInt32BE(suffix + 5);
  return {
    key: bytes.toString('utf8', start, suffix),
    revision: high * UINT32 + low,
    deleted: bytes[end - 1] === DELETE,
  };
}

function writeKeyAndRevision(buffer: Buffer, key: string, revision: number): number {
  const length = buffer.write(key);
  buffer[length] = 0;
  buffer.writeUInt32BE(UINT32_MAX - Math.floor(revision / UINT32), length + 1);
  buffer.writeUInt32BE(UINT32_MAX - (revision % UINT32), length + 5);
  return length + SUFFIX_BYTES - 1;
}
