/** What a kind is: the one place where kinds differ. */

import type { FieldError, Resource } from '@listwatch/api';
import type { JsonRecord } from '@listwatch/api/values';
import type { KindData } from '@listwatch/kinds/data';
import type { KindSchemas } from '@listwatch/kinds/schemas';
import type { CustomVerdict, Steps, StructPlan, VisitBudget } from '@listwatch/schema';
import type { KubeObject } from '../kube-object.ts';
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
  /** The cells of an object, one for each column. `now` is for ages; `budget` is what all rows of the Table may cost. */
  readonly cells: (object: KubeObject, now: number, budget?: VisitBudget) => readonly unknown[];
}

/** Prepares a change of `old`. `now` is for times that the server sets, in milliseconds. */
export type PrepareChange = (object: KubeObject, old: KubeObject, now: number) => KubeObject;

/** How an update of a subresource is prepared and judged. */
export interface SubresourceStrategy {
  readonly prepareForUpdate: PrepareChange;
  /** Default: the rules for an update of the object. */
  readonly validateUpdate?: ResourceStrategy['validateUpdate'] | undefined;
  readonly raisesGeneration: boolean;
}

/** How objects of a kind are prepared and judged. All functions are pure. */
export interface ResourceStrategy {
  /**
   * The object in the form in which it is stored: known fields in their order. The functions below do this themselves
   * unless they get its result: large objects are prepared in several turns of the event loop.
   */
  readonly canonical: (object: KubeObject) => KubeObject;
  /** The same in steps, for a large object. */
  readonly canonicalSteps: (object: KubeObject) => Steps<KubeObject>;
  /** The object in canonical form, with the defaults of its kind, in steps if it is large. Whoever creates it owns them. */
  readonly defaultSteps: (object: KubeObject, now: number, isLarge?: boolean) => Steps<KubeObject>;
  /** Fills defaults and clears what a client may not set on creation (status, ...). Metadata is done by the verbs. */
  readonly prepareForCreate: (object: KubeObject, now: number) => KubeObject;
  /** The same for an update; carries over what a client may not change (status on the main endpoint, ...). */
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
  /** What is wrong with a new object, beside its metadata. */
  readonly validate: (object: KubeObject) => readonly FieldError[];
  /** What is wrong with a change, beside metadata. */
  readonly validateUpdate: (object: KubeObject, old: KubeObject) => readonly FieldError[];
  /** What is legal but odd about a valid object, for the `Warning` header; `old` on an update. Default: nothing. */
  readonly warnings?: ((object: KubeObject, old?: KubeObject) => readonly string[]) | undefined;
  /**
   * What else is wrong with an object, found in steps: for kinds whose rules a client brings and that may take long. `old` on
   * an update. Default: nothing.
   */
  readonly judge?:
    | ((object: KubeObject, old: KubeObject | undefined, subresource: string) => Steps<CustomVerdict>)
    | undefined;
  /** Why no object can be created now: the text behind `forbidden: `. */
  readonly refusesCreation?: (() => string | undefined) | undefined;
  /** Finalizers without a domain are taken, with a warning. Default: they are refused. */
  readonly takesPlainFinalizers?: boolean | undefined;
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
  /** Objects live this long (Events); undefined: for ever. */
  readonly ttlSeconds?: number | undefined;
  /** How names of this kind are checked; the answer lists complaints. */
  readonly checkName: (name: string, isPrefix: boolean) => readonly string[];
}

/** One kind: its data with its rules. */
export interface KindDefinition {
  readonly resource: Resource;
  /** What discovery says of it: names, all subresources, the type of its schema. */
  readonly data: KindData;
  readonly verbs: readonly string[];
  /** The `Warning` of every answer, for a kind that others should replace. Default: none. */
  readonly deprecation?: string | undefined;
  /** The subresources that read and write the object itself, with their verbs: `status`, `finalize` and the like. */
  readonly subresources: Readonly<Record<string, readonly string[]>>;
  /** How much a body of it may hold. Default: what all kinds may. */
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
  /** What an object starts from before its creator has set anything; what is in it has no owner. */
  readonly zero: () => JsonRecord;
  readonly columns: TableColumns;
  /** The schemas that the type of its objects is in. */
  readonly schemas: KindSchemas;
  /** Loads its schemas; undefined when they are loaded. The handler does it before a verb runs. */
  readonly load: () => Promise<void> | undefined;
  /** How its objects are decoded. Throws a RangeError before its schemas are loaded, as all do that need them. */
  readonly plan: () => StructPlan;
  /**
   * Why a JSON document cannot be an object of this kind: a value of the wrong type. The text behind
   * `cannot be handled as a ConfigMap: ` (400) of a body and behind `patch: Invalid value: ...` (422) of a patch.
   */
  readonly decodeProblem: (document: unknown) => string | undefined;
  /** What an empty object of the kind has beside its metadata (`spec` and `status` of a Pod): bookmarks show it. */
  readonly emptyFields?: Readonly<Record<string, unknown>> | undefined;
  /**
   * Turns what another group or version wrote into an object of this kind. Kinds that have this may share a folder (Events):
   * they are one set of objects, seen through several versions. The caches call it, so its schemas are loaded at the start.
   */
  readonly convert?: ((object: KubeObject) => KubeObject) | undefined;
}
