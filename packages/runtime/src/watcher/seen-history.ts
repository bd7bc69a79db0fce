/** Judges whether a server still has the history that a watcher has seen, or was restored or replaced. */

import {
  type ApiObject,
  compareResourceVersions,
  isResourceVersion,
  type ObjectMeta,
  type ResourceVersion,
  resourceVersionOf,
  revisionOf,
} from '@listwatch/api';

/** The newest state that was seen of a collection. A server with the same history can show it again. */
export type LastSeen =
  | {
      readonly type: 'object';
      readonly namespace: string | undefined;
      readonly name: string;
      readonly uid: string | undefined;
      readonly resourceVersion: ResourceVersion;
      /** When and how often it was written, as far as its metadata says. */
      readonly stamp: string;
      readonly isDeleted: boolean;
    }
  /** A list had no objects, and nothing has changed since. */
  | { readonly type: 'nothing' };

/** What the server answers when it is asked for the object that was seen last. */
export interface HistoryAnswer {
  /** The version of the list. */
  readonly resourceVersion: string | undefined;
  /** The object; `undefined` when there is none. */
  readonly object: ObjectMeta | undefined;
}

/**
 * Compares with what is there now. `unsure`: the object has changed since `known` or is deleted, which happens in the same
 * history and in another; then the answer from `seenAt` decides.
 */
export function judgeHistory(
  known: ResourceVersion,
  seen: LastSeen | undefined,
  { resourceVersion: current, object }: HistoryAnswer,
): 'other' | 'same' | 'unsure' {
  if (isResourceVersion(current) && compareResourceVersions(current, known) < 0) return 'other';
  if (seen === undefined) return 'same';
  const version = object?.resourceVersion;
  if (isResourceVersion(version) && compareResourceVersions(version, known) > 0) return 'unsure';
  if (seen.type === 'nothing') return object === undefined ? 'same' : 'other';
  if (object === undefined) return 'unsure';
  // Up to the known version every change was seen: anything else comes from another history.
  return !seen.isDeleted && isSeenAgain(seen, object) ? 'same' : 'other';
}

/** The version in which a server with the same history has what was seen: of a deleted object the one before its delete. */
export function seenAt(known: ResourceVersion, seen: LastSeen | undefined): ResourceVersion {
  if (seen?.type !== 'object') return known;
  return seen.isDeleted ? versionBefore(seen.resourceVersion) : seen.resourceVersion;
}

function versionBefore(version: ResourceVersion): ResourceVersion {
  const revision = revisionOf(version);
  return revision > 1n ? resourceVersionOf(revision - 1n) : version;
}

/** Is this what was seen? For an answer from `seenAt`. */
export function isSeenAgain(seen: LastSeen, object: ObjectMeta | undefined): boolean {
  if (seen.type === 'nothing' || object === undefined) return seen.type === 'nothing' && object === undefined;
  if (seen.uid !== object.uid) return false;
  return seen.isDeleted || (object.resourceVersion === seen.resourceVersion && stampOf(object) === seen.stamp);
}

/** Another history can give the same version to the same object, but hardly at the same time. */
function stampOf({ generation, managedFields }: ObjectMeta): string {
  let stamp = generation === undefined ? '' : String(generation);
  // What a server sends need not be what the type says, and must not end the watcher.
  const entries: readonly ({ readonly time?: string } | null)[] = Array.isArray(managedFields) ? managedFields : [];
  // A loop, for this is done for every batch of events.
  for (const entry of entries) stamp += ` ${entry?.time}`;
  return stamp;
}

/** The newer of what was seen and an object. */
export function newerSeen(
  seen: LastSeen | undefined,
  { metadata }: ApiObject,
  isDeleted: boolean,
): LastSeen | undefined {
  const { namespace, name, uid, resourceVersion } = metadata;
  if (!isResourceVersion(resourceVersion)) return seen;
  if (seen?.type === 'object') {
    const order = compareResourceVersions(resourceVersion, seen.resourceVersion);
    // A delete without a version of its own: the object cannot be asked for any more.
    if (isDeleted && order <= 0) return uid === seen.uid ? undefined : seen;
    if (order < 0) return seen;
  }
  return { type: 'object', namespace, name, uid, resourceVersion, stamp: stampOf(metadata), isDeleted };
}

/** The newest of some objects: of a page, or of a checkpoint. */
export function newestOf(seen: LastSeen | undefined, objects: Iterable<ApiObject>): LastSeen | undefined {
  let newest: ApiObject | undefined;
  let version = seen?.type === 'object' ? seen.resourceVersion : undefined;
  for (const object of objects) {
    const { resourceVersion } = object.metadata;
    if (!isResourceVersion(resourceVersion)) continue;
    if (version !== undefined && compareResourceVersions(resourceVersion, version) <= 0) continue;
    newest = object;
    version = resourceVersion;
  }
  return newest === undefined ? seen : newerSeen(undefined, newest, false);
}
