/** Finalizers that keep storage which is in use. A controller takes them off. */

import type { KubeObject } from '../../kube-object.ts';

/** The object with a finalizer, unless it has it. */
export function protectedBy(finalizer: string): (object: KubeObject) => KubeObject {
  return (object) => {
    const { finalizers = [] } = object.metadata;
    if (finalizers.includes(finalizer)) return object;
    return { ...object, metadata: { ...object.metadata, finalizers: [...finalizers, finalizer] } };
  };
}
