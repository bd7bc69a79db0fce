/** Protobuf messages in their envelopes, and Statuses. */

import type { Status } from '@listwatch/api';
import { BUILT_IN_SCHEMAS } from '@listwatch/kinds/schemas';
import { sealEnvelope } from '@listwatch/schema';
import type { TypeMeta } from '../stored/object-layout.ts';
import { encodeRecord } from '../stored/object-message.ts';

/** A message in its envelope, as a body. */
export function sealed({ apiVersion, kind }: TypeMeta, message: Buffer): Buffer {
  return Buffer.from(sealEnvelope({ apiVersion, kind, message }));
}

/**
 * The PartialObjectMetadata of a message: the metadata is the first field of every kind, so that no bytes are copied. Empty for a
 * message without metadata.
 */
export function metadataMessage(message: Buffer): Buffer {
  let [at, length, scale] = [1, 0, 1];
  for (let byte = message[at] ?? 0; ; byte = message[at] ?? 0) {
    at += 1;
    length += (byte & 0x7f) * scale;
    if (byte < 0x80) break;
    scale *= 0x80;
  }
  return message.subarray(0, at + length);
}

const STATUS_TYPE = 'meta/v1.Status';

/** A Status in its envelope; undefined while the schemas are not loaded. */
export function sealedStatus(status: Status): Buffer | undefined {
  if (!BUILT_IN_SCHEMAS.has(STATUS_TYPE)) return undefined;
  return sealed({ apiVersion: 'v1', kind: 'Status' }, statusMessage(status));
}

/** The message of a Status. The schemas of the start hold its type. */
export function statusMessage(status: Status): Buffer {
  return encodeRecord(BUILT_IN_SCHEMAS.message(STATUS_TYPE), { ...status });
}
