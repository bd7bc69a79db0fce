/** Validates owner references. */

import { type FieldError, fieldInvalid } from '@listwatch/api';
import { FIELD_ERRORS_MAX } from '@listwatch/api/internal';
import { type JsonRecord, recordsOf, textOf } from '../kinds/json/json-value.ts';

const BANNED_OWNER = { apiVersion: 'v1', kind: 'Event' };

/** The errors in the references; `field` is their path. Stops after a hundred errors. */
export function validateOwnerReferences(references: unknown, field: string): readonly FieldError[] {
  const errors: FieldError[] = [];
  let controller: string | undefined;
  for (const reference of recordsOf(references)) {
    errors.push(...validateReference(reference, field));
    if (errors.length > FIELD_ERRORS_MAX) break;
    if (reference['controller'] !== true) continue;
    const owner = `${textOf(reference['kind'])}/${textOf(reference['name'])}`;
    if (controller === undefined) controller = owner;
    else {
      const why = `Only one reference can have Controller set to true. Found "true" in references for ${controller} and ${owner}`;
      errors.push(fieldInvalid(field, references, why));
    }
  }
  return errors;
}

function validateReference(reference: JsonRecord, field: string): readonly FieldError[] {
  const apiVersion = textOf(reference['apiVersion']);
  const kind = textOf(reference['kind']);
  const empty = ['kind', 'name', 'uid'].filter((member) => textOf(reference[member]) === '');
  const banned = apiVersion === BANNED_OWNER.apiVersion && kind === BANNED_OWNER.kind;
  return [
    ...(apiVersion === '' || apiVersion.endsWith('/')
      ? [fieldInvalid(`${field}.apiVersion`, apiVersion, 'version must not be empty')]
      : []),
    ...empty.map((member) => fieldInvalid(`${field}.${member}`, '', 'must not be empty')),
    ...(banned
      ? [fieldInvalid(field, reference, `/${apiVersion}, Kind=${kind} is disallowed from being an owner`)]
      : []),
  ];
}
