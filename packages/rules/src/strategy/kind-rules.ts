/** The rules that the published data of a kind lacks: computed defaults, protected fields, validation, columns. */

import type { FieldError } from '@listwatch/api';
import type { KubeObject } from '../kube-object.ts';
import type { NameRule } from '../validation/name-rules.ts';
import type { BodyLimits } from './body-limits.ts';
import type { KindDefinition, PrepareChange, ResourceStrategy, TableColumns } from './kind-definition.ts';
import type { ResetFields } from './reset-fields.ts';

/** The errors of an update. `subresource`: what is written, `''` for the object itself. */
export type ValidateUpdate = (object: KubeObject, old: KubeObject, subresource: string) => readonly FieldError[];

/** A subresource that changes a part of the object, such as `ephemeralcontainers` of a Pod. */
export interface SubresourceRules {
  /** Carries over all fields that the subresource does not change. */
  readonly onUpdate: PrepareChange;
  /** All errors of the change. Default: those of an update of the object. */
  readonly validateUpdate?: ValidateUpdate;
  /** Does a change raise `metadata.generation`, like a change of the object? Default: no. */
  readonly raisesGeneration?: boolean;
}

/**
 * The rules of one kind. All functions are pure (they get the time). Each default is the behavior of most kinds. The
 * warnings about valid objects are in `kinds/warnings/kind-warnings.ts`.
 */
export interface KindRules {
  /** Default: the name and the age. */
  readonly columns?: TableColumns;
  /** The folder of its keys. Default: the plural, or as kube-apiserver calls it. */
  readonly storagePrefix?: string;
  /** The selectable fields of an object, beside its name and its namespace. Default: as the data says. */
  readonly fieldsOf?: KindDefinition['fieldsOf'];
  readonly resolveField?: KindDefinition['resolveField'];
  /** Restores empty lists of `sent`, which the canonical form drops, if defaults depend on them. Default: none. */
  readonly keepEmpty?: (canonical: KubeObject, sent: KubeObject) => KubeObject;
  /** Adds computed defaults, on creation and on update. The defaults that the data declares are already set. */
  readonly applyDefaults?: (object: KubeObject, now: number) => KubeObject;
  /** Clears fields that a client may not set on creation. Default: the status, if the kind has that subresource. */
  readonly onCreate?: (object: KubeObject, now: number) => KubeObject;
  /** Carries over fields that a client may not change. Default: the status, if the kind has that subresource. */
  readonly onUpdate?: PrepareChange;
  /** Default, if the kind has that subresource: carries over everything except the status. */
  readonly onStatusUpdate?: PrepareChange;
  readonly onFinalize?: PrepareChange;
  /** Other subresources that change a part of the object, by name. Default: those of `SUBRESOURCE_RULES`. */
  readonly subresources?: Readonly<Record<string, SubresourceRules>>;
  /** Fields that a write through an endpoint does not change. Default: those of kube-apiserver for the kind. */
  readonly resetFields?: ResetFields;
  /** The errors of a new object. Check lists with `itemErrors`, which stops at the maximum of errors in a message. */
  readonly validate?: (object: KubeObject) => readonly FieldError[];
  /** The errors of an update, in the order of kube-apiserver. Default: those of `validate`. */
  readonly validateUpdate?: ValidateUpdate;
  /**
   * Converts an object of another group or version to this kind; the result is made canonical. Kinds that all have a
   * conversion may share a folder of keys: each is a view of the same objects.
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
  /** The limits of a body. Default: the common limits. */
  readonly bodyLimits?: BodyLimits;
  /** The group that errors about an object name. Default: its own. */
  readonly reportedGroup?: string;
  /** Default: a DNS subdomain. */
  readonly checkName?: NameRule;
}
