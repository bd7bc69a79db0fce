/** Objects as protobuf messages. */

import { isRecord, type JsonRecord } from '@listwatch/api/values';
import { BUILT_IN_SCHEMAS } from '@listwatch/kinds/schemas';
import { encodeMessage, type MessagePlan } from '@listwatch/schema';
import type { ReadKind } from '../kinds/read-kind.ts';
import { decodeJson, encodeJson } from './exact-json.ts';
import type { ReadLayout } from './read-layout.ts';

/** Encodes objects of a kind in protobuf. Custom kinds have a message for their metadata only. */
export function messagePlan({ custom, data }: Pick<ReadKind, 'custom' | 'data'>): MessagePlan {
  return BUILT_IN_SCHEMAS.message(custom === undefined ? data.type : 'meta/v1.PartialObjectMetadata');
}

/** The message of an object, given as the JSON that is served. Throws a TypeError for an object that is not of its kind. */
export function encodeObject(plan: MessagePlan, json: Buffer): Buffer {
  const object = decodeJson(json);
  if (!isRecord(object)) throw new TypeError('a stored value is no object');
  return encodeRecord(plan, object);
}

/** The message of an object as a cache of this layout has it. */
export function servedMessage(definition: ReadKind, layout: ReadLayout, json: Buffer): Buffer {
  return layout.message?.(json) ?? encodeObject(messagePlan(definition), json);
}

/** The message of a decoded object. */
export function encodeRecord(plan: MessagePlan, object: JsonRecord): Buffer {
  const bytes = encodeMessage(plan, object, { jsonText: encodeJson });
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
