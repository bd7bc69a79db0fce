/** An object of several that could not be applied. */

import { ListWatchError } from '@listwatch/api';
import type { AppliedDocument } from './apply-yaml.ts';

/** Which object failed, and what had been done before. */
export interface FailedDocument {
  /** Its place among the objects, from 0; items of a List count one by one. */
  readonly index: number;
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  /** Absent on objects of the cluster, and when the kind is unknown and the document names none. */
  readonly namespace?: string | undefined;
}

/** `cause` says why: a `StatusError`, a `NoMatchError` or a `TransportError`. */
export class ApplyError extends ListWatchError {
  override readonly code = 'APPLY_FAILED' as const;
  readonly document: FailedDocument;
  /** The objects that were applied before, in that order. They stay. */
  readonly applied: readonly AppliedDocument[];

  constructor(document: FailedDocument, applied: readonly AppliedDocument[], total: number, cause: unknown) {
    const { index, kind, name, namespace } = document;
    const where = namespace === undefined ? name : `${namespace}/${name}`;
    const why = cause instanceof Error ? cause.message : String(cause);
    super(`object ${index + 1}, ${kind} ${where}: ${why} (${applied.length} of ${total} were applied before)`, {
      cause,
    });
    this.document = document;
    this.applied = applied;
  }
}

/** Did an object fail to be applied? By the code and not by the class. */
export function isApplyError(error: unknown): error is ApplyError {
  return error instanceof Error && 'code' in error && error.code === 'APPLY_FAILED';
}
