/** The conditions in the status of a CertificateSigningRequest: approved, denied or failed. */

import {
  type FieldError,
  fieldDuplicate,
  fieldForbidden,
  fieldInvalid,
  fieldNotSupported,
  fieldRequired,
  quote,
} from '@listwatch/api';
import { type JsonRecord, recordsOf, textOf } from '@listwatch/api/values';
import { filled } from '../../columns/filled-record.ts';
import { wholeSeconds } from '../../columns/whole-seconds.ts';
import { itemErrors } from '../../validation/item-errors.ts';

const FIELD = 'status.conditions';
const STATUSES = ['False', 'True', 'Unknown'];
/** The conditions whose status must be `True`. */
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

/** Fills missing times with `now`. A condition with an unchanged status keeps its transition time. */
export function datedConditions(value: unknown, old: unknown, now: number): readonly JsonRecord[] {
  const time = wholeSeconds(now);
  const before = recordsOf(old);
  return recordsOf(value).map((condition) => {
    const same = before.find(({ type, status }) => type === condition['type'] && status === condition['status']);
    return filled({ lastUpdateTime: time, lastTransitionTime: same?.['lastTransitionTime'] ?? time }, condition);
  });
}

/** Conditions that an update must not remove. */
export function validateKeptConditions(value: unknown, old: unknown): readonly FieldError[] {
  return FACTS.filter((type) => ofType(value, type).length < ofType(old, type).length).map((type) =>
    fieldForbidden(FIELD, `updates may not remove a condition of type ${quote(type)}`),
  );
}

const VERDICTS = ['Approved', 'Denied'];

/** `/status` may not approve or deny: changes of these conditions are dropped, new ones are errors. */
export function withoutVerdicts(
  value: unknown,
  old: unknown,
): { readonly conditions: readonly JsonRecord[]; readonly errors: readonly FieldError[] } {
  let conditions = recordsOf(value);
  const errors: FieldError[] = [];
  for (const type of VERDICTS) {
    const before = ofType(old, type);
    const given = ofType(conditions, type);
    if (given.length > before.length) {
      errors.push(fieldForbidden(FIELD, `updates may not add a condition of type ${quote(type)}`));
    } else if (given.length === before.length) {
      const kept = before.values();
      conditions = conditions.map((condition) =>
        condition['type'] === type ? (kept.next().value ?? condition) : condition,
      );
    }
  }
  return { conditions, errors };
}

function ofType(value: unknown, type: string): readonly JsonRecord[] {
  return recordsOf(value).filter((condition) => condition['type'] === type);
}
