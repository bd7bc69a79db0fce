/** Finalizers that protect storage in use from deletion. A controller removes them. */

import type { KubeObject } from '../../kube-object.ts';

/** Adds a finalizer to the object, unless it already has it. */
export function protectedBy(finalizer: string): (object: KubeObject) => KubeObject {
  return (object) => {
    const { finalizers = [] } = object.metadata;
    if (finalizers.includes(finalizer)) return object;
    return { ...object, metadata: { ...object.metadata, finalizers: [...finalizers, finalizer] } };
  };
}
