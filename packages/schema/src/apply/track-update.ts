/** Ownership after a write that is not an apply: create, update and the other patches. */

import type { ManagedFieldsEntry } from '@listwatch/api';
import type { JsonRecord } from '../decode/json-record.ts';
import type { OwnershipContext } from './ownership-context.ts';

/** One write that is not an apply. Objects are in canonical form, in the version of the context. */
export interface TrackedUpdate {
  /** The stored object with its managedFields; undefined: the write creates. */
  readonly live: JsonRecord | undefined;
  /** The object to write, with the managedFields that the client has sent, if any. */
  readonly next: JsonRecord;
  /** Empty: `unknown`. */
  readonly manager: string;
}

/**
 * The managedFields of the written object; undefined: it has none. Never throws: when they cannot be computed, because an object does
 * not fit its schema or `convert` throws, they are cleared, and `onProblem` is told why.
 */
export function trackUpdate(
  context: OwnershipContext,
  write: TrackedUpdate,
  onProblem?: (problem: unknown) => void,
): readonly ManagedFieldsEntry[] | undefined {
  throw new Error(`not built ${context.kind} ${write.manager} ${String(onProblem)}`);
}
