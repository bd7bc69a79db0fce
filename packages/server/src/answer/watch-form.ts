/** The forms in which a watch shows objects: how an event becomes a frame. */

import { MEDIA_TYPE, type Status, type WatchEventType } from '@listwatch/api';
import { VisitBudget } from '@listwatch/schema';
import { type CachedObject, parseObject } from '../cache/cached-object.ts';
import type { ResourceCache } from '../cache/resource-cache.ts';
import type { ObjectEventType } from '../cache/watch-scope.ts';
import type { AnswerForm } from '../contract/answer-form.ts';
import { encodeJson } from '../stored/exact-json.ts';
import type { ReadLayout } from '../stored/read-layout.ts';
import { bookmarkMetadata } from './bookmark-metadata.ts';
import type { IncludeObject } from './include-object.ts';
import { isProtobufErrorFrame } from './protobuf-frame.ts';
import { protobufWatchForm } from './protobuf-watch-form.ts';

/** Makes frames. Watchers of one form share them, so `id` must tell any two forms apart that differ in a byte. */
export interface WatchForm {
  readonly id: string;
  /** The frame of an event. */
  event(type: ObjectEventType, object: CachedObject): Buffer;
  /** The frames of objects that are ADDED, in pieces that are not copied; undefined: the form has no such pieces. */
  readonly addedPieces?: ((objects: readonly CachedObject[]) => Buffer[]) | undefined;
  /**
   * Frames cost much more to make than to copy, and are smaller than their objects: a full socket does not end a long turn. Others have
   * their turn between parts. Default false.
   */
  readonly isCostly?: boolean | undefined;
  /** The frame of a bookmark; `initialEventsEnd` marks the end of the initial events. */
  bookmark(revision: bigint, initialEventsEnd: boolean): Buffer;
  /** The frame of an ERROR. */
  error(status: Status): Buffer;
  /** The first frame of a stream where that differs (a Table has its columns only there); undefined: it does not. */
  readonly first?: Pick<WatchForm, 'bookmark' | 'event'> | undefined;
}

const PREFIX: Readonly<Record<WatchEventType, Buffer>> = {
  ADDED: prefixOf('ADDED'),
  MODIFIED: prefixOf('MODIFIED'),
  DELETED: prefixOf('DELETED'),
  BOOKMARK: prefixOf('BOOKMARK'),
  ERROR: prefixOf('ERROR'),
};
const SUFFIX = Buffer.from('}\n');

const BETWEEN_ADDED = Buffer.concat([SUFFIX, PREFIX.ADDED]);

/** A frame around JSON. */
export function frame(type: WatchEventType, object: Buffer): Buffer {
  const prefix = PREFIX[type];
  const bytes = Buffer.allocUnsafe(prefix.length + object.length + SUFFIX.length);
  bytes.set(prefix);
  bytes.set(object, prefix.length);
  bytes.set(SUFFIX, prefix.length + object.length);
  return bytes;
}

/** The bytes of the objects as they are, and what stands between them: whoever sends them copies them once. */
function addedPieces(objects: readonly CachedObject[]): Buffer[] {
  const pieces: Buffer[] = [];
  for (const { bytes } of objects) pieces.push(pieces.length === 0 ? PREFIX.ADDED : BETWEEN_ADDED, bytes);
  if (pieces.length > 0) pieces.push(SUFFIX);
  return pieces;
}

/** Whether a frame is an ERROR event. */
export function isErrorFrame(bytes: Buffer): boolean {
  return bytes.subarray(0, PREFIX.ERROR.length).equals(PREFIX.ERROR) || isProtobufErrorFrame(bytes);
}

/** The form that a client asked for. */
export function watchForm(
  cache: ResourceCache,
  answer: AnswerForm,
  includeObject: IncludeObject = 'Metadata',
): WatchForm {
  if (answer.mediaType === MEDIA_TYPE.protobuf) return protobufWatchForm(cache, answer);
  switch (answer.as) {
    case 'object':
      return objectForm(cache);
    case 'metadata':
      return metadataForm(cache, answer.metaVersion);
    case 'table':
      return tableForm(cache, answer.metaVersion, includeObject);
  }
}

function objectForm(cache: ResourceCache): WatchForm {
  const { kind, apiVersion } = cache.layout.type;
  return {
    id: 'object',
    event: (type, object) => frame(type, object.bytes),
    addedPieces,
    bookmark: (revision, end) =>
      frame(
        'BOOKMARK',
        json({ kind, apiVersion, metadata: bookmarkMetadata(revision, end), ...cache.definition.emptyFields }),
      ),
    error: errorFrame,
  };
}

