/** What a reconcile may write to its own object. */

import type { ApiObject } from '@listwatch/api';
import type { MergePart } from '@listwatch/client';

/** The part of a status that a reconcile sets. */
export type StatusPart<T extends ApiObject> = 'status' extends keyof T
  ? MergePart<NonNullable<T['status']>>
  : Readonly<Record<string, unknown>>;

/** Options of `patchStatus`. */
export interface PatchStatusOptions {
  /** The owner of the fields. Default: the name of the controller. */
  readonly fieldManager?: string | undefined;
}

/** The writes of a reconcile to the object that it reconciles. */
export interface ObjectWrites<T extends ApiObject> {
  /**
   * Writes the part of the status that differs from the cached object, and nothing if nothing does. Fields that are left out
   * stay, and null removes one. Rejects with a conflict when the object has changed since it was cached: do not catch it, the
   * reconcile is then repeated with the new state. Resolves with the object as it is now; undefined: it is gone.
   */
  patchStatus(this: void, status: StatusPart<T>, options?: PatchStatusOptions): Promise<T | undefined>;
  /**
   * Adds a finalizer unless the object has it. Resolves with the object, which has the finalizer and is not being deleted: what
   * needs a cleanup may be made now. Undefined: the object is being deleted or gone; make nothing.
   */
  ensureFinalizer(this: void, name: string): Promise<T | undefined>;
  /**
   * If the object is being deleted: runs `cleanup` when the object has the finalizer, and then removes the finalizer. True: the
   * object is being deleted or gone, and this finalizer is off; do nothing more for it. False: it is not being deleted. If
   * `cleanup` throws, the finalizer stays and the reconcile is repeated. It may run more than once.
   */
  finalize(this: void, name: string, cleanup: (object: T) => unknown): Promise<boolean>;
}
