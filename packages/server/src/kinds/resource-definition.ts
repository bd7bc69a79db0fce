/** A kind as the server serves it. */

import type { KindDefinition } from '@listwatch/rules/internal';
import type { CustomSchema, ScalePaths } from '@listwatch/schema';
import type { StoredForm } from '../stored/stored-form.ts';

/** One kind, with all that the server knows of it. */
export interface ResourceDefinition extends KindDefinition {
  /**
   * The same kind in another version, for owners of fields that wrote in it; undefined: their entries are dropped. It may
   * throw for a version that is gone: an apply fails then. Default: what is served under the same name and `convert`s.
   */
  readonly inVersion?: ((apiVersion: string) => ResourceDefinition | undefined) | undefined;
  /** How its objects are stored, where that differs from how they are served (custom kinds). */
  readonly form?: StoredForm | undefined;
  /** What only custom kinds have. */
  readonly custom?: CustomParts | undefined;
}

/** What only custom kinds have. */
export interface CustomParts {
  readonly schema: CustomSchema;
  readonly listKind: string;
  readonly scale: ScalePaths | undefined;
  /** The revision of the definition that it is served by. Clients that have objects of an older one must list again. */
  readonly since: bigint;
  /** The uid of that definition. */
  readonly uid: string;
}