function metadataForm({ layout }: ResourceCache, version: string): WatchForm {
  const type = { kind: 'PartialObjectMetadata', apiVersion: `meta.k8s.io/${version}` };
  return {
    id: `metadata ${version}`,
    event: (eventType, object) => frame(eventType, partialMetadata(layout, object, version)),
    bookmark: (revision, end) => frame('BOOKMARK', json({ ...type, metadata: bookmarkMetadata(revision, end) })),
    error: errorFrame,
  };
}

/** The PartialObjectMetadata form of an object, made from its bytes. */
export function partialMetadata(layout: ReadLayout, object: CachedObject, version: string): Buffer {
  const head = `{"kind":"PartialObjectMetadata","apiVersion":"meta.k8s.io/${version}","metadata":`;
  return Buffer.concat([Buffer.from(head), layout.metadata(object.bytes), Buffer.from('}')]);
}

function tableForm(cache: ResourceCache, version: string, includeObject: IncludeObject): WatchForm {
  const { columns } = cache.definition;
  // For all rows of the form: the frames of many objects are made in one turn.
  const budget = new VisitBudget();
  const table = (rows: readonly Buffer[], revision: bigint, withColumns: boolean): Buffer => {
    const definitions = withColumns ? JSON.stringify(columns.definitions) : 'null';
    const head = `{"kind":"Table","apiVersion":"meta.k8s.io/${version}","metadata":{"resourceVersion":"${revision}"},"columnDefinitions":${definitions},"rows":[`;
    return Buffer.concat([Buffer.from(head), ...rows, Buffer.from(']}')]);
  };
  const part = (withColumns: boolean): Pick<WatchForm, 'bookmark' | 'event'> => ({
    event: (type, object) =>
      frame(type, table([tableRow(cache, object, version, includeObject, budget)], object.revision, withColumns)),
    bookmark: (revision, end) => {
      const object = { kind: 'PartialObjectMetadata', apiVersion: `meta.k8s.io/${version}` };
      const row = json({
        cells: cellsOfNothing(cache),
        object: { ...object, metadata: bookmarkMetadata(revision, end) },
      });
      return frame('BOOKMARK', table([row], revision, withColumns));
    },
  });
  return {
    id: `table ${version} ${includeObject}`,
    isCostly: true,
    ...part(false),
    first: part(true),
    error: errorFrame,
  };
}

/** One row of a Table. `budget`: what the cells of all its rows may cost. */
export function tableRow(
  cache: ResourceCache,
  object: CachedObject,
  version: string,
  include: IncludeObject,
  budget?: VisitBudget,
): Buffer {
  return rowOfCells(cache.layout, rowCells(cache, object, budget), object, { version, include });
}

/** The cells of a row, as JSON. */
export function rowCells(cache: ResourceCache, { bytes }: CachedObject, budget?: VisitBudget): Buffer {
  return Buffer.from(encodeJson(cache.definition.columns.cells(parseObject(bytes), cache.now(), budget)));
}

/** The row with these cells. */
export function rowOfCells(
  layout: ReadLayout,
  cells: Buffer,
  object: CachedObject,
  { version, include }: { readonly version: string; readonly include: IncludeObject },
): Buffer {
  const parts: Buffer[] = [Buffer.from('{"cells":'), cells];
  if (include === 'Metadata') parts.push(Buffer.from(',"object":'), partialMetadata(layout, object, version));
  else if (include === 'Object') parts.push(Buffer.from(',"object":'), object.bytes);
  parts.push(Buffer.from(include === 'None' ? ',"object":null}' : '}'));
  return Buffer.concat(parts);
}

function cellsOfNothing(cache: ResourceCache): readonly unknown[] {
  const { kind, apiVersion } = cache.layout.type;
  return cache.definition.columns.cells(
    { kind, apiVersion, metadata: {}, ...cache.definition.emptyFields },
    cache.now(),
  );
}

function errorFrame(status: Status): Buffer {
  return frame('ERROR', json(status));
}

function json(value: object): Buffer {
  return Buffer.from(JSON.stringify(value));
}

function prefixOf(type: WatchEventType): Buffer {
  return Buffer.from(`{"type":"${type}","object":`);
}
