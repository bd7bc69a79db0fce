/** One cluster, as a program sees it: typed requests, lists item by item, watches. `connect` makes one. */

import type {
  AbortOptions,
  ApiList,
  ApiObject,
  Clock,
  ListMeta,
  ListOptions,
  Resource,
  Status,
  WatchEvent,
} from '@listwatch/api';
import type { Transport } from './transport/transport.ts';

/** Which object. */
export interface ObjectTarget {
  readonly name: string;
  /** Absent only for resources of the cluster. */
  readonly namespace?: string | undefined;
}

/** Which subresource of it: `status`, `scale`, or any other. */
export interface SubresourceOptions {
  readonly subresource?: string | undefined;
}

export interface GetOptions extends AbortOptions, SubresourceOptions, ProjectionOptions {
  /** `'0'`: whatever is cached; a version: not older than it. Absent: the most recent. */
  readonly resourceVersion?: string | undefined;
}

/** Options of every write. */
export interface WriteOptions extends AbortOptions, SubresourceOptions {
  /** Ask what would happen. */
  readonly dryRun?: boolean | undefined;
  readonly fieldManager?: string | undefined;
  readonly fieldValidation?: 'Ignore' | 'Strict' | 'Warn' | undefined;
}

export interface PatchOptions extends WriteOptions {
  /** Take fields from other managers; for `apply` only. */
  readonly force?: boolean | undefined;
}

/** A change to an object, in one of the four forms that Kubernetes takes. */
export type Patch =
  | { readonly type: 'apply'; readonly body: unknown }
  | { readonly type: 'json'; readonly body: readonly unknown[] }
  | { readonly type: 'merge'; readonly body: unknown }
  | { readonly type: 'strategic'; readonly body: unknown };

export interface DeleteOptions extends AbortOptions {
  readonly dryRun?: boolean | undefined;
  readonly gracePeriodSeconds?: number | undefined;
  readonly propagationPolicy?: 'Background' | 'Foreground' | 'Orphan' | undefined;
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string } | undefined;
}

/** How much of each object. */
export interface ProjectionOptions {
  /** `metadata`: objects as PartialObjectMetadata, without spec and status. Default: `full`. */
  readonly projection?: 'full' | 'metadata' | undefined;
}

/** How objects come off the wire. */
export interface DecodeOptions<T> {
  /**
   * Makes the object from its JSON; the bytes may be used again once it returns. Default: parse, and fill in `apiVersion`
   * and `kind` where a list leaves them out. A decoder that throws makes the list or the watch fail with `PROTOCOL`.
   */
  readonly decode?: ((json: Uint8Array) => T) | ObjectDecoder<T> | undefined;
}

/** Makes objects from JSON; throws when it cannot, and keeps nothing of the bytes. */
export interface ObjectDecoder<T> {
  /** Decodes one object. */
  readonly one: (json: Uint8Array) => T;
  /**
   * Decodes objects with commas between them. Must throw when the bytes end in the middle of an object. Default: calls `next`
   * for each, or `one` where there is no `next`.
   */
  readonly run?: ((json: Uint8Array) => readonly T[]) | undefined;
  /**
   * Decodes the object that begins at `from`, and finds its end on the way. Must throw when the object is broken or not whole.
   * Default: the end is found first, then `one` is called, which reads the bytes twice.
   */
  readonly next?: ((json: Uint8Array, from: number) => DecodedObject<T>) | undefined;
}

/** An object, and the index behind it. */
export interface DecodedObject<T> {
  readonly object: T;
  readonly end: number;
}

/** A namespace and what `ListOptions` has for a list. */
export interface ListQuery<T extends ApiObject = ApiObject>
  extends AbortOptions,
    ProjectionOptions,
    DecodeOptions<T>,
    Pick<
      ListOptions,
      | 'continue'
      | 'fieldSelector'
      | 'labelSelector'
      | 'limit'
      | 'resourceVersion'
      | 'resourceVersionMatch'
      | 'timeoutSeconds'
    > {
  /** Absent: every namespace. */
  readonly namespace?: string | undefined;
}

