/** Validates owner references. */

import { type FieldError, fieldInvalid } from '@listwatch/api';
import { type JsonRecord, recordsOf, textOf } from '@listwatch/api/values';
import { itemErrors } from '../validation/item-errors.ts';

const BANNED_OWNER = { apiVersion: 'v1', kind: 'Event' };

/** The errors in the references; `field` is their path. Stops after a hundred errors. */
export function validateOwnerReferences(references: unknown, field: string): readonly FieldError[] {
  let controller: string | undefined;
  return itemErrors(recordsOf(references), (reference) => {
    const errors = validateReference(reference, field);
    if (reference['controller'] !== true) return errors;
    const owner = `${textOf(reference['kind'])}/${textOf(reference['name'])}`;
    const first = controller;
    controller ??= owner;
    if (first === undefined) return errors;
    const why = `Only one reference can have Controller set to true. Found "true" in references for ${first} and ${owner}`;
    return [...errors, fieldInvalid(field, references, why)];
  });
}

function validateReference(reference: JsonRecord, field: string): readonly FieldError[] {
  const apiVersion = textOf(reference['apiVersion']);
  const kind = textOf(reference['kind']);
  const empty = ['kind', 'name', 'uid'].filter((member) => textOf(reference[member]) === '');
  const banned = apiVersion === BANNED_OWNER.apiVersion && kind === BANNED_OWNER.kind;
  return [
    ...(apiVersion === '' || apiVersion.endsWith('/') || apiVersion.split('/').length > 2
      ? [fieldInvalid(`${field}.apiVersion`, apiVersion, 'version must not be empty')]
      : []),
    ...empty.map((member) => fieldInvalid(`${field}.${member}`, '', 'must not be empty')),
    ...(banned
      ? [fieldInvalid(field, reference, `/${apiVersion}, Kind=${kind} is disallowed from being an owner`)]
      : []),
  ];
}
