/** Warns of a delete whose default surprises: the pods of a Job stay. */

import type { ResourceCall } from '../../contract/verb.ts';
import type { DeleteOptions } from './delete-options.ts';

/** Gives the call the warning of its kind, unless the request says what becomes of what the object owns. */
export function warnOfDeletion(
  { definition, warn }: Pick<ResourceCall, 'definition' | 'warn'>,
  { propagationPolicy, orphanDependents }: DeleteOptions,
): void {
  const { deletionWarning } = definition.strategy;
  if (deletionWarning === undefined || propagationPolicy !== undefined || orphanDependents !== undefined) return;
  warn?.(deletionWarning);
}
