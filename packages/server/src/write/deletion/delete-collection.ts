/** DELETE on a collection: every object that the selectors match, some at a time. */

import {
  badListVersion,
  badRequest,
  decodeContinueToken,
  decodeListOptions,
  encodeContinueToken,
  genericFailure,
  HEADER,
  isNotFound,
  MEDIA_TYPE,
  NAME_FIELD,
  NAMESPACE_FIELD,
  type ParsedListOptions,
  parseResourceVersion,
  ResourceVersionError,
  tooLargeResourceVersion,
  versionWithContinue,
} from '@listwatch/api';
import type { KubeObject } from '@listwatch/rules/internal';
import type { Entry, RangeResult, Revision } from '@listwatch/storage';
import { answerPlain } from '../../answer/answer-object.ts';
import { reportingStorage } from '../../answer/storage-failure.ts';
import { LoopPace, pauseOf } from '../../contract/pause.ts';
import type { ResourceCall, Verb, VerbContext } from '../../contract/verb.ts';
import type { ResourceDefinition } from '../../kinds/resource-definition.ts';
import { isStorableKey, keyPrefix, parseObjectKey } from '../../stored/requested-key.ts';
import { layoutOf, servedBytes, storedObject } from '../../stored/stored-object.ts';
import { requestHead } from '../admission/dynamic/request-head.ts';
import { type DeletionOptions, readDeleteOptions } from './delete-options.ts';
import { warnOfDeletion } from './deletion-warning.ts';
import { deleteObject } from './object-deletion.ts';

/**
 * The number of objects in one read. Of a larger collection only the keys stay in memory during the deletion; for the
 * answer the objects are read again at the revision of the list.
 */
const PAGE = 500;

/**
 * Deletes the objects that the selectors match, and answers with the list of them. One commit for each object: objects
 * created meanwhile stay, and objects deleted meanwhile are skipped.
 */
export const deleteCollection: Verb = (context, call) =>
  reportingStorage(async () => {
    const { definition, request, path } = call;
    if (definition.resource.namespaced && path.namespace === '') throw genericFailure(405);
    const listOptions = decodeListOptions(request.query);
    const matches = matcherOf(definition, listOptions);
    const options = await readDeleteOptions(request);
    warnOfDeletion(call, options);
    const from = startOf(listOptions, keyPrefix(definition, path.namespace));
    const wanted = { from, limit: listOptions.limit, matches };
    const selection = await reportingStorage(() => select(context, call, wanted), from.at);
    await deleteKeys(context, call, selection.keys, options);
    const chunks = listChunks(context, call, wanted, selection);
    if (selection.whole === undefined && !call.form.pretty) {
      const headers = { [HEADER.contentType.toLowerCase()]: MEDIA_TYPE.json };
      return { type: 'stream', status: 200, headers, chunks };
    }
    const parts: Buffer[] = [];
    for await (const chunk of chunks) parts.push(chunk);
    // Other forms are for single objects only, so this list is always JSON.
    return answerPlain(call, Buffer.concat(parts).subarray(0, -1));
  });

/**
 * The number of concurrent deletions: their commits share one disk write, in order. A shared store may reorder
 * concurrent commits, so there objects are deleted one by one, as in kube-apiserver.
 */
const AT_ONCE = 16;
const AT_ONCE_SHARED = 1;

/** Policies and webhooks see the objects in order, because a refusal stops the deletion of all later objects. */
const ASKED_PASSES = ['mutating', 'validating'] as const;

