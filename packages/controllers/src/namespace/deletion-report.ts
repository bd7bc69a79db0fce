/** What one attempt to empty a namespace has found. */

import type { Resource } from '@listwatch/api';

/** What is left of one kind. */
export interface KindRemains {
  readonly resource: Resource;
  /** Objects that are still there. */
  readonly count: number;
  /** How many of them have each finalizer. */
  readonly finalizers: ReadonlyMap<string, number>;
  /** Seconds until they may be gone; 0: nothing to wait for. */
  readonly estimateSeconds: number;
  /** Why they could not be deleted. */
  readonly error?: unknown;
}

/** The report of one attempt. */
export interface DeletionReport {
  /** Kinds with objects left, or with an error. */
  readonly remains: readonly KindRemains[];
  /** Groups whose kinds are not known, because discovery failed. */
  readonly discovery?: Error | undefined;
}

/** All errors of an attempt. */
export function errorsOf({ remains, discovery }: DeletionReport): readonly unknown[] {
  const errors = [discovery, ...remains.map(({ error }) => error)];
  return errors.filter((error) => error !== undefined);
}

/** The longest of the waits. */
export function estimateOf({ remains }: DeletionReport): number {
  return Math.max(0, ...remains.map(({ estimateSeconds }) => estimateSeconds));
}
