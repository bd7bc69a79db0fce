/** etcd's KV service: Range, Put, DeleteRange, Txn and Compact, as far as the engine uses them. */

import type { Entry, Revision } from '@listwatch/storage';
import type { KeyRange } from './key-space.ts';
import { ProtoReader } from './proto-reader.ts';
import { INT_FIELD_BYTES, ProtoWriter } from './proto-writer.ts';

/** The paths of the calls. */
export const KV_RANGE = '/etcdserverpb.KV/Range';
export const KV_PUT = '/etcdserverpb.KV/Put';
export const KV_DELETE = '/etcdserverpb.KV/DeleteRange';
export const KV_TXN = '/etcdserverpb.KV/Txn';
export const KV_COMPACT = '/etcdserverpb.KV/Compact';

/** Room for the tags and lengths around the fields of any request here. */
const FRAME_BYTES = 16 * INT_FIELD_BYTES;

const LARGEST_INT64 = 2n ** 63n - 1n;

/** What is compared, and how: a `result` of 0 is "equal", 1 is "greater". */
const VERSION_IS = { target: 0, field: 4, result: 0 } as const;
const MOD_IS = { target: 2, field: 6, result: 0 } as const;
const MOD_ABOVE = { target: 2, field: 6, result: 1 } as const;

/** A read of some keys. */
export interface RangeRequest extends KeyRange {
  /** 0 = all of them. */
  readonly limit: number;
  /** 0 = the newest. */
  readonly revision: bigint;
}

/** What a read found. */
export interface RangeResponse {
  /** The store's revision when it was read, also for a read in the past. */
  readonly revision: number;
  readonly entries: readonly Entry[];
  readonly more: boolean;
  readonly count: number;
}

/** A write of one key. */
export interface PutRequest {
  readonly key: Buffer;
  readonly value: Uint8Array;
  /** 0n = none. */
  readonly lease: bigint;
}

/** What a transaction did. */
export interface TxnResponse {
  readonly revision: number;
  readonly succeeded: boolean;
  /** The key as the failed comparison found it; of several keys the first. */
  readonly current: Entry | undefined;
  /** All keys as the failed comparison found them: the first, then the others of the conditions, without their values. */
  readonly found: readonly (Entry | undefined)[];
  /** How often that key had been written since it was created; 0 when it does not exist. */
  readonly version: number;
}

/** etcd's revisions end at 2^63 - 1; beyond that is the future like any other. Undefined is etcd's 0: the newest. */
export function toInt64(revision: Revision | undefined): bigint {
  if (revision === undefined) return 0n;
  return revision < LARGEST_INT64 ? revision : LARGEST_INT64;
}

/** The wire form of a read. */
export function encodeRange(request: RangeRequest): Buffer {
  const writer = new ProtoWriter(request.key.length + request.rangeEnd.length + FRAME_BYTES);
  writer.int(4, request.revision);
  writer.int(3, request.limit);
  writer.bytes(2, request.rangeEnd);
  writer.bytes(1, request.key);
  return writer.finish();
}

/** The wire form of a read that returns nothing but its header and the number of keys. */
export function encodeCount(key: Buffer): Buffer {
  const writer = new ProtoWriter(key.length + FRAME_BYTES);
  writer.int(9, 1);
  writer.bytes(1, key);
  return writer.finish();
}

/** The wire form of an unconditional write. */
export function encodePut(request: PutRequest): Buffer {
  const writer = new ProtoWriter(request.key.length + request.value.length + FRAME_BYTES);
  writePut(writer, request);
  return writer.finish();
}

/** The wire form of an unconditional delete of one key. */
export function encodeDelete(key: Buffer): Buffer {
  const writer = new ProtoWriter(key.length + FRAME_BYTES);
  writer.bytes(1, key);
  return writer.finish();
}

/** A condition of a transaction: the key has this modRevision; 0 = it does not exist. */
export interface RevisionCondition {
  readonly key: Buffer;
  readonly revision: bigint;
}

