/** The records of a journal as bytes: a header, the objects of the base, its end, and batches of changes. */

import { isRecord, textOf } from '@listwatch/api/values';
import type { KeptBatch, KeptChange, KeptObject } from '../feed/kept-kind.ts';

/** What a journal is of. One of something else is not used. */
export interface JournalFacts {
  /** `group/version/plural`. */
  readonly kind: string;
  /** The uid of the cluster. */
  readonly cluster: string;
  /** The release of the upstream: another one may show the same objects in another way. */
  readonly release: string;
  /** The schema of a custom kind; `''` for a built-in one. */
  readonly schema: string;
}

/** The first record. */
export interface JournalHeader extends JournalFacts {
  /** That of the base. */
  readonly revision: bigint;
  readonly objects: number;
  /** When something came last before the base was written, in milliseconds since 1970. */
  readonly heard: number;
}

/** A batch, and when it came. */
export interface JournalBatch extends KeptBatch {
  readonly heard: number;
}

export type JournalRecord =
  | { readonly type: 'header'; readonly header: JournalHeader }
  | { readonly type: 'objects'; readonly objects: readonly KeptObject[] }
  | { readonly type: 'baseEnd' }
  | { readonly type: 'batch'; readonly batch: JournalBatch };

const HEADER = 1;
const OBJECTS = 2;
const BASE_END = 3;
const BATCH = 4;

const PUT = 1;
const DELETE = 2;

export function headerRecord({ revision, ...header }: JournalHeader): Buffer {
  return Buffer.concat([Buffer.of(HEADER), Buffer.from(JSON.stringify({ ...header, revision: String(revision) }))]);
}

export function objectsRecord(objects: readonly KeptObject[]): Buffer {
  return Buffer.concat([Buffer.of(OBJECTS), ...objects.flatMap(changeParts)]);
}

export function baseEndRecord(): Buffer {
  return Buffer.of(BASE_END);
}

export function batchRecord({ revision, heard, changes }: JournalBatch): Buffer {
  const head = Buffer.alloc(17);
  head.writeUInt8(BATCH, 0);
  head.writeBigUInt64BE(revision, 1);
  head.writeDoubleBE(heard, 9);
  return Buffer.concat([head, ...changes.flatMap(changeParts)]);
}

/** Throws for bytes that are no record: they were sealed, so another program has written them. */
export function readRecord(bytes: Buffer): JournalRecord {
  switch (bytes.readUInt8(0)) {
    case HEADER:
      return { type: 'header', header: readHeader(bytes.toString('utf8', 1)) };
    case OBJECTS:
      return { type: 'objects', objects: readChanges(bytes, 1).map(objectOf) };
    case BASE_END:
      return { type: 'baseEnd' };
    case BATCH:
      return {
        type: 'batch',
        batch: {
          revision: bytes.readBigUInt64BE(1),
          heard: bytes.readDoubleBE(9),
          changes: readChanges(bytes, 17),
        },
      };
    default:
      throw new TypeError('a record of an unknown kind');
  }
}

function readHeader(text: string): JournalHeader {
  const header: unknown = JSON.parse(text);
  if (!isRecord(header)) throw new TypeError('the header is no object');
  const { objects, heard } = header;
  if (typeof objects !== 'number' || typeof heard !== 'number') throw new TypeError('the header has no counts');
  const [kind, cluster, release, schema] = ['kind', 'cluster', 'release', 'schema'].map((name) => textOf(header[name]));
  return {
    kind: kind ?? '',
    cluster: cluster ?? '',
    release: release ?? '',
    schema: schema ?? '',
    revision: BigInt(textOf(header['revision'])),
    objects,
    heard,
  };
}

/** Type, length of the key, version, length of the value, key, value. */
const CHANGE_HEAD = 1 + 4 + 8 + 4;

function changeParts({ key, revision, value }: KeptChange): readonly Uint8Array[] {
  const keyBytes = Buffer.from(key);
  const head = Buffer.alloc(CHANGE_HEAD);
  head.writeUInt8(value === undefined ? DELETE : PUT, 0);
  head.writeUInt32BE(keyBytes.length, 1);
  head.writeBigUInt64BE(revision, 5);
  head.writeUInt32BE(value?.length ?? 0, 13);
  return value === undefined ? [head, keyBytes] : [head, keyBytes, value];
}

function readChanges(bytes: Buffer, start: number): readonly KeptChange[] {
  const changes: KeptChange[] = [];
  let at = start;
  while (at < bytes.length) {
    const type = bytes.readUInt8(at);
    const keyLength = bytes.readUInt32BE(at + 1);
    const revision = bytes.readBigUInt64BE(at + 5);
    const valueLength = bytes.readUInt32BE(at + 13);
    const keyStart = at + CHANGE_HEAD;
    const valueStart = keyStart + keyLength;
    at = valueStart + valueLength;
    if (at > bytes.length || (type !== PUT && type !== DELETE)) throw new TypeError('a change that is none');
    changes.push({
      key: bytes.toString('utf8', keyStart, valueStart),
      revision,
      // A copy: a slice would keep its whole frame in memory.
      value: type === PUT ? Buffer.from(bytes.subarray(valueStart, at)) : undefined,
    });
  }
  return changes;
}

function objectOf({ key, revision, value }: KeptChange): KeptObject {
  if (value === undefined) throw new TypeError('an object without a value');
  return { key, revision, value };
}
