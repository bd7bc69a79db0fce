/** Builds the body of a list from the cached bytes of its objects, without encoding them again. */

import { HEADER, MEDIA_TYPE } from '@listwatch/api';
import { VisitBudget } from '@listwatch/schema';
import { type CachedObject, parseObject } from '../cache/cached-object.ts';
import type { CachedPage } from '../cache/list-page.ts';
import type { ResourceCache } from '../cache/resource-cache.ts';
import type { AnswerForm } from '../contract/answer-form.ts';
import type { BytesResponse, StreamResponse } from '../contract/api-response.ts';
import { justPause, type Pause } from '../contract/pause.ts';
import { ChunkPace } from './chunk-pace.ts';
import type { IncludeObject } from './include-object.ts';
import { indentedListPieces } from './json-layout.ts';
import { type ElsewhereForms, largeListChunks } from './large-list.ts';
import { listMetadata } from './list-metadata.ts';
import { pacedChunks, wholeOrPaced } from './paced-chunks.ts';
import { partialMetadata, tableRow } from './watch-form.ts';
import { yamlListPieces } from './yaml-layout.ts';

/** The size of a chunk of a streamed list. */
const CHUNK_BYTES = 64 * 1024;
/** Lists up to this size are sent whole, which is cheaper than waiting for the socket between chunks. */
const WHOLE_BYTES = 128 * 1024;
/** What the columns of one Table may look at, beside what each row adds. */
const TABLE_VISITS = 4_000_000;

/** The answer to a list, as JSON or YAML. */
export function answerList(
  cache: ResourceCache,
  page: CachedPage,
  form: AnswerForm,
  includeObject: IncludeObject,
  pause: Pause = justPause,
  elsewhere?: ElsewhereForms,
): BytesResponse | StreamResponse {
  const shape = listShape(cache, page, form, includeObject);
  const { head, pieces, length, tail, whole, field, item, budget } = shape;
  const headers = { [HEADER.contentType.toLowerCase()]: form.mediaType };
  const parts = { head, tail, field, item, budget, objects: shape.rows ?? page.objects };
  const made = elsewhere && largeListChunks(cache, parts, form, includeObject, pause, elsewhere);
  if (made !== undefined) return { type: 'stream', status: 200, headers, chunks: made };
  const isPlain = !form.pretty && form.mediaType === MEDIA_TYPE.json;
  if (isPlain && whole !== undefined) return { type: 'bytes', status: 200, headers, body: whole() };
  if (isPlain && sizeOf(page) > CHUNK_BYTES) {
    // A known length spares the chunked encoding.
    const size =
      length === undefined ? {} : { 'content-length': String(Buffer.byteLength(head) + length + tail.length) };
    const chunks = pieces(head, tail);
    return {
      type: 'stream',
      status: 200,
      headers: { ...headers, ...size },
      chunks: budget === undefined ? chunks : pacedChunks(chunks, budget, pause),
    };
  }
  if (isPlain) return answerChunks(copies(pieces(head, tail)), budget, headers, pause);
  const items = itemsOf(page, item);
  const rewritten =
    form.mediaType === MEDIA_TYPE.json
      ? indentedListPieces(head, items, tail)
      : yamlListPieces(head + tail, field, items);
  const chunks = inChunks(rewritten, budget);
  if (sizeOf(page) <= CHUNK_BYTES) return answerChunks(chunks, budget, headers, pause);
  return {
    type: 'stream',
    status: 200,
    headers,
    chunks: budget === undefined ? chunks : pacedChunks(chunks, budget, pause),
  };
}

/** The answer of a short list: whole, unless its cells take so long that there are breaks. */
function answerChunks(
  chunks: Iterator<Buffer, undefined>,
  budget: VisitBudget | undefined,
  headers: Readonly<Record<string, string>>,
  pause: Pause,
): BytesResponse | StreamResponse {
  const made = wholeOrPaced(chunks, budget, pause);
  return Buffer.isBuffer(made)
    ? { type: 'bytes', status: 200, headers, body: made }
    : { type: 'stream', status: 200, headers, chunks: made };
}

/** A chunk of a list is valid only until the next one is made; its copy is valid for ever. */
function* copies(chunks: Iterable<Buffer>): Generator<Buffer, undefined> {
  for (const chunk of chunks) yield Buffer.from(chunk);
}

function* itemsOf({ objects }: CachedPage, item: (object: CachedObject) => Buffer): Generator<Buffer, undefined> {
  for (const object of objects) yield item(object);
}