/** What must be true for a transaction. */
export interface TxnConditions {
  /** The modRevision of the key that it writes first. Undefined: any. */
  readonly own: bigint | 'exists' | undefined;
  readonly others: readonly RevisionCondition[];
}

/** "If all conditions hold, put them all; else tell me the first key, and the revisions of the others in the conditions." */
export function encodePutsIf(puts: readonly [PutRequest, ...PutRequest[]], conditions: TxnConditions): Buffer {
  const [{ key: own }] = puts;
  let bytes = conditionBytes(own, conditions);
  for (const { key, value } of puts) bytes += key.length + value.length + FRAME_BYTES;
  const writer = new ProtoWriter(bytes);
  // Back to front, as everything here: the failures, the writes and the comparisons, each from its last to its first.
  writeFailures(writer, own, conditions);
  for (const request of puts.toReversed()) {
    const success = writer.mark();
    writePut(writer, request);
    writer.nest(2, success);
    writer.nest(2, success);
  }
  writeConditions(writer, own, conditions);
  return writer.finish();
}

/** "If all conditions hold, delete the key; else tell me it, and the revisions of the others in the conditions." */
export function encodeDeleteIf(key: Buffer, conditions: TxnConditions): Buffer {
  const writer = new ProtoWriter(key.length + conditionBytes(key, conditions));
  writeFailures(writer, key, conditions);
  const success = writer.mark();
  writer.bytes(1, key);
  writer.nest(3, success);
  writer.nest(2, success);
  writeConditions(writer, key, conditions);
  return writer.finish();
}

/** "If the key has been written `version` times, put; else tell me the key." */
export function encodePutIfVersion(request: PutRequest, version: number): Buffer {
  const writer = new ProtoWriter(3 * request.key.length + request.value.length + FRAME_BYTES);
  writeFailure(writer, request.key);
  const success = writer.mark();
  writePut(writer, request);
  writer.nest(2, success);
  writer.nest(2, success);
  writeComparison(writer, request.key, VERSION_IS, version);
  return writer.finish();
}

/** The wire form of a compaction. */
export function encodeCompaction(revision: number | bigint): Buffer {
  const writer = new ProtoWriter(FRAME_BYTES);
  writer.int(1, revision);
  return writer.finish();
}

function writePut(writer: ProtoWriter, request: PutRequest): void {
  writer.int(3, request.lease);
  writer.bytes(2, request.value);
  writer.bytes(1, request.key);
}

function conditionBytes(key: Buffer, { others }: TxnConditions): number {
  let bytes = 2 * key.length + FRAME_BYTES;
  for (const other of others) bytes += 2 * other.key.length + FRAME_BYTES;
  return bytes;
}

/** The failure branch: the whole key, and of the others the revisions only. */
function writeFailures(writer: ProtoWriter, key: Buffer, { others }: TxnConditions): void {
  for (let i = others.length - 1; i >= 0; i -= 1) {
    const other = others[i];
    if (other !== undefined) writeFailure(writer, other.key, true);
  }
  writeFailure(writer, key);
}

/** One read of the failure branch. `keysOnly`: without the value. */
function writeFailure(writer: ProtoWriter, key: Buffer, keysOnly = false): void {
  const failure = writer.mark();
  writer.int(8, keysOnly ? 1 : 0);
  writer.bytes(1, key);
  writer.nest(1, failure);
  writer.nest(3, failure);
}

function writeConditions(writer: ProtoWriter, key: Buffer, { own, others }: TxnConditions): void {
  for (let i = others.length - 1; i >= 0; i -= 1) {
    const other = others[i];
    if (other !== undefined) writeComparison(writer, other.key, MOD_IS, other.revision);
  }
  if (own === 'exists') writeComparison(writer, key, MOD_ABOVE, 0);
  else if (own !== undefined) writeComparison(writer, key, MOD_IS, own);
}

