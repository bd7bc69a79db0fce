/** Builds the body of a list in protobuf from the messages of its objects, without encoding them again. */

import { MEDIA_TYPE } from '@listwatch/api';
import { BUILT_IN_SCHEMAS } from '@listwatch/kinds/schemas';
import { envelopeParts } from '@listwatch/schema';
import type { CachedObject } from '../cache/cached-object.ts';
import type { CachedPage } from '../cache/list-page.ts';
import type { ResourceCache } from '../cache/resource-cache.ts';
import type { AnswerForm } from '../contract/answer-form.ts';
import type { BytesResponse, StreamResponse } from '../contract/api-response.ts';
import type { Pause } from '../contract/pause.ts';
import type { TypeMeta } from '../stored/object-layout.ts';
import { encodeRecord } from '../stored/object-message.ts';
import type { ElsewhereForms } from './large-list.ts';
import { listMetadata } from './list-metadata.ts';
import { metadataMessage } from './sealed-message.ts';
import { fieldSize, putLength } from './varint.ts';

const CHUNK_BYTES = 64 * 1024;
/** Lists up to this size are sent whole, which is cheaper than waiting for the socket between chunks. */
const WHOLE_BYTES = 128 * 1024;
/** The event loop gets a turn after so long: to encode a large list for the first time takes a second. */
const TURN_MS = 2;
/** Smaller objects are always encoded on this thread. */
const LARGE_BYTES = 16 * 1024;
/** How many objects are encoded between two looks at the clock. */
const STEP = 32;

/** The fields of a list: its metadata, and one for each item. */
const METADATA = 1;
const ITEM = 2;

/**
 * The answer to a list. The length of a list stands in front of it, so all objects are encoded before the first byte. Those that the
 * budget of messages cannot hold are encoded again while they are sent: a list is never in memory as a whole.
 */
export async function answerProtobufList(
  cache: ResourceCache,
  page: CachedPage,
  form: AnswerForm,
  pause: Pause,
  elsewhere?: ElsewhereForms,
): Promise<BytesResponse | StreamResponse> {
  const item = form.as === 'metadata' ? metadataOf(cache) : (object: CachedObject) => cache.message(object);
  const metadata = encodeRecord(BUILT_IN_SCHEMAS.message('meta/v1.ListMeta'), listMetadata(page));
  const length =
    fieldSize(metadata.length) +
    (await itemsLength(page.objects, item, pause, (object) => prepareMessage(cache, object, elsewhere)));
  const { apiVersion, kind } = listType(cache, form);
  const { head, tail } = envelopeParts(apiVersion, kind, length);
  const first = Buffer.concat([head, prefixOf(METADATA, metadata.length), metadata]);
  const size = head.length + length + tail.length;
  const chunks = listChunks(first, page.objects, item, tail);
  const headers = { 'content-type': MEDIA_TYPE.protobuf };
  if (size > WHOLE_BYTES) {
    return { type: 'stream', status: 200, headers: { ...headers, 'content-length': String(size) }, chunks };
  }
  const body = Buffer.concat(Array.from(chunks, (chunk) => Buffer.from(chunk)));
  return { type: 'bytes', status: 200, headers, body };
}

type ItemOf = (object: CachedObject) => Buffer;

function metadataOf(cache: ResourceCache): ItemOf {
  return (object) => metadataMessage(cache.message(object));
}

function listType(cache: ResourceCache, form: AnswerForm): TypeMeta {
  if (form.as === 'metadata') {
    return { apiVersion: `meta.k8s.io/${form.metaVersion}`, kind: 'PartialObjectMetadataList' };
  }
  const { apiVersion, kind } = cache.layout.type;
  return { apiVersion, kind: `${kind}List` };
}

/** Encodes a large object in another thread. The message is kept, so that it is not encoded again. */
async function prepareMessage(
  cache: ResourceCache,
  object: CachedObject,
  forms: ElsewhereForms | undefined,
): Promise<void> {
  const { definition } = cache;
  if (forms?.large.takesForm('message', definition, object.bytes.length) !== true) return;
  const order = { form: 'message', served: object.bytes, now: cache.now() } as const;
  await cache.prepareMessage(object, () => forms.large.form(definition, order, forms.request));
  // Otherwise nobody would be charged for the work after the answer of the other thread.
  await forms.request.turn?.();
}

async function itemsLength(
  objects: readonly CachedObject[],
  item: ItemOf,
  pause: Pause,
  prepare: (object: CachedObject) => Promise<void>,
): Promise<number> {
  let length = 0;
  let started = performance.now();
  for (const [index, object] of objects.entries()) {
    if (object.bytes.length > LARGE_BYTES) await prepare(object);
    length += fieldSize(item(object).length);
    if (index % STEP !== STEP - 1 || performance.now() - started < TURN_MS) continue;
    await pause();
    started = performance.now();
  }
  return length;
}

/** The list in pieces of about 64 KiB. All pieces use the same buffer, so that each is valid until the next one is made. */
function* listChunks(
  first: Buffer,
  objects: readonly CachedObject[],
  item: ItemOf,
  tail: Uint8Array,
): Generator<Buffer, undefined> {
  const chunk = Buffer.allocUnsafeSlow(CHUNK_BYTES);
  let used = 0;
  if (first.length <= CHUNK_BYTES) {
    chunk.set(first);
    used = first.length;
  } else yield first;
  for (const object of objects) {
    const message = item(object);
    const size = fieldSize(message.length);
    if (used + size > CHUNK_BYTES && used > 0) {
      yield chunk.subarray(0, used);
      used = 0;
    }
    if (size > CHUNK_BYTES) {
      yield Buffer.concat([prefixOf(ITEM, message.length), message]);
      continue;
    }
    used = putLength(chunk, used, ITEM, message.length);
    chunk.set(message, used);
    used += message.length;
  }
  if (used + tail.length > CHUNK_BYTES) {
    yield chunk.subarray(0, used);
    used = 0;
  }
  chunk.set(tail, used);
  yield chunk.subarray(0, used + tail.length);
}

function prefixOf(field: number, length: number): Buffer {
  const prefix = Buffer.alloc(fieldSize(length) - length);
  putLength(prefix, 0, field, length);
  return prefix;
}
