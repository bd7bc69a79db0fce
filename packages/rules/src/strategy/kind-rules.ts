/** What the data of a kind does not say: defaults that are code, what a client may not set, validation, columns. */

import type { KubeObject } from '../kube-object.ts';
import type { NameRule } from '../validation/name-rules.ts';
import type { BodyLimits } from './body-limits.ts';
import type { KindDefinition, PrepareChange, ResourceStrategy, TableColumns } from './kind-definition.ts';
import type { ResetFields } from './reset-fields.ts';

/** Changes an object, with its old state at hand. `now` is for times that the server sets, in milliseconds. */
export type ObjectChange = PrepareChange;

/** A subresource that changes a part of the object, such as `ephemeralcontainers` of a Pod. */
export interface SubresourceRules {
  /** Carries over all that it does not change. */
  readonly onUpdate: ObjectChange;
  /** All rules for the change. Default: those of an update of the object. */
  readonly validateUpdate?: ResourceStrategy['validateUpdate'];
  /** Does a change count in `metadata.generation`, as one of the object does? Default: no. */
  readonly raisesGeneration?: boolean;
}

/** The rules of one kind. All functions are pure (they get the time), and each default is what most kinds do. */
export interface KindRules {
  /** Default: the name and the age. */
  readonly columns?: TableColumns;
  /** The folder of its keys. Default: the plural, or as kube-apiserver calls it. */
  readonly storagePrefix?: string;
  /** The selectable fields of an object, beside its name and its namespace. Default: as the data says. */
  readonly fieldsOf?: KindDefinition['fieldsOf'];
  readonly resolveField?: KindDefinition['resolveField'];
  /** Adds defaults, on creation and on update, to those that the data declares, which are set before. */
  readonly applyDefaults?: (object: KubeObject, now: number) => KubeObject;
  /** Clears fields that a client may not set on creation. Default: the status, if the kind has that subresource. */
  readonly onCreate?: (object: KubeObject, now: number) => KubeObject;
  /** Carries over fields that a client may not change. Default: the status, if the kind has that subresource. */
  readonly onUpdate?: ObjectChange;
  /** Default, if the kind has that subresource: all but the status is carried over. */
  readonly onStatusUpdate?: ObjectChange;
  readonly onFinalize?: ObjectChange;
  /** Other subresources that change a part of the object, by name. Default: those of `SUBRESOURCE_RULES`. */
  readonly subresources?: Readonly<Record<string, SubresourceRules>>;
  /** Fields that a write through an endpoint leaves as they are. Default: as kube-apiserver has it for the kind. */
  readonly resetFields?: ResetFields;
  /** The rules for an object, new or changed. A large one is checked in steps: lists are gone through with `itemErrors`. */
  readonly validate?: ResourceStrategy['validate'];
  /** Further rules for a new object; `validate` runs too. */
  readonly validateNew?: ResourceStrategy['validate'];
  /** Further rules for an update; `validate` runs too. */
  readonly validateChange?: ResourceStrategy['validateUpdate'];
  /** All rules for an update, in place of `validateChange` and `validate`. */
  readonly validateUpdate?: ResourceStrategy['validateUpdate'];
  /** What is legal but odd, for the `Warning` header of the answer. Default: those of `kindWarnings`. */
  readonly warnings?: ResourceStrategy['warnings'];
  /**
   * Turns what another group or version wrote into an object of this kind; what it gives is put into canonical form. Kinds
   * that all have this may share a folder of keys: they are one set of objects, seen through several versions.
   */
  readonly convert?: (object: KubeObject) => KubeObject;
  readonly strategy?: Partial<
    Pick<
      ResourceStrategy,
      | 'allowsCreateOnUpdate'
      | 'allowsUnconditionalUpdate'
      | 'deletionWarning'
      | 'gracePeriodSeconds'
      | 'holdsDeletion'
      | 'judge'
      | 'markDeleting'
      | 'orphansDependents'
      | 'raisesGeneration'
      | 'refusesDeletion'
      | 'returnsDeletedObject'
      | 'ttlSeconds'
    >
  >;
  /** The `Warning` of every answer, for a kind that others should replace. Default: none. */
  readonly deprecation?: string;
  /** How much a body may hold. Default: what all kinds may. */
  readonly bodyLimits?: BodyLimits;
  /** The group that errors about an object name. Default: its own. */
  readonly reportedGroup?: string;
  /** Default: a DNS subdomain. */
  readonly checkName?: NameRule;
}
