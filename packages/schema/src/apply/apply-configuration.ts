/** Server-side apply. */

import type { ManagedFieldsEntry, StatusCause } from '@listwatch/api';
import type { JsonRecord } from '../decode/json-record.ts';
import type { OwnershipContext } from './ownership-context.ts';

/** One apply. */
export interface AppliedConfiguration {
  /** The stored object with its managedFields, in canonical form and in the version of the context; undefined: the apply creates. */
  readonly live: JsonRecord | undefined;
  /** What the client has sent, with `apiVersion` and `kind`, and without managedFields. */
  readonly config: JsonRecord;
  readonly manager: string;
  readonly force?: boolean;
}

/** What became of an apply. */
export type ApplyResult = AppliedObject | ConflictingApply;

/** The apply has a result. */
export interface AppliedObject {
  readonly outcome: 'applied';
  /**
   * The result without managedFields, still to be converted, completed by defaults and checked. It shares parts with `live` and
   * `config`. A container whose last field was removed is null.
   */
  readonly object: JsonRecord;
  /** False: the object equals `live`; at most its managedFields and the annotation of kubectl have changed. */
  readonly isChanged: boolean;
  /** Undefined: the object has none. */
  readonly managedFields: readonly ManagedFieldsEntry[] | undefined;
}

/** Other managers own fields that the apply would change. The answer is a 409 with this message and these causes. */
export interface ConflictingApply {
  readonly outcome: 'conflict';
  readonly message: string;
  readonly causes: readonly StatusCause[];
}

/**
 * Merges a configuration into an object and removes what the manager has applied before and does not apply any more, as far as
 * nobody else owns it. Throws an {@link ApplyError} when an object does not fit its schema, and what `convert` throws.
 */
export function applyConfiguration(context: OwnershipContext, apply: AppliedConfiguration): ApplyResult {
  throw new Error(`not built ${context.kind} ${apply.manager}`);
}
