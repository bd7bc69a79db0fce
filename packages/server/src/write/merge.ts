/** Loads the stored object, and merges a patch or another change into it. */

import { conflict, notFound, versionRequired } from '@listwatch/api';
import { type KubeObject, requireCreatable } from '@listwatch/rules/internal';
import type { ResourceCall } from '../contract/verb.ts';
import { storedObject } from '../stored/stored-object.ts';
import { requestedVersion } from './body/requested-version.ts';
import type { Write } from './write.ts';

/** Throws the 404 for a missing object that the write does not create, the 409 for another uid. */
export function merge(write: Write): undefined {
  const { call, current, plan, key } = write;
  const { definition, path } = call;
  const { next, creates = definition.strategy.allowsCreateOnUpdate } = plan;
  const uid = next === undefined ? write.asked.metadata.uid : plan.uid;
  write.old = current && storedObject(definition, current);
  requireUid(call, key, write.old?.metadata.uid ?? '', uid);
  if (write.old === undefined) {
    if (!creates || path.subresource !== '') throw notFound(definition.resource, path.name);
    requireCreatable(definition, path.name);
  }
  if (next !== undefined) write.asked = next(write.old, (text) => write.warnings.push(text));
}

/** Throws the 409 when the uid differs from that of the stored object; a missing object has none. */
function requireUid({ definition, path }: ResourceCall, key: string, actual: string, wanted = ''): void {
  if (wanted === '' || wanted === actual) return;
  const facts = `Code: 4, Key: ${key}, ResourceVersion: 0`;
  const why = `Precondition failed: UID in precondition: ${wanted}, UID in object meta: ${actual}`;
  throw conflict(definition.resource, path.name, `StorageError: invalid object, ${facts}, AdditionalErrorMsg: ${why}`);
}

/** Throws the 409 for an outdated resourceVersion, and the 422 when the kind requires one and there is none. */
export function requireVersion(
  { definition, path: { name } }: ResourceCall,
  object: KubeObject,
  current: bigint,
): void {
  const { resource, strategy } = definition;
  const wanted = requestedVersion(object.metadata.resourceVersion ?? '');
  if (wanted === 0n) {
    if (strategy.allowsUnconditionalUpdate) return;
    // Kubernetes names the resource in this error, and the kind in others.
    throw versionRequired({ group: resource.group, kind: resource.plural }, name);
  }
  if (wanted !== current) throw conflict(resource, name);
}
