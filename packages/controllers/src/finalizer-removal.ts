/** Takes a finalizer off an object. */

import { type ApiObject, isNotFound, type Resource } from '@listwatch/api';
import type { ControllerSurroundings } from './built-in-controller.ts';

/** Writes the object without the finalizer; one that has changed since is a conflict, and the reconcile is tried again. */
export async function withoutFinalizer<T extends ApiObject>(
  { cluster, signal }: Pick<ControllerSurroundings, 'cluster' | 'signal'>,
  resource: Resource<T>,
  object: T,
  finalizer: string,
): Promise<void> {
  const { finalizers = [] } = object.metadata;
  if (!finalizers.includes(finalizer)) return;
  const kept = finalizers.filter((one) => one !== finalizer);
  try {
    await cluster.update(resource, { ...object, metadata: { ...object.metadata, finalizers: kept } }, { signal });
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}
