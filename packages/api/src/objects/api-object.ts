/** The shape that all objects and lists of the API share. Start here. */

/** A pointer from a dependent object to the object that owns it, in the same namespace or in the cluster. */
export interface OwnerReference {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  /** Of the owner: another object of the same name has another uid, and is no owner. */
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
  /** Unique among the objects of a kind in a namespace. It cannot be changed. */
  readonly name: string;
  /** The server makes a name of it and random characters, if there is no name. */
  readonly generateName?: string;
  /** Absent on cluster-scoped objects. */
  readonly namespace?: string;
  /** Set by the server: another object of the same name has another uid. */
  readonly uid?: string;
  /** Changes with every write. Turn it into a `ResourceVersion` before you compare it. */
  readonly resourceVersion?: string;
  /** Changes with the desired state only. Some kinds have none. */
  readonly generation?: number;
  /** When the server stored the object for the first time, RFC 3339. */
  readonly creationTimestamp?: string;
  /** Set once the object is asked to go; it stays until its finalizers are gone. */
  readonly deletionTimestamp?: string;
  /** How long the object may take to end after its deletion was asked for. */
  readonly deletionGracePeriodSeconds?: number;
  /** Keys and values by which objects are selected. */
  readonly labels?: Readonly<Record<string, string>>;
  /** Keys and values for tools and people. Nothing selects by them. */
  readonly annotations?: Readonly<Record<string, string>>;
  /** The objects that this one depends on. When all of them are gone, the garbage collector deletes it. */
  readonly ownerReferences?: readonly OwnerReference[];
  /** A deleted object stays until each of them is removed by the controller that it belongs to. */
  readonly finalizers?: readonly string[];
  /** Who has set which fields: kept by the server for server-side apply. */
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
