/** A list as bytes: copied together from what the cache holds, never stringified. */

import { encodeContinueToken, HEADER, MEDIA_TYPE } from '@listwatch/api';
import { stringify } from 'yaml';
import type { CachedObject } from '../cache/cached-object.ts';
import type { ListPage } from '../cache/list-page.ts';
import type { ResourceCache } from '../cache/resource-cache.ts';
import { type IncludeObject, partialMetadata, tableRow } from '../cache/watch-form.ts';
import type { ApiResponse } from '../http/exchange.ts';
import { prettyJson } from './answer.ts';
import type { AnswerForm } from './verb.ts';

/** A chunk of a streamed list, and the size up to which a list is sent whole. */
const CHUNK_BYTES = 64 * 1024;

/** The answer to a list. */
export function answerList(
  cache: ResourceCache,
  page: ListPage,
  form: AnswerForm,
  includeObject: IncludeObject,
): ApiResponse {
  const { head, item, tail } = listShape(cache, page, form, includeObject);
  const headers = { [HEADER.contentType.toLowerCase()]: form.mediaType };
  const isPlain = !form.pretty && form.mediaType === MEDIA_TYPE.json;
  if (isPlain && sizeOf(page) > CHUNK_BYTES) {
    const sized = form.as === 'object' ? { ...headers, ...contentLength(head, page.objects, item, tail) } : headers;
    return { type: 'stream', status: 200, headers: sized, chunks: chunks(head, page.objects, item, tail) };
  }
  // A chunk is valid only until the next one is made.
  const json = Buffer.concat(Array.from(chunks(head, page.objects, item, tail), (chunk) => Buffer.from(chunk)));
  return { type: 'bytes', status: 200, headers, body: isPlain ? json : rewrite(json, form) };
}

/** One item: the bytes to copy, from where on, and what comes before. */
interface ItemPart {
  readonly opening: string;
  readonly bytes: Buffer;
  readonly from: number;
}

interface ListShape {
  readonly head: string;
  readonly item: (object: CachedObject) => ItemPart;
  readonly tail: string;
}

function listShape(cache: ResourceCache, page: ListPage, form: AnswerForm, includeObject: IncludeObject): ListShape {
  const metadata = JSON.stringify(listMetadata(page));
  const { kind, apiVersion } = cache.layout.type;
  const metaVersion = `meta.k8s.io/${form.metaVersion}`;
  switch (form.as) {
    case 'object': {
      const from = cache.layout.itemOffset;
      const head = `{"kind":"${kind}List","apiVersion":"${apiVersion}","metadata":${metadata},"items":[`;
      return { head, item: ({ bytes }) => ({ opening: '{', bytes, from }), tail: ']}\n' };
    }
    case 'metadata': {
      const head = `{"kind":"PartialObjectMetadataList","apiVersion":"${metaVersion}","metadata":${metadata},"items":[`;
      const item = (object: CachedObject): ItemPart => whole(partialMetadata(object, form.metaVersion));
      return { head, item, tail: ']}\n' };
    }
    case 'table': {
      const columns = JSON.stringify(cache.definition.columns.definitions);
      const head = `{"kind":"Table","apiVersion":"${metaVersion}","metadata":${metadata},"columnDefinitions":${columns},"rows":[`;
      const item = (object: CachedObject): ItemPart => whole(tableRow(cache, object, form.metaVersion, includeObject));
      return { head, item, tail: ']}\n' };
    }
  }
}

function whole(bytes: Buffer): ItemPart {
  return { opening: '', bytes, from: 0 };
}

function listMetadata({ revision, next, remaining }: ListPage): object {
  return {
    resourceVersion: String(revision),
    ...(next === undefined ? {} : { continue: encodeContinueToken({ revision, start: next }) }),
    ...(remaining === undefined ? {} : { remainingItemCount: remaining }),
  };
}

/** About how large the list will be: exact enough to choose how to send it. */
function sizeOf(page: ListPage): number {
  let size = 0;
  for (const object of page.objects) {
    size += object.bytes.length;
    if (size > CHUNK_BYTES) break;
  }
  return size;
}

/** How long the list will be, where its items are copied as they are: sending it costs less when that is known. */
function contentLength(
  head: string,
  objects: readonly CachedObject[],
  item: (object: CachedObject) => ItemPart,
  tail: string,
): Readonly<Record<string, string>> {
  let size = Buffer.byteLength(head) + tail.length + Math.max(0, objects.length - 1);
  for (const object of objects) {
    const { opening, bytes, from } = item(object);
    size += opening.length + bytes.length - from;
  }
  return { 'content-length': String(size) };
}

/**
 * The list in pieces of about 64 KiB, each copied together when it is asked for, into the same memory: a fresh buffer
 * for each doubles the cost of a large list (measured).
 */
function* chunks(
  head: string,
  objects: readonly CachedObject[],
  item: (object: CachedObject) => ItemPart,
  tail: string,
): Generator<Buffer, undefined> {
  let chunk = Buffer.allocUnsafeSlow(CHUNK_BYTES);
  let used = chunk.write(head);
  if (Buffer.byteLength(head) > CHUNK_BYTES) {
    yield Buffer.from(head);
    used = 0;
  }
  for (const [index, object] of objects.entries()) {
    const { opening, bytes, from } = item(object);
    const separator = index === 0 ? opening : `,${opening}`;
    const size = separator.length + bytes.length - from;
    if (used + size > chunk.length) {
      if (used > 0) yield chunk.subarray(0, used);
      if (size > chunk.length) chunk = Buffer.allocUnsafe(size);
      used = 0;
    }
    used += chunk.write(separator, used, 'latin1');
    used += bytes.copy(chunk, used, from);
  }
  if (used > 0) yield chunk.subarray(0, used);
  yield Buffer.from(tail);
}

/** For people: indented, or YAML. Parses; nobody who is in a hurry asks for it. */
function rewrite(json: Buffer, form: AnswerForm): Buffer {
  if (form.mediaType === MEDIA_TYPE.json) return prettyJson(json);
  return Buffer.from(stringify(JSON.parse(json.toString())));
}
