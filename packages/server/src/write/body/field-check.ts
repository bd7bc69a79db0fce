/** Finds unknown and duplicate fields of a document. */

import { type DecodePlan, fieldComplaintsInOrder, unknownFieldComplaints } from '@listwatch/schema';
import type { JsonDocument } from './json-document.ts';

/** How the server treats such fields: the option `fieldValidation`. */
export type FieldValidation = 'Ignore' | 'Strict' | 'Warn';

/** The complaints about a document, in its order. */
export function fieldComplaints(
  plan: DecodePlan,
  { value, repeatingText }: Pick<JsonDocument, 'repeatingText' | 'value'>,
): readonly string[] {
  return repeatingText === undefined
    ? unknownFieldComplaints(plan, value)
    : fieldComplaintsInOrder(plan, repeatingText);
}
