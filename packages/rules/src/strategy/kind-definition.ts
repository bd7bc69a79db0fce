/** The definition of a kind: the only place where kinds differ. */

import type { Resource } from '@listwatch/api';
import type { JsonRecord } from '@listwatch/api/values';
import type { KindData } from '@listwatch/kinds/data';
import type { KindSchemas } from '@listwatch/kinds/schemas';
import type { Findings, StructPlan, VisitBudget } from '@listwatch/schema';
import type { KubeMetadata, KubeObject } from '../kube-object.ts';
import type { BodyLimits } from './body-limits.ts';
import type { ResetFields } from './reset-fields.ts';

/** A column of a Table. */
export interface ColumnDefinition {
  readonly name: string;
  readonly type: string;
  readonly format: string;
  readonly description: string;
  readonly priority: number;
}

/** The Table form of a kind. */
export interface TableColumns {
  readonly definitions: readonly ColumnDefinition[];
  /** The cells of an object, one for each column. `now` is for ages; `budget` limits the cost of all rows. */
  readonly cells: (object: KubeObject, now: number, budget?: VisitBudget) => readonly unknown[];
  /** The order of the rows of a list. Default: by key. */
  readonly compare?: ((left: KubeObject, right: KubeObject) => number) | undefined;
}

/** Prepares a change of `old`. `now` is for times that the server sets, in milliseconds. */
export type PrepareChange = (object: KubeObject, old: KubeObject, now: number) => KubeObject;

/** How an update of a subresource is prepared. */
export interface SubresourceStrategy {
  readonly prepareForUpdate: PrepareChange;
  readonly raisesGeneration: boolean;
}

/**
 * The errors and warnings about an object that is ready to be stored, except for its metadata. `old`: the stored object,
 * on an update; `subresource`: what is written, `''` for the object itself. `isRefused`: its metadata has errors, so that
 * warnings about a valid object are not looked for.
 */
export type ValidateObject = (
  object: KubeObject,
  old: KubeObject | undefined,
  subresource: string,
  isRefused?: boolean,
) => Findings;

/** How objects of a kind are prepared and validated. All functions are pure. */
export interface ResourceStrategy {
  /**
   * The stored form of the object: known fields, in order. The functions below convert to this form themselves, unless
   * the object already has it. `known`: an object in this form, from which admission made the other. Shared parts are
   * not converted again, and defaults that `known` has are not set again: what a plugin leaves out stays out, as in
   * Kubernetes.
   */
  readonly canonical: (object: KubeObject, known?: KubeObject) => KubeObject;
  /** Replaces the metadata of an object in canonical form. Existing defaults are kept. */
  readonly withMetadata: (object: KubeObject, metadata: KubeMetadata) => KubeObject;
  /** The object in canonical form, with the defaults of its kind. The creator of the object owns them. */
  readonly withDefaults: (object: KubeObject, now: number) => KubeObject;
  /** Sets defaults and clears fields that a client may not set on creation (status, ...). Verbs handle metadata. */
  readonly prepareForCreate: (object: KubeObject, now: number) => KubeObject;
  /** The same for an update. Carries over fields that a client may not change, such as status on the main endpoint. */
  readonly prepareForUpdate: PrepareChange;
  /** The same for an update of the `status` subresource; undefined when the kind has none. */
  readonly prepareForStatusUpdate?: PrepareChange | undefined;
  /** The same for an update of the `finalize` subresource (Namespace); undefined when the kind has none. */
  readonly prepareForFinalize?: PrepareChange | undefined;
  /** Other subresources that change a part of the object, by name. */
  readonly subresources?: Readonly<Record<string, SubresourceStrategy>> | undefined;
  /** Marks an object whose deletion has begun and that stays for a while (Namespace: the phase Terminating). */
  readonly markDeleting?: ((object: KubeObject) => KubeObject) | undefined;
  /** Must a deleted object stay even without `metadata.finalizers` (Namespace: `spec.finalizers`)? */
  readonly holdsDeletion?: ((object: KubeObject) => boolean) | undefined;
  /** Why the object of this name may never be deleted: the text behind `forbidden: `. */
  readonly refusesDeletion?: ((name: string) => string | undefined) | undefined;
  /** All rules of the kind for its objects, also those that come from a client, such as CEL expressions. */
  readonly validate: ValidateObject;
  /** Why no object can be created now: the text behind `forbidden: `. */
  readonly refusesCreation?: (() => string | undefined) | undefined;
  /** Whether finalizers without a domain (`foo`) are accepted, with or without a warning. Default: they are refused. */
  readonly plainFinalizers?: 'taken' | 'warned' | undefined;
  /** Whether a change raises `metadata.generation`; undefined for kinds without one. */
  readonly raisesGeneration?: ((object: KubeObject, old: KubeObject) => boolean) | undefined;
  /** A PUT without a resourceVersion is taken. */
  readonly allowsUnconditionalUpdate: boolean;
  /** A PUT on a name that does not exist creates it. */
  readonly allowsCreateOnUpdate: boolean;
  /** DELETE answers with the object instead of a Status. */
  readonly returnsDeletedObject: boolean;
  /** A delete that names no policy orphans the dependents (Job, ReplicationController): old clients rely on it. */
  readonly orphansDependents?: boolean | undefined;
  /** The warning about a delete that names no policy. */
  readonly deletionWarning?: string | undefined;
  /** The grace period in seconds that a delete without one gets (Pods); undefined: deletion is immediate. */
  readonly gracePeriodSeconds?: ((object: KubeObject, asked: number | undefined) => number) | undefined;
  /** The TTL of objects in seconds (Events); undefined: no expiry. */
  readonly ttlSeconds?: number | undefined;
  /** Checks a name of this kind; returns complaints. */
  readonly checkName: (name: string, isPrefix: boolean) => readonly string[];
}