function writeComparison(
  writer: ProtoWriter,
  key: Buffer,
  { target, field, result }: typeof MOD_IS | typeof MOD_ABOVE | typeof VERSION_IS,
  expected: number | bigint,
): void {
  const comparison = writer.mark();
  writer.present(field, expected);
  writer.bytes(3, key);
  writer.int(2, target);
  writer.int(1, result);
  writer.nest(1, comparison);
}

/** The answer to a read. `shares`: the values are views of the message. */
export function decodeRange(message: Buffer, rootBytes: number, shares = false): RangeResponse {
  const reader = new ProtoReader(message, 0, message.length, shares);
  const { versions: _, ...response } = readRange(reader, rootBytes);
  return response;
}

/** The revision in the header of an answer: all of them carry it in field 1. */
export function decodeHeaderRevision(message: Buffer): number {
  return decodeDelete(message).revision;
}

/** The answer to a delete. */
export function decodeDelete(message: Buffer): { readonly revision: number; readonly deleted: number } {
  const reader = new ProtoReader(message);
  let revision = 0;
  let deleted = 0;
  while (reader.next()) {
    if (reader.field === 1) revision = readHeader(reader.message());
    else if (reader.field === 2) deleted = reader.int();
    else reader.skip();
  }
  return { revision, deleted };
}

/** The answer to one of the transactions above. */
export function decodeTxn(message: Buffer, rootBytes: number): TxnResponse {
  const reader = new ProtoReader(message);
  let revision = 0;
  let succeeded = false;
  const found: ReturnType<typeof readRange>[] = [];
  while (reader.next()) {
    if (reader.field === 1) revision = readHeader(reader.message());
    else if (reader.field === 2) succeeded = reader.bool();
    else if (reader.field === 3) {
      const operation = reader.message();
      while (operation.next()) {
        if (operation.field === 1) found.push(readRange(operation.message(), rootBytes));
        else operation.skip();
      }
    } else reader.skip();
  }
  const entries = found.map((range) => range.entries[0]);
  return { revision, succeeded, current: entries[0], found: entries, version: found[0]?.versions[0] ?? 0 };
}

/** The revision of a ResponseHeader. */
export function readHeader(reader: ProtoReader): number {
  let revision = 0;
  while (reader.next()) {
    if (reader.field === 3) revision = reader.int();
    else reader.skip();
  }
  return revision;
}

/** One KeyValue, with what the contract's entry does not have. */
export interface KeyValue {
  readonly entry: Entry;
  readonly createRevision: number;
  readonly modRevision: number;
  readonly version: number;
}

const EMPTY: Uint8Array = new Uint8Array();

/** Reads a KeyValue. */
export function readKeyValue(reader: ProtoReader, rootBytes: number): KeyValue {
  let key = '';
  let value = EMPTY;
  let createRevision = 0;
  let modRevision = 0;
  let version = 0;
  while (reader.next()) {
    if (reader.field === 1) key = reader.stringFrom(rootBytes);
    else if (reader.field === 2) createRevision = reader.int();
    else if (reader.field === 3) modRevision = reader.int();
    else if (reader.field === 4) version = reader.int();
    else if (reader.field === 5) value = reader.bytes();
    else reader.skip();
  }
  return { entry: { key, value, modRevision: BigInt(modRevision) }, createRevision, modRevision, version };
}

function readRange(reader: ProtoReader, rootBytes: number): RangeResponse & { readonly versions: readonly number[] } {
  let revision = 0;
  let more = false;
  let count = 0;
  const entries: Entry[] = [];
  const versions: number[] = [];
  while (reader.next()) {
    if (reader.field === 1) revision = readHeader(reader.message());
    else if (reader.field === 2) {
      const kv = readKeyValue(reader.message(), rootBytes);
      entries.push(kv.entry);
      versions.push(kv.version);
    } else if (reader.field === 3) more = reader.bool();
    else if (reader.field === 4) count = reader.int();
    else reader.skip();
  }
  return { revision, entries, more, count, versions };
}
