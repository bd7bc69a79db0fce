/** The interface of a connected cluster: typed requests, streamed lists, watches. `connect` makes one. */

import type {
  AbortOptions,
  ApiList,
  ApiObject,
  Clock,
  ListMeta,
  ListOptions,
  ObjectMeta,
  PropagationPolicy,
  Resource,
  Status,
  WatchEvent,
} from '@listwatch/api';
import type { AppliedObject, Patch } from './object-part.ts';
import type { RawAnswer } from './raw/raw-answer.ts';
import type { RawRequest } from './raw/raw-request.ts';
import type { ServerReport } from './transport/failover/server-report.ts';
import type { Transport } from './transport/transport.ts';

/** Names one object. */
export interface ObjectTarget {
  readonly name: string;
  /** Default: the cluster's `namespace`, for namespaced resources. */
  readonly namespace?: string | undefined;
}

/** Selects a subresource: `status`, `scale`, or any other. */
export interface SubresourceOptions {
  readonly subresource?: string | undefined;
}

export interface GetOptions extends AbortOptions, SubresourceOptions, ProjectionOptions {
  /** `'0'`: whatever is cached; a version: not older than it. Absent: the most recent. */
  readonly resourceVersion?: string | undefined;
}

/** Options of every write. */
export interface WriteOptions extends AbortOptions, SubresourceOptions {
  /** Validate the request without storing anything. */
  readonly dryRun?: boolean | undefined;
  readonly fieldManager?: string | undefined;
  readonly fieldValidation?: 'Ignore' | 'Strict' | 'Warn' | undefined;
}

export interface PatchOptions extends WriteOptions {
  /** Take fields from other managers; for `apply` only. */
  readonly force?: boolean | undefined;
}

/** Options of a server-side apply. */
export interface ApplyOptions extends WriteOptions {
  /** The owner of the fields that the object has. Default: `listwatch`. */
  readonly fieldManager?: string | undefined;
  /** Take fields from other managers instead of failing with a conflict. Default: false. */
  readonly force?: boolean | undefined;
}

export interface DeleteOptions extends AbortOptions {
  readonly dryRun?: boolean | undefined;
  readonly gracePeriodSeconds?: number | undefined;
  readonly propagationPolicy?: PropagationPolicy | undefined;
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string } | undefined;
}

/** Selects how much of each object is sent. */
export interface ProjectionOptions {
  /** `metadata`: objects as PartialObjectMetadata, without spec and status. Default: `full`. */
  readonly projection?: 'full' | 'metadata' | undefined;
}

