/** The rules for references by kind or resource and name. */

import { checkDnsSubdomain, checkPathSegment, type FieldError, fieldInvalid, fieldRequired } from '@listwatch/api';
import { type JsonRecord, textOf } from '@listwatch/api/values';
import { named } from './value-rules.ts';

type Errors = readonly FieldError[];

/** Checks a required field that becomes a path segment. */
export function requiredSegment(owner: JsonRecord, name: string, field: string): Errors {
  const text = textOf(owner[name]);
  if (text === '') return [fieldRequired(`${field}.${name}`)];
  return checkPathSegment(text).map((complaint) => fieldInvalid(`${field}.${name}`, text, complaint));
}

/** Checks `apiGroup`, `kind` and `name` of a reference. A group that is there must not be empty. */
export function validateTypedReference(reference: JsonRecord, field: string): Errors {
  const { apiGroup } = reference;
  return [
    ...(typeof apiGroup === 'string'
      ? checkDnsSubdomain(apiGroup).map((complaint) => fieldInvalid(`${field}.apiGroup`, apiGroup, complaint))
      : []),
    ...requiredSegment(reference, 'kind', field),
    ...requiredSegment(reference, 'name', field),
  ];
}

/** Checks the object that an IPAddress belongs to. */
export function validateParentReference(parent: JsonRecord, field: string): Errors {
  return [
    ...named(parent['group'], checkDnsSubdomain, `${field}.group`),
    ...requiredSegment(parent, 'resource', field),
    ...requiredSegment(parent, 'name', field),
    ...named(parent['namespace'], checkPathSegment, `${field}.namespace`),
  ];
}
