/** Which fields of a document its kind does not know, and which are given twice. */

import { type DecodePlan, fieldComplaintsInOrder, unknownFieldComplaints } from '@listwatch/schema';
import type { JsonDocument } from './json-document.ts';

/** What a client wants done about such fields. */
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
