/** etcd's Watch service. */

import type { Entry } from '@listwatch/storage';
import type { KeyRange } from './key-space.ts';
import { type KeyValue, readHeader, readKeyValue } from './kv-messages.ts';
import { ProtoReader } from './proto-reader.ts';
import { INT_FIELD_BYTES, ProtoWriter } from './proto-writer.ts';

/** The path of the call. */
export const WATCH = '/etcdserverpb.Watch/Watch';

/** One change as etcd reports it. */
export interface WireEvent {
  readonly type: 'put' | 'delete';
  readonly kv: KeyValue;
  /** Absent when the key did not exist before, and when etcd could not look it up any more. */
  readonly previous: Entry | undefined;
}

/** One message of the watch stream. */
export interface EtcdWatchMessage {
  /** The server's revision when it was sent. It says nothing of what this watch has been told. */
  readonly revision: number;
  readonly created: boolean;
  readonly canceled: boolean;
  /** Above 0 when the watch was cancelled because changes that it wants have been compacted. */
  readonly compactRevision: number;
  readonly cancelReason: string;
  /** More events of the same answer follow in the next message. */
  readonly fragment: boolean;
  readonly events: readonly WireEvent[];
}

/** Begin to watch: every change from `startRevision` on, with previous values, in fragments, with progress. */
export function encodeWatchCreate(range: KeyRange, startRevision: number | bigint): Buffer {
  const writer = new ProtoWriter(range.key.length + range.rangeEnd.length + 8 * INT_FIELD_BYTES);
  const create = writer.mark();
  writer.int(8, 1);
  writer.int(6, 1);
  writer.int(4, 1);
  writer.int(3, startRevision);
  writer.bytes(2, range.rangeEnd);
  writer.bytes(1, range.key);
  writer.nest(1, create);
  return writer.finish();
}

/** Ask how far the watch has come. */
export function encodeWatchProgress(): Buffer {
  const writer = new ProtoWriter(INT_FIELD_BYTES);
  writer.nest(3, writer.mark());
  return writer.finish();
}

/** Reads one message of the stream. */
export function decodeWatchResponse(message: Buffer, rootBytes: number): EtcdWatchMessage {
  const reader = new ProtoReader(message);
  let revision = 0;
  let created = false;
  let canceled = false;
  let compactRevision = 0;
  let cancelReason = '';
  let fragment = false;
  const events: WireEvent[] = [];
  while (reader.next()) {
    switch (reader.field) {
      case 1:
        revision = readHeader(reader.message());
        break;
      case 3:
        created = reader.bool();
        break;
      case 4:
        canceled = reader.bool();
        break;
      case 5:
        compactRevision = reader.int();
        break;
      case 6:
        cancelReason = reader.string();
        break;
      case 7:
        fragment = reader.bool();
        break;
      case 11:
        events.push(readEvent(reader.message(), rootBytes));
        break;
      default:
        reader.skip();
    }
  }
  return { revision, created, canceled, compactRevision, cancelReason, fragment, events };
}

const NOTHING: KeyValue = {
  entry: { key: '', value: new Uint8Array(), modRevision: 0n },
  createRevision: 0,
  modRevision: 0,
  version: 0,
};

function readEvent(reader: ProtoReader, rootBytes: number): WireEvent {
  let type: WireEvent['type'] = 'put';
  let kv = NOTHING;
  let previous: Entry | undefined;
  while (reader.next()) {
    if (reader.field === 1) type = reader.int() === 1 ? 'delete' : 'put';
    else if (reader.field === 2) kv = readKeyValue(reader.message(), rootBytes);
    else if (reader.field === 3) previous = readKeyValue(reader.message(), rootBytes).entry;
    else reader.skip();
  }
  return { type, kv, previous };
}
