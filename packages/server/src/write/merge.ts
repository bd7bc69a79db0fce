/** Brings together the stored object and what the client sends. */

import { conflict, notFound, versionRequired } from '@listwatch/api';
import type { KubeObject } from '@listwatch/rules/internal';
import type { ResourceCall } from '../contract/verb.ts';
import type { ResourceDefinition } from '../kinds/resource-definition.ts';
import { storedObject } from '../stored/stored-object.ts';
import { requireCreatable } from './admission/lifecycle.ts';
import { requestedVersion } from './body/requested-version.ts';
import { isLarge, nextTurn } from './event-loop-turn.ts';
import type { Write } from './write.ts';

/** Throws the 404 for a missing object that the write does not create, the 409 for another uid or version. */
export async function merge(write: Write): Promise<undefined> {
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
  const sentBytes = write.body?.bytes.length ?? plan.bytes ?? 0;
  write.bytes = sentBytes + (current?.value.byteLength ?? 0);
  if (isLarge(write.bytes)) await nextTurn();
  if (next !== undefined) {
    const warn = (text: string): unknown => write.warnings.push(text);
    write.asked = await next(write.old, { warn, isLarge: isLarge(write.bytes) });
  }
  if (current !== undefined) requireVersion(definition, path.name, write.asked, current.modRevision);
}

/** Throws the 409 when the uid differs from that of the stored object; a missing object has none. */
function requireUid({ definition, path }: ResourceCall, key: string, actual: string, wanted = ''): void {
  if (wanted === '' || wanted === actual) return;
  const facts = `Code: 4, Key: ${key}, ResourceVersion: 0`;
  const why = `Precondition failed: UID in precondition: ${wanted}, UID in object meta: ${actual}`;
  throw conflict(definition.resource, path.name, `StorageError: invalid object, ${facts}, AdditionalErrorMsg: ${why}`);
}

/** Throws the 409 for an outdated resourceVersion, and the 422 when the kind requires one and there is none. */
function requireVersion(
  { resource, strategy }: ResourceDefinition,
  name: string,
  object: KubeObject,
  current: bigint,
): void {
  const wanted = requestedVersion(object.metadata.resourceVersion ?? '');
  if (wanted === 0n) {
    if (strategy.allowsUnconditionalUpdate) return;
    // Kubernetes names the resource here where its other answers name the kind.
    throw versionRequired({ group: resource.group, kind: resource.plural }, name);
  }
  if (wanted !== current) throw conflict(resource, name);
}
