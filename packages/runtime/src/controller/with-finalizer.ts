/** A reconcile with a cleanup: the whole pattern of finalizers. */

import type { ApiObject } from '@listwatch/api';
import { requireFinalizerName } from './finalizer-name.ts';
import type { Reconcile, ReconcileContext, ReconcileRequest, ReconcileResult } from './reconcile.ts';

/** The two halves of a reconcile. */
export interface FinalizedReconcile<T extends ApiObject> {
  /** Brings the cluster to what the object asks for. The object has the finalizer and is not being deleted. */
  readonly apply: (
    request: ReconcileRequest<T> & { readonly object: T },
    context: ReconcileContext<T>,
  ) => ReturnType<Reconcile<T>>;
  /** Undoes all that `apply` has ever made for the object. Must be safe to repeat. */
  readonly cleanup: (object: T, context: ReconcileContext<T>) => unknown;
}

/**
 * Makes a reconcile from two halves. If `apply` has ever started for an object, the object stays until `cleanup` has
 * succeeded for it, unless somebody else removes the finalizer.
 *
 * @example
 * controller(cluster, {
 *   for: buckets,
 *   reconcile: withFinalizer('example.com/bucket', {
 *     apply: ({ object }) => storage.ensure(object.metadata.uid),
 *     cleanup: (object) => storage.remove(object.metadata.uid),
 *   }),
 * });
 */
export function withFinalizer<T extends ApiObject>(
  name: string,
  { apply, cleanup }: FinalizedReconcile<T>,
): Reconcile<T> {
  requireFinalizerName(name);
  return async ({ key }, context): Promise<ReconcileResult | undefined | void> => {
    if (await context.finalize(name, (object) => cleanup(object, context))) return undefined;
    const object = await context.ensureFinalizer(name);
    return object === undefined ? undefined : apply({ key, object }, context);
  };
}
