/** The versions of one object that the page holds: bounded in number and in bytes. */

import type { ApiObject } from '@listwatch/api';
import { changedBy } from './field-managers.ts';

export interface ObjectVersion {
  readonly resourceVersion: string;
  /** `oldest`: the state at the oldest version that was looked at; it may have been made earlier. */
  readonly type: 'added' | 'deleted' | 'modified' | 'oldest';
  readonly object: ApiObject;
  /** Who made it, where the server says so. */
  readonly managers: readonly string[];
  /** Characters of it as JSON. */
  readonly size: number;
}

export const MAX_VERSIONS = 1000;
export const MAX_VERSION_CHARS = 32 * 1024 * 1024;

/** Adds a newer version. A version that is there already changes nothing. */
export function withNewer(
  versions: readonly ObjectVersion[],
  type: ObjectVersion['type'],
  object: ApiObject,
): readonly ObjectVersion[] {
  const before = versions.at(-1);
  const resourceVersion = object.metadata.resourceVersion ?? '';
  if (before?.resourceVersion === resourceVersion && type !== 'deleted') return versions;
  if (before !== undefined && Number(resourceVersion) < Number(before.resourceVersion)) return versions;
  const managers = type === 'oldest' || type === 'deleted' ? [] : madeBy(before, object);
  return bounded([...versions, { resourceVersion, type, object, managers, size: sizeOf(object) }]);
}

/** Drops the oldest beyond the limits; one version always stays. */
function bounded(versions: readonly ObjectVersion[]): readonly ObjectVersion[] {
  let size = 0;
  for (let index = versions.length - 1; index >= 0; index -= 1) {
    size += versions[index]?.size ?? 0;
    const kept = versions.length - index;
    if (kept > 1 && (kept > MAX_VERSIONS || size > MAX_VERSION_CHARS)) return versions.slice(index + 1);
  }
  return versions;
}

/**
 * Adds the state that the object had right before the first version: undefined when it did not exist, which makes the first one
 * its creation.
 */
export function withOlder(versions: readonly ObjectVersion[], object: ApiObject | undefined): readonly ObjectVersion[] {
  const [first, ...rest] = versions;
  if (first === undefined) return versions;
  if (object === undefined) return [{ ...first, type: 'added', managers: madeBy(undefined, first.object) }, ...rest];
  const isSame = object.metadata.uid === first.object.metadata.uid;
  const older: ObjectVersion = {
    resourceVersion: object.metadata.resourceVersion ?? '',
    type: 'oldest',
    object,
    managers: [],
    size: sizeOf(object),
  };
  const known: ObjectVersion = {
    ...first,
    type: first.type === 'deleted' ? 'deleted' : isSame ? 'modified' : 'added',
    managers: first.type === 'deleted' ? [] : madeBy(isSame ? older : undefined, first.object),
  };
  return [older, known, ...rest];
}

/** May there be versions before the first one? */
export function hasOlder(versions: readonly ObjectVersion[], oldestKept: number): boolean {
  const [first] = versions;
  return first !== undefined && first.type !== 'added' && Number(first.resourceVersion) > oldestKept;
}

/** Is there room for another one? */
export function hasRoom(versions: readonly ObjectVersion[]): boolean {
  const size = versions.reduce((sum, version) => sum + version.size, 0);
  return versions.length < MAX_VERSIONS && size < MAX_VERSION_CHARS;
}

function madeBy(before: ObjectVersion | undefined, object: ApiObject): readonly string[] {
  const known = before === undefined || before.type === 'deleted' ? [] : before.object.metadata.managedFields;
  return changedBy(known, object.metadata.managedFields);
}

function sizeOf(object: ApiObject): number {
  return JSON.stringify(object).length;
}
