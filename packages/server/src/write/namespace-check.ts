/** Checks that a namespace accepts new objects. */

import { namespaceTerminating, notFound } from '@listwatch/api';
import { recordOf } from '@listwatch/api/values';
import type { KubeObject } from '@listwatch/rules/internal';
import type { CommitGuard } from '@listwatch/storage';
import type { ResourceCall, VerbContext } from '../contract/verb.ts';
import { isStorableKey, objectKey } from '../stored/requested-key.ts';
import { storedObject } from '../stored/stored-object.ts';
import type { HeldGuard } from './held-guard.ts';
import { endWithRequest } from './request-signal.ts';

/** The key and revision at which each namespace was last seen active: most creates find it unchanged. */
const seenOpen = new WeakMap<VerbContext, Map<string, CommitGuard>>();
const SEEN_MAX = 1000;

const NAMESPACES = { group: '', version: 'v1', plural: 'namespaces' } as const;

/**
 * Throws the 404 when the namespace of a new object does not exist and the 403 when it is terminating. A kind without
 * namespaces passes. Returns what was checked: the commit is to be guarded by it, or the namespace may be deleted before.
 */
export async function requireOpenNamespace(
  context: VerbContext,
  { definition, request, path }: ResourceCall,
  object: KubeObject,
): Promise<CommitGuard | undefined> {
  if (!definition.resource.namespaced) return undefined;
  const { namespace } = path;
  const namespaces = context.definition(NAMESPACES.group, NAMESPACES.version, NAMESPACES.plural);
  if (namespaces === undefined) throw notFound(NAMESPACES, namespace);
  const key = objectKey(namespaces, { namespace: '', name: namespace });
  if (!isStorableKey(key)) throw notFound(NAMESPACES, namespace);
  const { entry } = await context.engine.get(key, endWithRequest(context.engine, request));
  if (entry === undefined) throw notFound(NAMESPACES, namespace);
  const guard = { key, revision: entry.modRevision };
  const seen = seenIn(context);
  if (seen.get(namespace)?.revision === entry.modRevision) return guard;
  if (recordOf(storedObject(namespaces, entry)['status'])['phase'] !== 'Terminating') {
    if (seen.size >= SEEN_MAX) seen.clear();
    seen.set(namespace, guard);
    return guard;
  }
  const { name, generateName } = object.metadata;
  throw namespaceTerminating(definition.resource, name || generateName || 'Unknown', namespace);
}

/** The namespace as it was checked, for the commit. It is checked again when it has changed. */
export function heldNamespace(
  context: VerbContext,
  call: ResourceCall,
  object: KubeObject,
  guard: CommitGuard | undefined,
): HeldGuard | undefined {
  return guard && { guard, renew: async () => (await requireOpenNamespace(context, call, object)) ?? guard };
}

/**
 * The check of an earlier create in the namespace, while the cache has seen no change since: nothing is read. The guard of the
 * commit finds a change that the cache has not seen. Undefined where a read costs no round trip, and before the first create.
 */
export function earlierCheck(context: VerbContext, { definition, path }: ResourceCall): CommitGuard | undefined {
  const { cached } = context.whole ?? context;
  if (cached === undefined || !definition.resource.namespaced) return undefined;
  const guard = seenIn(context).get(path.namespace);
  const namespaces = context.definition(NAMESPACES.group, NAMESPACES.version, NAMESPACES.plural);
  if (guard === undefined || namespaces === undefined) return undefined;
  return cached(namespaces, guard.key)?.modRevision === guard.revision ? guard : undefined;
}

function seenIn(context: VerbContext): Map<string, CommitGuard> {
  const whole = context.whole ?? context;
  const seen = seenOpen.get(whole) ?? new Map<string, CommitGuard>();
  seenOpen.set(whole, seen);
  return seen;
}
