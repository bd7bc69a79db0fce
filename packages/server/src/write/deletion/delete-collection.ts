/** DELETE on a collection: every object that the selectors match, some at a time. */

import {
  badListVersion,
  badRequest,
  decodeContinueToken,
  decodeListOptions,
  encodeContinueToken,
  genericFailure,
  isNotFound,
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
import type { ResourceCall, Verb, VerbContext } from '../../contract/verb.ts';
import type { ResourceDefinition } from '../../kinds/resource-definition.ts';
import { isStorableKey, keyPrefix, parseObjectKey } from '../../stored/requested-key.ts';
import { layoutOf, servedBytes, storedObject } from '../../stored/stored-object.ts';
import { type DeleteOptions, readDeleteOptions } from './delete-options.ts';
import { warnOfDeletion } from './deletion-warning.ts';
import { deleteObject } from './object-deletion.ts';

/** How many objects are read at a time, so that a large collection is never in memory as a whole. */
const PAGE = 500;

/**
 * Deletes the objects that the selectors match, and answers with the list of them. One commit for each object: objects
 * created meanwhile stay, and objects deleted meanwhile are skipped.
 */
export const deleteCollection: Verb = (context, call) =>
  reportingStorage({ resource: call.definition.resource, operation: 'delete' }, async () => {
    const { definition, request, path } = call;
    if (definition.resource.namespaced && path.namespace === '') throw genericFailure(405);
    const listOptions = decodeListOptions(request.query);
    const matches = matcherOf(definition, listOptions);
    const options = await readDeleteOptions(request);
    warnOfDeletion(call, options);
    const from = startOf(listOptions, keyPrefix(definition, path.namespace));
    const { entries, revision, next } = await reportingStorage(
      { resource: definition.resource, operation: 'list', revision: from.at },
      () => select(context, call, { from, limit: listOptions.limit, matches }),
    );
    await deleteEntries(context, call, entries, options);
    // Other forms are for single objects only, so this list is always JSON.
    return answerPlain(call, listBytes(definition, entries, revision, next));
  });

/**
 * Objects that are deleted at once: their commits share one write to the disk, in their order. A shared store takes what comes
 * at once in any order; there they are deleted one after the other, as kube-apiserver does it.
 */
const AT_ONCE = 16;
const AT_ONCE_SHARED = 1;

/** Begins them in their order. After a failure no other one is begun; it is thrown when those that run have ended. */
async function deleteEntries(
  context: VerbContext,
  call: ResourceCall,
  entries: readonly Entry[],
  options: DeleteOptions,
): Promise<void> {
  const { definition, request } = call;
  const waiting = entries.values();
  let hasFailed = false;
  const worker = async (): Promise<void> => {
    for (const { key } of waiting) {
      if (hasFailed) return;
      try {
        request.throwIfAborted();
        const at = parseObjectKey(definition, key);
        if (at === undefined) continue;
        await deleteObject(context, { ...call, path: { ...call.path, ...at, subresource: '' } }, options);
      } catch (error) {
        if (isNotFound(error)) continue;
        hasFailed = true;
        throw error;
      }
    }
  };
  const atOnce = context.kinds.storeOf(definition).engine.capabilities.shared ? AT_ONCE_SHARED : AT_ONCE;
  const ended = await Promise.allSettled(Array.from({ length: Math.min(atOnce, entries.length) }, worker));
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
  readonly entries: readonly Entry[];
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

/** Reads the collection at one revision, up to the limit of the request. */
async function select(
  { kinds }: VerbContext,
  { definition, request, path }: ResourceCall,
  { from, limit, matches }: Wanted,
): Promise<Selection> {
  const { engine } = kinds.storeOf(definition);
  const prefix = keyPrefix(definition, path.namespace);
  const { signal } = request;
  const entries: Entry[] = [];
  if (!isStorableKey(prefix)) return { entries, revision: await engine.revision({ signal }), next: undefined };
  let { at, start } = from;
  for (;;) {
    const page: RangeResult = await engine.range(prefix, { at, start, limit: PAGE, signal });
    if (page.revision < from.atLeast) throw tooLargeResourceVersion(from.atLeast, page.revision);
    at = page.revision;
    for (const [index, entry] of page.entries.entries()) {
      if (matches !== undefined && !matches(storedObject(definition, entry))) continue;
      entries.push(entry);
      const more = page.more || index + 1 < page.entries.length;
      if (entries.length === limit) return { entries, revision: at, next: more ? `${entry.key}\0` : undefined };
    }
    const last = page.entries.at(-1);
    if (!page.more || last === undefined) return { entries, revision: at, next: undefined };
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
function listBytes(
  definition: ResourceDefinition,
  entries: readonly Entry[],
  revision: Revision,
  next: string | undefined,
): Buffer {
  const layout = layoutOf(definition);
  const { kind, apiVersion } = layout.type;
  const { custom } = definition;
  const offset = custom === undefined ? layout.itemOffset : 1;
  const token = next === undefined ? {} : { continue: continueAt(definition, revision, next) };
  const metadata = { resourceVersion: String(revision), ...token };
  const head = JSON.stringify({ kind: custom?.listKind ?? `${kind}List`, apiVersion, metadata });
  const parts: Buffer[] = [Buffer.from(`${head.slice(0, -1)},"items":[`)];
  for (const [index, entry] of entries.entries()) {
    parts.push(Buffer.from(index === 0 ? '{' : ',{'), servedBytes(definition, entry).subarray(offset));
  }
  return Buffer.concat([...parts, Buffer.from(']}')]);
}

function continueAt(definition: ResourceDefinition, revision: Revision, key: string): string {
  const place = key.slice(keyPrefix(definition).length);
  const start = definition.resource.namespaced ? place.slice(place.indexOf('/') + 1) : place;
  return encodeContinueToken({ revision, start });
}