/** Joins small pieces into chunks, to save socket writes. */
function* inChunks(pieces: Iterable<Buffer>, budget: VisitBudget | undefined): Generator<Buffer, undefined> {
  let parts: Buffer[] = [];
  let size = 0;
  const pace = new ChunkPace();
  for (const piece of pieces) {
    parts.push(piece);
    size += piece.length;
    if (size < CHUNK_BYTES && budget?.isBreakDue !== true && !pace.isLong()) continue;
    yield Buffer.concat(parts);
    parts = [];
    size = 0;
    pace.begin();
  }
  if (size > 0) yield Buffer.concat(parts);
}

interface ListShape {
  readonly head: string;
  /** The whole list in pieces. Each piece is valid until the next one is made. */
  readonly pieces: (head: string, tail: string) => Generator<Buffer, undefined>;
  /** The name of the member with the items. */
  readonly field: 'items' | 'rows';
  /** One item as JSON, in its own buffer. */
  readonly item: (object: CachedObject) => Buffer;
  /** The length of all items with their commas, if it is known in advance. */
  readonly length: number | undefined;
  readonly tail: string;
  /** Makes the list in one piece, if it is small and its length is known. */
  readonly whole?: (() => Buffer) | undefined;
  /** The objects in the order of the list; undefined: in that of the page. */
  readonly rows?: readonly CachedObject[] | undefined;
  /** What its cells may cost; undefined: they cost little. */
  readonly budget?: VisitBudget | undefined;
}

function listShape(cache: ResourceCache, page: CachedPage, form: AnswerForm, includeObject: IncludeObject): ListShape {
  const { objects } = page;
  const { custom } = cache.definition;
  const isCustom = custom !== undefined && form.as === 'object';
  // Lists of custom kinds have items with their types, and always a token.
  const metadata = JSON.stringify({ ...(isCustom ? { continue: '' } : {}), ...listMetadata(page) });
  const { kind, apiVersion } = cache.layout.type;
  const metaVersion = `meta.k8s.io/${form.metaVersion}`;
  const tail = ']}\n';
  switch (form.as) {
    case 'object': {
      const offset = isCustom ? 1 : cache.layout.itemOffset;
      const head = `{"kind":"${custom?.listKind ?? `${kind}List`}","apiVersion":"${apiVersion}","metadata":${metadata},"items":[`;
      const pieces = (before: string, after: string): Generator<Buffer, undefined> =>
        copiedChunks(before, objects, offset, after);
      const length = copiedLength(objects, offset);
      const isSmall = Buffer.byteLength(head) + length + tail.length <= WHOLE_BYTES;
      const whole = isSmall ? (): Buffer => copiedWhole(head, objects, offset, length, tail) : undefined;
      const item = (object: CachedObject): Buffer => wideItem([object], 0, offset);
      return { head, pieces, length, tail, whole, field: 'items', item };
    }
    case 'metadata': {
      const head = `{"kind":"PartialObjectMetadataList","apiVersion":"${metaVersion}","metadata":${metadata},"items":[`;
      const item = (object: CachedObject): Buffer => partialMetadata(cache.layout, object, form.metaVersion);
      const pieces = (before: string, after: string): Generator<Buffer, undefined> =>
        madeChunks(before, objects, item, after);
      return { head, pieces, length: undefined, tail, field: 'items', item };
    }
    case 'table': {
      const columns = JSON.stringify(cache.definition.columns.definitions);
      const head = `{"kind":"Table","apiVersion":"${metaVersion}","metadata":${metadata},"columnDefinitions":${columns},"rows":[`;
      // The paths of its columns are anybody's: only those of custom kinds can look at a value more than once.
      const budget = custom === undefined ? undefined : new VisitBudget(TABLE_VISITS);
      const item = (object: CachedObject): Buffer => tableRow(cache, object, form.metaVersion, includeObject, budget);
      const rows = inOrder(objects, cache.definition.columns.compare);
      const pieces = (before: string, after: string): Generator<Buffer, undefined> =>
        madeChunks(before, rows, item, after, budget);
      return { head, pieces, length: undefined, tail, field: 'rows', item, budget, rows };
    }
  }
}

/** The objects in the order of the kind's tables. */
function inOrder(
  objects: readonly CachedObject[],
  compare: ResourceCache['definition']['columns']['compare'],
): readonly CachedObject[] {
  if (compare === undefined) return objects;
  return objects
    .map((object) => ({ object, parsed: parseObject(object.bytes) }))
    .toSorted((left, right) => compare(left.parsed, right.parsed))
    .map(({ object }) => object);
}

/** The approximate size of the list, to choose between whole and streamed. */
function sizeOf(page: CachedPage): number {
  let size = 0;
  for (const object of page.objects) {
    size += object.bytes.length;
    if (size > CHUNK_BYTES) break;
  }
  return size;
}

