/** Warns of a delete with a surprising default: the Pods of a Job stay. */

import type { ResourceCall } from '../../contract/verb.ts';
import type { DeletionOptions } from './delete-options.ts';

/** Adds the warning of the kind, unless the request has a propagation policy. */
export function warnOfDeletion(
  { definition, warn }: Pick<ResourceCall, 'definition' | 'warn'>,
  { propagationPolicy, orphanDependents }: DeletionOptions,
): void {
  const { deletionWarning } = definition.strategy;
  if (deletionWarning === undefined || propagationPolicy !== undefined || orphanDependents !== undefined) return;
  warn?.(deletionWarning);
}