/** Starts the deletions in order. After a failure starts no more, and throws it when the running ones have ended. */
async function deleteKeys(
  context: VerbContext,
  call: ResourceCall,
  keys: readonly string[],
  options: DeletionOptions,
): Promise<void> {
  const { definition, request } = call;
  const waiting = keys.values();
  const pace = new LoopPace(pauseOf(request));
  let hasFailed = false;
  const worker = async (): Promise<void> => {
    while (!hasFailed) {
      try {
        // Before a key is taken, so that those that are taken are deleted in order.
        const rest = pace.step();
        if (rest !== undefined) await rest;
        request.throwIfAborted();
        const { value: key } = waiting.next();
        if (key === undefined) return;
        const at = parseObjectKey(definition, key);
        if (at === undefined) continue;
        const one = { ...call, path: { ...call.path, ...at, subresource: '' } };
        await deleteObject(context, one, options, 'collection');
      } catch (error) {
        if (isNotFound(error)) continue;
        hasFailed = true;
        throw error;
      }
    }
  };
  const head = requestHead(call, 'DELETE', call.path.name);
  const isAsked = ASKED_PASSES.some((pass) => context.admission.concerns(head, pass));
  const isInOrder = isAsked || context.kinds.storeOf(definition).engine.capabilities.shared;
  const atOnce = isInOrder ? AT_ONCE_SHARED : AT_ONCE;
  const ended = await Promise.allSettled(Array.from({ length: Math.min(atOnce, keys.length) }, worker));
  for (const one of ended) if (one.status === 'rejected') throw one.reason;
}

type Matcher = (object: KubeObject) => boolean;

/** The filter of the selectors; undefined when they select everything. */
function matcherOf(
  definition: ResourceDefinition,
  { labelSelector, fieldSelector }: ParsedListOptions,
): Matcher | undefined {
  const fields = fieldSelector.transform((term) => ({ ...term, ...definition.resolveField(term.field, term.value) }));
  if (labelSelector.isEmpty && fields.isEmpty) return undefined;
  return (object) =>
    labelSelector.matches(object.metadata.labels ?? {}) && fields.matches(selectableFields(definition, object));
}

function selectableFields(definition: ResourceDefinition, object: KubeObject): Readonly<Record<string, string>> {
  const { name = '', namespace = '' } = object.metadata;
  return { ...definition.fieldsOf(object), [NAME_FIELD]: name, [NAMESPACE_FIELD]: namespace };
}

interface Selection {
  readonly keys: readonly string[];
  /** The objects, where they came in one page. */
  readonly whole: readonly Entry[] | undefined;
  readonly revision: Revision;
  /** The key that the next page begins at; undefined when there is none. */
  readonly next: string | undefined;
}

interface Wanted {
  readonly from: Start;
  /** 0 or less: all. */
  readonly limit: number;
  readonly matches: Matcher | undefined;
}

async function select(context: VerbContext, call: ResourceCall, wanted: Wanted): Promise<Selection> {
  const keys: string[] = [];
  let selection: Selection | undefined;
  for await (const { entries, revision, next } of selectedPages(context, call, wanted)) {
    for (const { key } of entries) keys.push(key);
    selection = { keys, whole: selection === undefined ? entries : undefined, revision, next };
  }
  if (selection === undefined) throw new TypeError('a collection was read without a page');
  return selection;
}

/** The objects that were selected, of one page that was read. */
interface SelectedPage {
  readonly entries: readonly Entry[];
  readonly revision: Revision;
  readonly next: string | undefined;
}

/** Reads the collection at one revision, up to the limit of the request. */
async function* selectedPages(
  { kinds }: VerbContext,
  { definition, request, path }: ResourceCall,
  { from, limit, matches }: Wanted,
): AsyncGenerator<SelectedPage, undefined> {
  const { engine } = kinds.storeOf(definition);
  const prefix = keyPrefix(definition, path.namespace);
  const { signal } = request;
  if (!isStorableKey(prefix)) {
    yield { entries: [], revision: await engine.revision({ signal }), next: undefined };
    return;
  }
  const pause = pauseOf(request);
  const pace = new LoopPace(pause);
  let count = 0;
  let { at, start } = from;
  for (;;) {
    const page: RangeResult = await engine.range(prefix, { at, start, limit: PAGE, signal, pause });
    const { revision } = page;
    if (revision < from.atLeast) throw tooLargeResourceVersion(from.atLeast, revision);
    at = revision;
    const entries: Entry[] = [];
    for (const [index, entry] of page.entries.entries()) {
      const rest = pace.step();
      if (rest !== undefined) await rest;
      if (matches !== undefined && !matches(storedObject(definition, entry))) continue;
      entries.push(entry);
      count += 1;
      if (count !== limit) continue;
      const more = page.more || index + 1 < page.entries.length;
      yield { entries, revision, next: more ? `${entry.key}\0` : undefined };
      return;
    }
    yield { entries, revision, next: undefined };
    const last = page.entries.at(-1);
    if (!page.more || last === undefined) return;
    start = `${last.key}\0`;
  }
}

