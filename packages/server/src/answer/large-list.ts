/** Lists with large objects in a form other than JSON: another thread brings the large ones into it, one at a time. */

import { MEDIA_TYPE } from '@listwatch/api';
import type { VisitBudget } from '@listwatch/schema';
import type { CachedObject } from '../cache/cached-object.ts';
import type { ResourceCache } from '../cache/resource-cache.ts';
import type { AnswerForm } from '../contract/answer-form.ts';
import type { ApiRequest } from '../contract/api-request.ts';
import type { FormOrder, LargeForms } from '../contract/large-work.ts';
import type { Pause } from '../contract/pause.ts';
import type { ReadKind } from '../kinds/read-kind.ts';
import { ChunkPace } from './chunk-pace.ts';
import type { IncludeObject } from './include-object.ts';
import { rowOfCells } from './watch-form.ts';
import { yamlItem, yamlListEnvelope } from './yaml-layout.ts';

/** Small items are joined to chunks of this size. */
const CHUNK_BYTES = 64 * 1024;
const COMMA = Buffer.from(',');

/** Where large objects are brought into their form. */
export interface ElsewhereForms {
  readonly large: LargeForms;
  readonly request: Pick<ApiRequest, 'flow' | 'signal' | 'turn'>;
}

/** The part, in the next turn of the request: otherwise nobody would be charged for the work after the answer of the other thread. */
async function formElsewhere({ large, request }: ElsewhereForms, kind: ReadKind, order: FormOrder): Promise<Buffer> {
  const made = await large.form(kind, order, request);
  await request.turn?.();
  return made;
}

/** A list without its items, and how an item is made on this thread. */
export interface LargeListParts {
  readonly head: string;
  readonly tail: string;
  readonly field: string;
  readonly objects: readonly CachedObject[];
  /** An item as JSON. */
  readonly item: (object: CachedObject) => Buffer;
  readonly budget: VisitBudget | undefined;
}

/** The chunks of the list; undefined when no item of it has to be made elsewhere. */
export function largeListChunks(
  cache: ResourceCache,
  parts: LargeListParts,
  { as, mediaType, metaVersion: version, pretty }: AnswerForm,
  include: IncludeObject,
  pause: Pause,
  elsewhere: ElsewhereForms,
): AsyncGenerator<Buffer, undefined> | undefined {
  const { definition, layout } = cache;
  const { large } = elsewhere;
  const isYaml = mediaType === MEDIA_TYPE.yaml;
  const takesCells = (bytes: number): boolean => as === 'table' && large.takesForm('cells', definition, bytes);
  const takesYaml = (bytes: number): boolean => isYaml && large.takesForm('item', definition, bytes);
  if (pretty && !isYaml) return undefined;
  if (!parts.objects.some(({ bytes }) => takesCells(bytes.length) || takesYaml(bytes.length))) return undefined;
  const json = async (object: CachedObject): Promise<Buffer> => {
    if (!takesCells(object.bytes.length)) return parts.item(object);
    const order = { form: 'cells', served: object.bytes, now: cache.now() } as const;
    return rowOfCells(layout, await formElsewhere(elsewhere, definition, order), object, { version, include });
  };
  const yaml = async (object: CachedObject): Promise<Buffer> => {
    const served = await json(object);
    if (!takesYaml(served.length)) return yamlItem(served);
    return formElsewhere(elsewhere, definition, { form: 'item', served, now: cache.now() });
  };
  return isYaml
    ? joined(yamlListEnvelope(parts.head + parts.tail, parts.field), parts, pause, yaml)
    : joined({ before: parts.head, between: COMMA, after: parts.tail }, parts, pause, json);
}

async function* joined(
  { before, between, after }: { readonly before: string; readonly between?: Buffer; readonly after: string },
  { objects, budget }: LargeListParts,
  pause: Pause,
  made: (object: CachedObject) => Promise<Buffer>,
): AsyncGenerator<Buffer, undefined> {
  let pieces: Buffer[] = [Buffer.from(before)];
  let size = 0;
  const pace = new ChunkPace();
  for (const [index, object] of objects.entries()) {
    const piece = await made(object);
    if (index > 0 && between !== undefined) pieces.push(between);
    pieces.push(piece);
    size += piece.length;
    if (budget?.takesBreak() === true) await pause();
    if (size < CHUNK_BYTES && !pace.isLong()) continue;
    yield Buffer.concat(pieces);
    pieces = [];
    size = 0;
    pace.begin();
  }
  yield Buffer.concat([...pieces, Buffer.from(after)]);
}
