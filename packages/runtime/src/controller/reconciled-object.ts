/** The object of one reconcile, and the writes to it. */

import { type ApiObject, groupResourceText, isConflict, isNotFound, type Resource } from '@listwatch/api';
import { isRecord } from '@listwatch/api/values';
import type { Cluster, ObjectTarget, Patch, PatchOptions } from '@listwatch/client';
import { requireFinalizerName } from './finalizer-name.ts';
import { mergeDiff } from './merge-diff.ts';
import type { PatchStatusOptions, StatusPart } from './object-writes.ts';
import { keyText } from './reconcile-key.ts';

/** Whoever loses this often against others has met something else. */
const FINALIZER_ATTEMPTS = 5;

/** The requests that it makes. */
export type ObjectCluster = Pick<Cluster, 'get' | 'patch'>;

/** What is reconciled, and how. */
export interface ReconciledObjectOptions<T extends ApiObject> {
  readonly resource: Resource<T>;
  /** The cached object. */
  readonly object: T | undefined;
  readonly fieldManager: string;
  /** Does the cache keep whole objects? If not, the cached status says nothing. */
  readonly hasStatus: boolean;
}

/** Knows the newest state that this reconcile has seen: the cached one, or the answer to its own last write. */
export class ReconciledObject<T extends ApiObject> {
  readonly #cluster: () => ObjectCluster;
  readonly #options: ReconciledObjectOptions<T>;
  #current: T | undefined;
  #hasStatus: boolean;

  /** `cluster` must report writes to `wrote`. */
  constructor(cluster: () => ObjectCluster, options: ReconciledObjectOptions<T>) {
    this.#cluster = cluster;
    this.#options = options;
    this.#current = options.object;
    this.#hasStatus = options.hasStatus;
  }

  /** An object was written: if it is this one, later writes build on it. */
  wrote(resource: Resource, object: ApiObject, subresource: string | undefined): void {
    const current = this.#current;
    if (current === undefined || (subresource !== undefined && subresource !== 'status')) return;
    if (groupResourceText(resource) !== groupResourceText(this.#options.resource)) return;
    if (object.metadata.uid !== current.metadata.uid || keyText(object.metadata) !== keyText(current.metadata)) return;
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the same resource and uid: the same type of object
    this.#current = object as T;
    this.#hasStatus = true;
  }

  async patchStatus(
    status: StatusPart<T>,
    { fieldManager = this.#options.fieldManager }: PatchStatusOptions = {},
  ): Promise<T | undefined> {
    const current = this.#current;
    if (!isRecord(status)) throw new TypeError(`the status must be an object, not ${JSON.stringify(status)}`);
    if (current === undefined) return undefined;
    const change = this.#hasStatus ? mergeDiff(statusOf(current), status) : status;
    if (change === undefined) return current;
    return this.#patch(current, { status: change }, { subresource: 'status', fieldManager });
  }

  async ensureFinalizer(name: string): Promise<T | undefined> {
    requireFinalizerName(name);
    const result = await this.#setFinalizers((object) => {
      const finalizers = object.metadata.finalizers ?? [];
      // Servers refuse new finalizers for an object that is being deleted.
      return isDeleting(object) || finalizers.includes(name) ? undefined : [...finalizers, name];
    });
    return result === undefined || isDeleting(result) ? undefined : result;
  }

  async finalize(name: string, cleanup: (object: T) => unknown): Promise<boolean> {
    requireFinalizerName(name);
    const current = this.#current;
    if (current === undefined) return true;
    if (!isDeleting(current)) return false;
    if (current.metadata.finalizers?.includes(name) !== true) return true;
    await cleanup(current);
    await this.#setFinalizers(({ metadata: { finalizers = [] } }) =>
      finalizers.includes(name) ? finalizers.filter((finalizer) => finalizer !== name) : undefined,
    );
    return true;
  }

  /** Changes the list against the state that it was read from, so that no change of others is lost. Undefined: it is gone. */
  async #setFinalizers(change: (object: T) => readonly string[] | undefined): Promise<T | undefined> {
    for (let attempt = 1; this.#current !== undefined; attempt++) {
      const current = this.#current;
      const finalizers = change(current);
      if (finalizers === undefined) return current;
      try {
        const list = finalizers.length === 0 ? null : finalizers;
        const { fieldManager } = this.#options;
        return await this.#patch(current, { metadata: { finalizers: list } }, { fieldManager });
      } catch (error) {
        if (!isConflict(error) || attempt === FINALIZER_ATTEMPTS) throw error;
        await this.#read(current);
      }
    }
    return undefined;
  }

  /** A merge patch of exactly this state of the object: a list in it replaces the whole list, which others may have changed. */
  async #patch(
    { metadata }: T,
    body: { readonly metadata?: object; readonly status?: object },
    options: PatchOptions,
  ): Promise<T | undefined> {
    const { resourceVersion, uid } = metadata;
    const guarded = { ...body, metadata: { ...body.metadata, resourceVersion, uid } };
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only metadata that all kinds have, and a `StatusPart`
    const patch = { type: 'merge', body: guarded } as unknown as Patch<T>;
    try {
      this.#current = await this.#cluster().patch(this.#options.resource, targetOf(metadata), patch, options);
    } catch (error) {
      if (!isGone(error, metadata.name)) throw error;
      this.#current = undefined;
    }
    return this.#current;
  }

  async #read({ metadata }: T): Promise<void> {
    try {
      const object = await this.#cluster().get(this.#options.resource, targetOf(metadata));
      this.#current = object.metadata.uid === metadata.uid ? object : undefined;
      this.#hasStatus = true;
    } catch (error) {
      if (!isGone(error, metadata.name)) throw error;
      this.#current = undefined;
    }
  }
}

/** The object is gone; and not: the resource has no such subresource, or is not served at all. */
function isGone(error: unknown, name: string): boolean {
  return isNotFound(error) && error.status.details?.name === name;
}

function isDeleting({ metadata }: ApiObject): boolean {
  return metadata.deletionTimestamp !== undefined;
}

function targetOf({ namespace, name }: ApiObject['metadata']): ObjectTarget {
  return { namespace, name };
}

function statusOf(object: ApiObject): unknown {
  return 'status' in object ? object.status : undefined;
}
