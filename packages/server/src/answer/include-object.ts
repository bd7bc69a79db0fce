/** How much of its object a Table row shows. */

import { badRequest, firstValue } from '@listwatch/api';
import type { ReadCall } from '../contract/verb.ts';

/** What a Table row shows of its object. */
export type IncludeObject = 'None' | 'Metadata' | 'Object';

/** How much of its object a Table row shows. Throws the 400 for anything else than Kubernetes' words. */
export function readIncludeObject({ request, form }: ReadCall): IncludeObject {
  const value = firstValue(request.route.query, 'includeObject') ?? '';
  if (form.as !== 'table' || value === '') return 'Metadata';
  if (value === 'None' || value === 'Metadata' || value === 'Object') return value;
  const detail = `includeObject: Invalid value: ${JSON.stringify(value)}: must be 'Metadata', 'Object', 'None', or empty`;
  throw badRequest(`Unable to convert to Table as requested: ${detail}`);
}