/** The length of the items that `copiedChunks` writes. */
function copiedLength(objects: readonly CachedObject[], offset: number): number {
  let size = Math.max(0, objects.length - 1);
  for (const { bytes } of objects) size += bytes.length - offset + 1;
  return size;
}

/** The same list as `copiedChunks` makes, in one buffer of exactly its size. */
function copiedWhole(
  head: string,
  objects: readonly CachedObject[],
  offset: number,
  length: number,
  tail: string,
): Buffer {
  const begin = Buffer.byteLength(head);
  const end = begin + length;
  const all = Buffer.allocUnsafeSlow(end + tail.length);
  all.write(head);
  fill(all, objects, { first: 0, next: objects.length, begin, end, offset });
  all.write(tail, end, 'latin1');
  return all;
}

const COMMA = 0x2c;
const OPENING_BRACE = 0x7b;

/**
 * A list whose items are `{` and the bytes of an object from `offset` on, in pieces of about 64 KiB. All pieces use the
 * same buffer: a fresh one for each doubled the cost of a large list (measured).
 */
function* copiedChunks(
  head: string,
  objects: readonly CachedObject[],
  offset: number,
  tail: string,
): Generator<Buffer, undefined> {
  const chunk = Buffer.allocUnsafeSlow(CHUNK_BYTES);
  let used = chunk.write(head);
  if (Buffer.byteLength(head) > CHUNK_BYTES) {
    yield Buffer.from(head);
    used = 0;
  }
  let first = 0;
  while (first < objects.length) {
    let end = used;
    let next = first;
    for (; next < objects.length; next += 1) {
      const size = itemSize(objects, next, offset);
      if (end + size > CHUNK_BYTES) break;
      end += size;
    }
    if (next > first) fill(chunk, objects, { first, next, begin: used, end, offset });
    else if (used === 0) {
      yield wideItem(objects, first, offset);
      first += 1;
      continue;
    }
    if (next === objects.length && end + tail.length <= CHUNK_BYTES) {
      yield chunk.subarray(0, end + chunk.write(tail, end, 'latin1'));
      return;
    }
    yield chunk.subarray(0, end);
    used = 0;
    first = next;
  }
  used += chunk.write(tail, used, 'latin1');
  yield chunk.subarray(0, used);
}

/** The size of an item, with the comma in front of all but the first. */
function itemSize(objects: readonly CachedObject[], index: number, offset: number): number {
  return (objects[index]?.bytes.length ?? 0) - offset + (index === 0 ? 1 : 2);
}

/** A range of items and where they go in a buffer. */
interface Filling {
  readonly first: number;
  /** The index after the last item. */
  readonly next: number;
  readonly begin: number;
  readonly end: number;
  readonly offset: number;
}

/**
 * Writes items between `begin` and `end`, from the last to the first. Copies each object whole, because copying a part of
 * a buffer costs more (measured); the next copy overwrites the bytes in front of the item.
 */
function fill(chunk: Buffer, objects: readonly CachedObject[], { first, next, begin, end, offset }: Filling): void {
  let at = end;
  for (let index = next - 1; index >= first; index -= 1) {
    const bytes = objects[index]?.bytes;
    if (bytes === undefined) continue;
    const start = at - bytes.length;
    // The bytes before `begin` are already written and must stay.
    if (start >= begin) chunk.set(bytes, start);
    else bytes.copy(chunk, start + offset, offset);
    at = start + offset - 1;
    chunk[at] = OPENING_BRACE;
    if (index === 0) continue;
    at -= 1;
    chunk[at] = COMMA;
  }
}

/** One item in its own buffer. */
function wideItem(objects: readonly CachedObject[], index: number, offset: number): Buffer {
  const end = itemSize(objects, index, offset);
  const own = Buffer.allocUnsafeSlow(end);
  fill(own, objects, { first: index, next: index + 1, begin: 0, end, offset });
  return own;
}

/** A list of items that are encoded on demand, in pieces of about 64 KiB. */
function* madeChunks(
  head: string,
  objects: readonly CachedObject[],
  item: (object: CachedObject) => Buffer,
  tail: string,
  budget?: VisitBudget,
): Generator<Buffer, undefined> {
  let parts: Buffer[] = [Buffer.from(head)];
  let size = 0;
  const pace = new ChunkPace();
  for (const [index, object] of objects.entries()) {
    const bytes = item(object);
    if (index > 0) parts.push(SEPARATOR);
    parts.push(bytes);
    size += bytes.length;
    if (size < CHUNK_BYTES && budget?.isBreakDue !== true && !pace.isLong()) continue;
    yield Buffer.concat(parts);
    parts = [];
    size = 0;
    pace.begin();
  }
  yield Buffer.concat([...parts, Buffer.from(tail)]);
}

const SEPARATOR = Buffer.from(',');
