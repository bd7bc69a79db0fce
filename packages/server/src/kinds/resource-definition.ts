/** A kind as the server serves it. */

import type { KindDefinition } from '@listwatch/rules/internal';
import type { CustomSchema, ScalePaths } from '@listwatch/schema';
import type { StoredForm } from '../stored/stored-form.ts';

/** One kind, with all that the server knows of it. */
export interface ResourceDefinition extends KindDefinition {
  /**
   * The same kind in the version of a `managedFields` entry; undefined: the entry is dropped. It may throw for a
   * version that no longer exists: the apply fails. Default: the served kind of the same name that has `convert`.
   */
  readonly inVersion?: ((apiVersion: string) => ResourceDefinition | undefined) | undefined;
  /** How its objects are stored, where that differs from how they are served (custom kinds). */
  readonly form?: StoredForm | undefined;
  /** The parts that only custom kinds have. */
  readonly custom?: CustomParts | undefined;
}

/** The parts that only custom kinds have. */
export interface CustomParts {
  readonly schema: CustomSchema;
  readonly listKind: string;
  readonly scale: ScalePaths | undefined;
  /** The revision of the definition that it is served by. Clients that have objects of an older one must list again. */
  readonly since: bigint;
  /** The uid of that definition. */
  readonly uid: string;
}
