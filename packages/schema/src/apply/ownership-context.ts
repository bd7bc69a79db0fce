/** What tracking and applying need to know of a kind. The server makes one for each kind and endpoint. */

import type { JsonRecord } from '@listwatch/api/values';
import type { ApplyType } from './apply-type.ts';
import type { FieldSet } from './fields/field-set.ts';

/** The kind, endpoint and clock of a write. */
export interface OwnershipContext {
  /** The version that the objects are in: that of the request. */
  readonly apiVersion: string;
  readonly kind: string;
  /** Of the endpoint: `status`, `scale`. Default: the main endpoint. */
  readonly subresource?: string;
  /**
   * The type of the kind's objects in a version; undefined for unknown versions, whose entries are dropped. Custom kinds throw for a
   * version that is gone: that ends the write as what `convert` throws does.
   */
  typeOf(apiVersion: string): ApplyType | undefined;
  /**
   * The object in another version. Called only with versions that entries name and `typeOf` knows. What it throws ends the
   * write as `trackUpdate` and `applyConfiguration` say. Default: only `apiVersion` is changed.
   */
  convert?(object: JsonRecord, apiVersion: string): JsonRecord;
  /** The fields that the endpoint does not write, in a version. They have no owner through it. Default: none. */
  resetFields?(apiVersion: string): FieldSet | undefined;
  /** The object that a create starts from: `zeroObject` for built-in kinds, `{ apiVersion, kind }` for custom ones. */
  zero(): JsonRecord;
  /** The current time in RFC 3339, UTC, whole seconds. */
  now(): string;
}
