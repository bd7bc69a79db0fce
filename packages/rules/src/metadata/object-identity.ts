/** Checks that name and namespace of a body match the path. */

import { nameMismatch, nameMissing, namespaceMismatch } from '@listwatch/api';
import { extended } from '@listwatch/api/values';
import type { KubeObject } from '../kube-object.ts';
import type { KindDefinition } from '../strategy/kind-definition.ts';

/** The object that a request names. */
export interface RequestedObject {
  readonly definition: Pick<KindDefinition, 'resource'>;
  readonly path: { readonly namespace: string; readonly name: string };
}

/** `''` for a kind without namespaces. */
function namespaceOf({ definition, path }: RequestedObject): string {
  return definition.resource.namespaced ? path.namespace : '';
}

/** The object in the namespace of the path. Throws the 400 when the body names another namespace. */
export function inRequestNamespace(call: RequestedObject, object: KubeObject): KubeObject {
  const wanted = namespaceOf(call);
  const { namespace = '' } = object.metadata;
  if (namespace === wanted) return object;
  if (wanted === '') {
    const { namespace: _namespace, ...metadata } = object.metadata;
    return { ...object, metadata };
  }
  if (namespace !== '') throw namespaceMismatch();
  return { ...object, metadata: extended(object.metadata, { namespace: wanted }) };
}

/** Throws the 400 unless the object has the name of the path. */
export function requireRequestName({ path }: RequestedObject, object: KubeObject): void {
  const { name = '' } = object.metadata;
  if (name === '') throw nameMissing(path.name);
  if (name !== path.name) throw nameMismatch(name, path.name);
}
