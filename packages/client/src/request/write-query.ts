/** The query of a write. */

import { PARAM } from '@listwatch/api';
import type { PatchOptions } from '../cluster.ts';

/** Servers refuse an apply without a manager. */
export const DEFAULT_FIELD_MANAGER = 'listwatch';

/** Options as a query string without a question mark; `''` when there is nothing to say. */
export function writeQuery({ dryRun, fieldManager, fieldValidation, force }: PatchOptions): string {
  const params = new URLSearchParams();
  if (dryRun === true) params.append(PARAM.dryRun, 'All');
  if (fieldManager !== undefined) params.append(PARAM.fieldManager, fieldManager);
  if (fieldValidation !== undefined) params.append(PARAM.fieldValidation, fieldValidation);
  if (force !== undefined) params.append(PARAM.force, String(force));
  return params.toString();
}
