/** Checks that name and namespace of a body match the path. */

import { nameMismatch, nameMissing, namespaceMismatch } from '@listwatch/api';
import { extended } from '@listwatch/api/values';
import type { KubeObject } from '@listwatch/rules/internal';
import type { ResourceCall } from '../../contract/verb.ts';

type Target = Pick<ResourceCall, 'definition' | 'path'>;

/** The namespace of the objects that a request is about; `''` for a kind without namespaces. */
export function namespaceOf({ definition, path }: Target): string {
  return definition.resource.namespaced ? path.namespace : '';
}

/** The object in the namespace of the path. Throws the 400 when the body names another namespace. */
export function inRequestNamespace(call: Target, object: KubeObject): KubeObject {
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
export function requireRequestName({ path }: Target, object: KubeObject): void {
  const { name = '' } = object.metadata;
  if (name === '') throw nameMissing(path.name);
  if (name !== path.name) throw nameMismatch(name, path.name);
}
