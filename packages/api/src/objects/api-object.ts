/** The shape that all objects and lists of the API share. Start here. */

/** A pointer from a dependent object to the object that owns it, in the same namespace or in the cluster. */
export interface OwnerReference {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
  /** Is this the one owner that manages the object? Absent: no. */
  readonly controller?: boolean;
  /** Does foreground deletion of the owner wait for this object? Absent: no. */
  readonly blockOwnerDeletion?: boolean;
}

/** Which fields one manager owns, as server-side apply tracks them. */
export interface ManagedFieldsEntry {
  readonly manager?: string;
  readonly operation?: 'Apply' | 'Update';
  readonly apiVersion?: string;
  readonly time?: string;
  readonly fieldsType?: 'FieldsV1';
  readonly fieldsV1?: unknown;
  readonly subresource?: string;
}

/** What the server knows about any object. The server has named every object that a client can see. */
export interface ObjectMeta {
  readonly name: string;
  readonly generateName?: string;
  /** Absent on cluster-scoped objects. */
  readonly namespace?: string;
  readonly uid?: string;
  /** Changes with every write. Turn it into a `ResourceVersion` before you compare it. */
  readonly resourceVersion?: string;
  /** Changes with the desired state only. Some kinds have none. */
  readonly generation?: number;
  readonly creationTimestamp?: string;
  /** Set once the object is asked to go; it stays until its finalizers are gone. */
  readonly deletionTimestamp?: string;
  readonly deletionGracePeriodSeconds?: number;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly ownerReferences?: readonly OwnerReference[];
  readonly finalizers?: readonly string[];
  readonly managedFields?: readonly ManagedFieldsEntry[];
}

/**
 * Any object of the API. The items of a list may leave `apiVersion` and `kind` out: the list says them once.
 *
 * @example
 * interface ConfigMap extends ApiObject {
 *   readonly data?: Readonly<Record<string, string>>;
 * }
 */
export interface ApiObject {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata: ObjectMeta;
}

/** What the server says about a list, or about the state of the collection when it failed to list. */
export interface ListMeta {
  /** The version of the collection that the list shows. */
  readonly resourceVersion?: string;
  /** Present when there is another page: send it back to get that page. */
  readonly continue?: string;
  /** How many items follow this page; present only without selectors, and only an estimate. */
  readonly remainingItemCount?: number;
}

/** One page of a collection. */
export interface ApiList<T extends ApiObject = ApiObject> {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata: ListMeta;
  readonly items: readonly T[];
}