interface Start {
  /** The exact revision to read at; undefined: the newest. */
  readonly at: Revision | undefined;
  readonly atLeast: Revision;
  readonly start: string;
}

function startOf(options: ParsedListOptions, prefix: string): Start {
  const version = readVersion(options.resourceVersion);
  if (options.continue !== '') {
    if (version !== 0n) throw versionWithContinue();
    const token = decodeContinueToken(options.continue);
    const start = `${prefix}${token.start}`;
    // A token ends with the NUL that comes after a key; anywhere else there is none.
    if (!isStorableKey(start.replace(/\0$/, ''))) throw badRequest('continue key is not valid');
    return { at: token.revision, atLeast: 0n, start };
  }
  const exact = version > 0n && (options.resourceVersionMatch === 'Exact' || legacyExact(options));
  return { at: exact ? version : undefined, atLeast: version, start: prefix };
}

/** A page with a resourceVersion and no match rule reads at exactly that version. */
function legacyExact({ resourceVersionMatch, limit }: ParsedListOptions): boolean {
  return resourceVersionMatch === '' && limit > 0;
}

function readVersion(text: string): Revision {
  try {
    return parseResourceVersion(text);
  } catch (error) {
    throw error instanceof ResourceVersionError ? badListVersion(error) : error;
  }
}

/** The list in the answer. Its items have no kind and apiVersion, as in every typed list; those of custom kinds have. */
async function* listChunks(
  context: VerbContext,
  call: ResourceCall,
  wanted: Wanted,
  { whole, revision, next }: Selection,
): AsyncGenerator<Buffer, undefined> {
  const { definition } = call;
  const { kind, apiVersion } = layoutOf(definition).type;
  const { custom } = definition;
  const token = next === undefined ? {} : { continue: continueAt(definition, revision, next) };
  const metadata = { resourceVersion: String(revision), ...token };
  const head = JSON.stringify({ kind: custom?.listKind ?? `${kind}List`, apiVersion, metadata });
  yield Buffer.from(`${head.slice(0, -1)},"items":[`);
  const offset = custom === undefined ? layoutOf(definition).itemOffset : 1;
  const pace = new LoopPace(pauseOf(call.request));
  const parts: Buffer[] = [];
  let bytes = 0;
  let isFirst = true;
  const from = { ...wanted.from, at: revision, atLeast: 0n };
  const pages = whole === undefined ? selectedPages(context, call, { ...wanted, from }) : [{ entries: whole }];
  for await (const { entries } of pages) {
    for (const entry of entries) {
      const rest = pace.step();
      if (rest !== undefined) await rest;
      const item = servedBytes(definition, entry).subarray(offset);
      parts.push(isFirst ? FIRST_ITEM : NEXT_ITEM, item);
      isFirst = false;
      bytes += item.length;
      if (bytes < CHUNK_BYTES) continue;
      yield Buffer.concat(parts.splice(0));
      bytes = 0;
    }
  }
  yield Buffer.concat([...parts, Buffer.from(']}\n')]);
}

/** The size at which a chunk of the answer ends. */
const CHUNK_BYTES = 65_536;
const FIRST_ITEM = Buffer.from('{');
const NEXT_ITEM = Buffer.from(',{');

function continueAt(definition: ResourceDefinition, revision: Revision, key: string): string {
  const place = key.slice(keyPrefix(definition).length);
  const start = definition.resource.namespaced ? place.slice(place.indexOf('/') + 1) : place;
  return encodeContinueToken({ revision, start });
}