/** Replaces the decoder of objects. */
export interface DecodeOptions<T> {
  /**
   * Makes the object from its JSON, whose syntax has been checked; the bytes are reused once it returns. Default: parse, and
   * fill in `apiVersion` and `kind` where a list leaves them out. If it throws, the list or watch fails with `PROTOCOL`.
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

/** The options of a list. */
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

/** The options of a watch. */
export interface WatchQuery<T extends ApiObject = ApiObject>
  extends AbortOptions,
    ProjectionOptions,
    DecodeOptions<T>,
    Pick<
      ListOptions,
      | 'allowWatchBookmarks'
      | 'fieldSelector'
      | 'labelSelector'
      | 'listwatchProgress'
      | 'resourceVersion'
      | 'resourceVersionMatch'
      | 'sendInitialEvents'
      | 'timeoutSeconds'
    > {
  /** Absent: every namespace. */
  readonly namespace?: string | undefined;
  /**
   * Once a bookmark has arrived, a watch without an event for this long fails with `IDLE_TIMEOUT`. Default: 90 000, because
   * servers send a bookmark every minute. 0: never.
   */
  readonly heartbeatMs?: number | undefined;
  /** How long after its `timeoutSeconds` a watch fails when the server has not ended it. Default: 5 000. */
  readonly deadlineMarginMs?: number | undefined;
}

/** One page of a list. Items are decoded as they arrive; the page is never in memory as a whole. */
export interface ListPage<T extends ApiObject> extends AsyncIterable<T> {
  /** 1 for the first. */
  readonly number: number;
  /** The list's metadata as far as it has arrived; complete once all items are read. */
  readonly metadata: ListMeta;
  /** The remaining items in an array. */
  items(): Promise<T[]>;
  /** The remaining items in the batches in which they were decoded; faster for long lists. Pages of `connect` always have it. */
  batches?(): AsyncIterable<readonly T[]>;
}

/**
 * One watch, for one reader; `break` closes it. It ends when the server ends it. It throws the server's `StatusError` when it is
 * refused, a `TransportError` when it breaks (`CLOSED`), falls silent (`IDLE_TIMEOUT`) or cannot be decoded (`PROTOCOL`), or
 * the signal's reason. An ERROR event is delivered as an event; the stream ends after it.
 */
export interface WatchStream<T extends ApiObject> extends AsyncIterable<WatchEvent<T>>, AsyncDisposable {
  /** Has the server accepted the watch? */
  readonly opened: boolean;
  /** The events in the batches in which they arrived. Watches of `connect` always have it. */
  batches?(): AsyncIterable<readonly WatchEvent<T>[]>;
}

/** A connection to a cluster. All methods reject with a `StatusError`, a `TransportError` or the signal's own reason. */
export interface Cluster extends AsyncDisposable {
  /** The address of the server, as it was configured. */
  readonly server: string;
  /** The servers as they are now, in the order of preference. Absent: the client knows only one. */
  readonly servers?: readonly ServerReport[] | undefined;
  /** The namespace of the context; `default` when none is set. */
  readonly namespace: string;
  readonly clock: Clock;
  /** What requests past these methods should send as their User-Agent. Absent: `listwatch`. */
  readonly userAgent?: string | undefined;
  /** Sends every request, through all layers. Use it for requests that have no method here. */
  readonly transport: Transport;
  get<T extends ApiObject>(resource: Resource<T>, target: ObjectTarget, options?: GetOptions): Promise<T>;
  /** One page in memory: the whole collection when there is no `limit`. */
  list<T extends ApiObject>(resource: Resource<T>, query?: ListQuery<T>): Promise<ApiList<T>>;
  /** All pages, one after the other. What is left unread of a page is skipped. */
  pages<T extends ApiObject>(resource: Resource<T>, query?: ListQuery<T>): AsyncIterable<ListPage<T>>;
  watch<T extends ApiObject>(resource: Resource<T>, query?: WatchQuery<T>): WatchStream<T>;
  /** Uses the object's namespace, or else the cluster's `namespace`. */
  create<T extends ApiObject>(resource: Resource<T>, object: NewObject<T>, options?: WriteOptions): Promise<T>;
  update<T extends ApiObject>(resource: Resource<T>, object: T, options?: WriteOptions): Promise<T>;
  patch<T extends ApiObject>(
    resource: Resource<T>,
    target: ObjectTarget,
    patch: Patch<T>,
    options?: PatchOptions,
  ): Promise<T>;
  /**
   * Server-side apply: creates the object, or sets the fields that it has and removes those that the same manager had applied
   * before. Rejects with a conflict when another manager owns a field with another value (`applyConflicts` lists them).
   */
  apply<T extends ApiObject>(resource: Resource<T>, object: AppliedObject<T>, options?: ApplyOptions): Promise<T>;
  /** Gives the object if it still exists (finalizers, grace period), or a Status if it is gone. */
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
  /**
   * A request of any kind, as `fetch`, with the login, TLS, proxy, retries and failover of the cluster. Every status is an answer.
   *
   * @example
   * const version = await (await cluster.raw('/version')).json<{ gitVersion: string }>();
   */
  raw(path: string, options?: RawRequest): Promise<RawAnswer>;
  close(): Promise<void>;
}

/**
 * An object to be created. Its metadata may have a `generateName` instead of a name, and lacks what the server sets; its
 * status is the server's. A field that may be empty (`spec` of a Namespace) may be absent.
 */
export type NewObject<T extends ApiObject> = Omit<T, EmptyFields<T> | 'metadata' | 'status'> &
  Partial<Pick<T, Exclude<EmptyFields<T>, 'metadata' | 'status'>>> & { readonly metadata: NewMetadata<T['metadata']> };

/** The metadata of a {@link NewObject}: without what the server sets. */
export type NewMetadata<M extends ObjectMeta = ObjectMeta> = Omit<M, 'name' | ServerMetadata> & {
  readonly name?: string;
};

type ServerMetadata =
  | 'creationTimestamp'
  | 'deletionGracePeriodSeconds'
  | 'deletionTimestamp'
  | 'generation'
  | 'managedFields'
  | 'resourceVersion'
  | 'uid';

/** The names of the fields that take an empty object. */
// oxlint-disable-next-line typescript/no-empty-object-type -- no other type is one that every object without required fields takes
type EmptyFields<T> = { readonly [K in keyof T]-?: {} extends T[K] ? K : never }[keyof T];