/** A namespace and what `ListOptions` has for a watch. */
export interface WatchQuery<T extends ApiObject = ApiObject>
  extends AbortOptions,
    ProjectionOptions,
    DecodeOptions<T>,
    Pick<
      ListOptions,
      | 'allowWatchBookmarks'
      | 'fieldSelector'
      | 'labelSelector'
      | 'resourceVersion'
      | 'resourceVersionMatch'
      | 'sendInitialEvents'
      | 'timeoutSeconds'
    > {
  /** Absent: every namespace. */
  readonly namespace?: string | undefined;
  /**
   * A watch on which bookmarks have been seen must not be silent for longer: it ends in `IDLE_TIMEOUT`. Default: 90 000,
   * a minute and a half, for servers send one a minute. 0: never.
   */
  readonly heartbeatMs?: number | undefined;
  /** How long after its `timeoutSeconds` a watch is given up when the server does not end it. Default: 5 000. */
  readonly deadlineMarginMs?: number | undefined;
}

/** One page of a list; its items are decoded as they arrive, and the page is never held as a whole. */
export interface ListPage<T extends ApiObject> extends AsyncIterable<T> {
  /** 1 for the first. */
  readonly number: number;
  /** What the server said about the list so far; all of it once the items are through. */
  readonly metadata: ListMeta;
  /** The rest of the items, gathered. */
  items(): Promise<T[]>;
  /** The rest of the items as they were decoded together, which costs less for a long list. Always there on a page of `connect`. */
  batches?(): AsyncIterable<readonly T[]>;
}

/**
 * One watch, for one reader; `break` closes the exchange. It ends when the server ends it. It throws the `StatusError` with
 * which the server refused it, a `TransportError` when it broke (`CLOSED`), fell silent (`IDLE_TIMEOUT`) or was no watch
 * (`PROTOCOL`), or the signal's reason. An ERROR event is an event; the stream ends after it.
 */
export interface WatchStream<T extends ApiObject> extends AsyncIterable<WatchEvent<T>>, AsyncDisposable {
  /** Has the server accepted it? Tells a refusal from a failure later. */
  readonly opened: boolean;
  /** The events as they arrived together, in place of one by one. Always there on a watch of `connect`. */
  batches?(): AsyncIterable<readonly WatchEvent<T>[]>;
}

/** A connection to a cluster. All methods reject with a `StatusError`, a `TransportError` or the signal's own reason. */
export interface Cluster extends AsyncDisposable {
  /** The address of the server, as it was configured. */
  readonly server: string;
  /** The namespace of the context; `default` when none is set. */
  readonly namespace: string;
  readonly clock: Clock;
  /** Everything below goes through here, decorators and all: for requests that have no method of their own. */
  readonly transport: Transport;
  get<T extends ApiObject>(resource: Resource<T>, target: ObjectTarget, options?: GetOptions): Promise<T>;
  /** One page, gathered: all of the collection when no `limit` is given. */
  list<T extends ApiObject>(resource: Resource<T>, query?: ListQuery<T>): Promise<ApiList<T>>;
  /** All pages, one after the other, by their continue tokens; a page that is not read to its end is read over. */
  pages<T extends ApiObject>(resource: Resource<T>, query?: ListQuery<T>): AsyncIterable<ListPage<T>>;
  watch<T extends ApiObject>(resource: Resource<T>, query?: WatchQuery<T>): WatchStream<T>;
  /** The namespace is the object's own; absent there, the cluster's `namespace`. */
  create<T extends ApiObject>(resource: Resource<T>, object: NewObject<T>, options?: WriteOptions): Promise<T>;
  update<T extends ApiObject>(resource: Resource<T>, object: T, options?: WriteOptions): Promise<T>;
  patch<T extends ApiObject>(
    resource: Resource<T>,
    target: ObjectTarget,
    patch: Patch,
    options?: PatchOptions,
  ): Promise<T>;
  /** The object when it stays for a while (finalizers, grace), or a Status when it is gone. */
  delete<T extends ApiObject>(
    resource: Resource<T>,
    target: ObjectTarget,
    options?: DeleteOptions,
  ): Promise<Status | T>;
  deleteCollection<T extends ApiObject>(
    resource: Resource<T>,
    query: Pick<ListQuery, 'fieldSelector' | 'labelSelector' | 'namespace'>,
    options?: DeleteOptions,
  ): Promise<void>;
  close(): Promise<void>;
}

/** An object before the server has named it: `generateName` will do instead of a name. */
export type NewObject<T extends ApiObject> = Omit<T, 'metadata'> & {
  readonly metadata: Omit<T['metadata'], 'name'> & { readonly name?: string };
};
