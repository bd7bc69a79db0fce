/** A cluster that remembers what was written through it. */

import type { AbortOptions, ApiList, ApiObject, Clock, Resource, Status } from '@listwatch/api';
import type {
  AppliedObject,
  ApplyOptions,
  Cluster,
  DeleteOptions,
  GetOptions,
  ListPage,
  ListQuery,
  NewObject,
  ObjectTarget,
  Patch,
  PatchOptions,
  RawAnswer,
  RawRequest,
  Transport,
  WatchQuery,
  WatchStream,
  WriteOptions,
} from '@listwatch/client';
import type { Store } from '../store/store.ts';
import { keyText } from './reconcile-key.ts';
import type { WriteTracker } from './write-tracker.ts';

/** What the writes of one reconcile are told to. */
export interface WriteLog {
  readonly key: string;
  /** Ends requests that bring no signal of their own. */
  readonly signal: AbortSignal;
  readonly tracker: WriteTracker;
  /** The caches of a resource that may show the object. Writes of resources without one are not followed. */
  readonly storesOf: (resource: Resource, object?: ApiObject) => readonly Store[];
  /** Told of every object that was written. */
  readonly onWrite?: ((resource: Resource, object: ApiObject, subresource: string | undefined) => void) | undefined;
}

/** Passes everything on. Closing it does nothing: the cluster belongs to whoever made it. */
export class TrackedCluster implements Cluster {
  readonly #cluster: Cluster;
  readonly #log: WriteLog;

  constructor(cluster: Cluster, log: WriteLog) {
    this.#cluster = cluster;
    this.#log = log;
  }

  get server(): string {
    return this.#cluster.server;
  }

  get namespace(): string {
    return this.#cluster.namespace;
  }

  get clock(): Clock {
    return this.#cluster.clock;
  }

  get userAgent(): string | undefined {
    return this.#cluster.userAgent;
  }

  get transport(): Transport {
    return this.#cluster.transport;
  }

  raw(path: string, options?: RawRequest): Promise<RawAnswer> {
    return this.#cluster.raw(path, this.#ending(options));
  }

  get<T extends ApiObject>(resource: Resource<T>, target: ObjectTarget, options?: GetOptions): Promise<T> {
    return this.#cluster.get(resource, target, this.#ending(options));
  }

  list<T extends ApiObject>(resource: Resource<T>, query?: ListQuery<T>): Promise<ApiList<T>> {
    return this.#cluster.list(resource, this.#ending(query));
  }

  pages<T extends ApiObject>(resource: Resource<T>, query?: ListQuery<T>): AsyncIterable<ListPage<T>> {
    return this.#cluster.pages(resource, this.#ending(query));
  }

  watch<T extends ApiObject>(resource: Resource<T>, query?: WatchQuery<T>): WatchStream<T> {
    return this.#cluster.watch(resource, this.#ending(query));
  }

  async create<T extends ApiObject>(resource: Resource<T>, object: NewObject<T>, options?: WriteOptions): Promise<T> {
    return this.#wrote(resource, await this.#cluster.create(resource, object, this.#ending(options)), options);
  }

  async update<T extends ApiObject>(resource: Resource<T>, object: T, options?: WriteOptions): Promise<T> {
    return this.#wrote(resource, await this.#cluster.update(resource, object, this.#ending(options)), options);
  }

  async patch<T extends ApiObject>(
    resource: Resource<T>,
    target: ObjectTarget,
    patch: Patch<T>,
    options?: PatchOptions,
  ): Promise<T> {
    return this.#wrote(resource, await this.#cluster.patch(resource, target, patch, this.#ending(options)), options);
  }

  async apply<T extends ApiObject>(
    resource: Resource<T>,
    object: AppliedObject<T>,
    options?: ApplyOptions,
  ): Promise<T> {
    return this.#wrote(resource, await this.#cluster.apply(resource, object, this.#ending(options)), options);
  }

  async delete<T extends ApiObject>(
    resource: Resource<T>,
    target: ObjectTarget,
    options?: DeleteOptions,
  ): Promise<Status | T> {
    const answer = await this.#cluster.delete(resource, target, this.#ending(options));
    if (options?.dryRun === true) return answer;
    if (!isStatus(answer)) return this.#wrote(resource, answer, undefined);
    const uid = answer.details?.uid;
    const { key, tracker, storesOf } = this.#log;
    const namespace = resource.namespaced ? (target.namespace ?? this.namespace) : undefined;
    const objectKey = keyText({ namespace, name: target.name });
    if (uid !== undefined) for (const store of storesOf(resource)) tracker.deleted(key, store, objectKey, uid);
    return answer;
  }

  deleteCollection<T extends ApiObject>(
    resource: Resource<T>,
    query: Pick<ListQuery, 'fieldSelector' | 'labelSelector' | 'namespace'>,
    options?: DeleteOptions,
  ): Promise<void> {
    return this.#cluster.deleteCollection(resource, query, this.#ending(options));
  }

  async close(): Promise<void> {}

  async [Symbol.asyncDispose](): Promise<void> {}

  #ending<O extends AbortOptions>(options: O | undefined): O & AbortOptions {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- every option of `O` is optional
    return { signal: this.#log.signal, ...options } as O & AbortOptions;
  }

  #wrote<T extends ApiObject>(resource: Resource<T>, object: T, options: WriteOptions | undefined): T {
    if (options?.dryRun === true) return object;
    const { key, tracker, storesOf, onWrite } = this.#log;
    const { uid } = object.metadata;
    for (const store of storesOf(resource, object)) {
      if (uid !== undefined && isRemoved(object)) tracker.deleted(key, store, keyText(object.metadata), uid);
      else tracker.wrote(key, store, object);
    }
    onWrite?.(resource, object, options?.subresource);
    return object;
  }
}

/** Without finalizers and without grace nothing holds a deleted object: this write has removed it. */
function isRemoved({ metadata }: ApiObject): boolean {
  const { deletionTimestamp, deletionGracePeriodSeconds = 0, finalizers = [] } = metadata;
  return deletionTimestamp !== undefined && deletionGracePeriodSeconds === 0 && finalizers.length === 0;
}

function isStatus(answer: object): answer is Status {
  return 'kind' in answer && answer.kind === 'Status';
}
