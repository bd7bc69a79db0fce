/** Validates what has been said of a request for a certificate. */

import { type FieldError, fieldDuplicate, fieldInvalid, fieldNotSupported, fieldRequired } from '@listwatch/api';
import { itemErrors } from './item-errors.ts';
import { recordsOf, textOf } from './shapes/json-value.ts';

const FIELD = 'status.conditions';
const STATUSES = ['False', 'True', 'Unknown'];
/** The conditions that are there or not, and never false. */
const FACTS = ['Approved', 'Denied', 'Failed'];

/** Checks the conditions: each once, with a status, and not both approved and denied. */
export function validateCertificateConditions(value: unknown): readonly FieldError[] {
  const seen = new Set<string>();
  return itemErrors(recordsOf(value), (condition, index) => {
    const field = `${FIELD}[${index}]`;
    const type = textOf(condition['type']);
    const status = textOf(condition['status']);
    const allowed = FACTS.includes(type) ? ['True'] : STATUSES;
    const opposite = type === 'Approved' ? 'Denied' : 'Approved';
    const contradicts = (type === 'Approved' || type === 'Denied') && seen.has(opposite);
    const again = seen.has(type);
    seen.add(type);
    return [
      ...(type === '' ? [fieldRequired(`${field}.type`)] : []),
      ...(status === '' ? [fieldRequired(`${field}.status`)] : []),
      ...(status !== '' && !allowed.includes(status) ? [fieldNotSupported(`${field}.status`, status, allowed)] : []),
      ...(contradicts ? [fieldInvalid(FIELD, type, 'Approved and Denied conditions are mutually exclusive')] : []),
      ...(again ? [fieldDuplicate(`${field}.type`, type)] : []),
    ];
  });
}