/** One kind: its data with its rules. */
export interface KindDefinition {
  readonly resource: Resource;
  /** The discovery data: names, all subresources, the type of the schema. */
  readonly data: KindData;
  readonly verbs: readonly string[];
  /** The kind as errors about an object name it. */
  readonly reportedKind: Pick<Resource, 'group' | 'kind'>;
  /** The `Warning` of every answer, for a kind that others should replace. Default: none. */
  readonly deprecation?: string | undefined;
  /** The subresources that read and write the object itself, with their verbs: `status`, `finalize` and the like. */
  readonly subresources: Readonly<Record<string, readonly string[]>>;
  /** The limits of a body of this kind. Default: the common limits. */
  readonly bodyLimits?: BodyLimits | undefined;
  /** The folder of its keys: `/registry/{storagePrefix}/{namespace}/{name}`. */
  readonly storagePrefix: string;
  /** Selectable fields of an object beside metadata.name and metadata.namespace. */
  readonly fieldsOf: (object: KubeObject) => Readonly<Record<string, string>>;
  /** The name under which a field of a selector is indexed, or throws the 400 `StatusError` for an unsupported one. */
  readonly resolveField: (field: string, value: string) => { readonly field: string; readonly value: string };
  readonly strategy: ResourceStrategy;
  /** Fields that a write through an endpoint never owns. */
  readonly resetFields: ResetFields;
  /** The initial fields of an object before its creator sets any; they have no owner. */
  readonly zero: () => JsonRecord;
  readonly columns: TableColumns;
  /** The schemas that the type of its objects is in. */
  readonly schemas: KindSchemas;
  /** Loads the schemas; undefined when they are loaded. The handler calls this before a verb runs. */
  readonly load: () => Promise<void> | undefined;
  /** The decoder of the objects. Throws a RangeError if the schemas are not loaded. */
  readonly plan: () => StructPlan;
  /**
   * Why a JSON document cannot be an object of this kind: a value of the wrong type. The text behind
   * `cannot be handled as a ConfigMap: ` (400) of a body and behind `patch: Invalid value: ...` (422) of a patch.
   */
  readonly decodeProblem: (document: unknown) => string | undefined;
  /**
   * The canonical form of a document in which every value has its type and every field is known; undefined for others, and for a few
   * that need more than one look. `members`: how many members the document's text has, if it is JSON: more than were read repeat one.
   */
  readonly plainForm?: ((document: JsonRecord, members: number | undefined) => KubeObject | undefined) | undefined;
  /** The fields of an empty object except metadata (`spec` and `status` of a Pod), as bookmarks show them. */
  readonly emptyFields?: Readonly<Record<string, unknown>> | undefined;
  /**
   * Converts an object of another group or version to this kind. Kinds with a conversion may share a storage folder
   * (Events): each is a view of the same objects. The caches call it, so its schemas are loaded at startup.
   */
  readonly convert?: ((object: KubeObject) => KubeObject) | undefined;
}
