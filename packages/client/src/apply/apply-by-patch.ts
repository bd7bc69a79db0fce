/** Applies an object to a server without server-side apply: creates it, or sends a merge patch of what differs. */

import {
  type ApiObject,
  checkQualifiedName,
  isAlreadyExists,
  isConflict,
  isNotFound,
  type Resource,
} from '@listwatch/api';
import { isRecord, type JsonRecord } from '@listwatch/api/values';
import type { Cluster, NewObject, WriteOptions } from '../cluster.ts';
import type { AppliedObject, Patch } from '../object-part.ts';
import { DEFAULT_FIELD_MANAGER } from '../request/write-query.ts';
import { applyPatch, type FieldTree, fieldTree, parseFieldTree } from './applied-fields.ts';
import type { ApplyResult } from './apply-object.ts';
import { existingObject } from './existing-object.ts';
import { withKeyedLists, withListsOf } from './keyed-lists.ts';
import { textHash } from './text-hash.ts';

/** Keeps, for each manager, which fields it has applied. */
const ANNOTATION_PREFIX = 'applied.listwatch.dev/';

/** Others may write the same object at the same time; whoever loses this often has met something else. */
const ATTEMPTS_MAX = 10;

/** `known` is the object as a cache has it; when it is too old, the object is read. */
export async function applyByPatch<T extends ApiObject>(
  cluster: Pick<Cluster, 'create' | 'get' | 'patch'>,
  resource: Resource<T>,
  object: AppliedObject<T>,
  known: T | undefined,
  writeOptions: WriteOptions,
): Promise<ApplyResult<T>> {
  const { fieldManager = DEFAULT_FIELD_MANAGER, signal } = writeOptions;
  const options = { ...writeOptions, fieldManager };
  const annotation = annotationOf(fieldManager);
  const { name, namespace, resourceVersion: pinned } = object.metadata;
  const { fields, annotations } = appliedPart(object, annotation);
  let current = known;
  for (let attempt = 1; ; attempt += 1) {
    current ??= await existingObject(cluster, resource, { name, namespace }, { signal });
    try {
      if (current === undefined) {
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the server says what a new object lacks
        const fresh = { ...asJson(object), metadata: { ...object.metadata, annotations } } as unknown as NewObject<T>;
        return { object: await cluster.create(resource, fresh, options), outcome: 'created' };
      }
      const previous = parseFieldTree(current.metadata.annotations?.[annotation]);
      const change = mergePatch(asJson(current), fields, previous);
      const { resourceVersion } = current.metadata;
      if (change === undefined && (pinned ?? resourceVersion) === resourceVersion) {
        return { object: current, outcome: 'unchanged' };
      }
      // The version makes sure that the patch meets the object that it was computed from, and not its successor.
      const metadata = { ...asJson(change?.['metadata']), resourceVersion: pinned ?? resourceVersion };
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a part of what was applied, which is of this kind
      const patch = { type: 'merge', body: { ...change, metadata } } as unknown as Patch<T>;
      const patched = await cluster.patch(resource, { name, namespace }, patch, options);
      const isSame = options.dryRun !== true && patched.metadata.resourceVersion === resourceVersion;
      return { object: patched, outcome: isSame ? 'unchanged' : 'configured' };
    } catch (error) {
      const isLate = isConflict(error) || isAlreadyExists(error) || (isNotFound(error) && current !== undefined);
      // A version that the caller asks for is not ours to change.
      if (!isLate || attempt === ATTEMPTS_MAX || pinned !== undefined) throw error;
      current = undefined;
    }
  }
}

/** These parts of the metadata name the object or belong to the server: they are never patched. */
const UNAPPLIED: ReadonlySet<string> = new Set([
  'creationTimestamp',
  'deletionGracePeriodSeconds',
  'deletionTimestamp',
  'generateName',
  'generation',
  'managedFields',
  'name',
  'namespace',
  'resourceVersion',
  'selfLink',
  'uid',
]);

/** What is applied, and the annotations with the one that says which fields those are. */
interface Applied {
  readonly fields: JsonRecord;
  readonly annotations: JsonRecord;
}

function appliedPart(object: object, annotation: string): Applied {
  const { apiVersion: _, kind: __, metadata, ...rest } = asJson(object);
  const applied = Object.fromEntries(Object.entries(asJson(metadata)).filter(([name]) => !UNAPPLIED.has(name)));
  const tree = JSON.stringify(fieldTree({ ...rest, metadata: withKeyedLists(applied) }));
  const annotations = { ...asJson(applied['annotations']), [annotation]: tree };
  return { fields: { ...rest, metadata: { ...applied, annotations } }, annotations };
}

/** The patch that makes `current` what is applied; undefined when it is that already. */
function mergePatch(current: JsonRecord, fields: JsonRecord, previous: FieldTree): JsonRecord | undefined {
  const metadata = asJson(current['metadata']);
  const change = applyPatch(
    { ...current, metadata: withKeyedLists(metadata) },
    { ...fields, metadata: withKeyedLists(asJson(fields['metadata'])) },
    previous,
  );
  if (change === undefined || !isRecord(change['metadata'])) return change;
  return { ...change, metadata: withListsOf(change['metadata'], metadata) };
}

/** One annotation for each manager, so that they do not overwrite each other's. */
function annotationOf(fieldManager: string): string {
  const annotation = `${ANNOTATION_PREFIX}${fieldManager}`;
  return checkQualifiedName(annotation).length === 0 ? annotation : `${ANNOTATION_PREFIX}${textHash(fieldManager)}`;
}

function asJson(value: unknown): JsonRecord {
  return isRecord(value) ? value : {};
}
