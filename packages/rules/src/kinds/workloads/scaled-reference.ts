/** References of a HorizontalPodAutoscaler: its scale target, and the object that a metric describes. */

import { checkPathSegment, type FieldError, fieldInvalid, fieldRequired } from '@listwatch/api';
import { type JsonRecord, textOf } from '@listwatch/api/values';

type Errors = readonly FieldError[];

/** How strictly the `apiVersion` of a reference is checked. */
export type GroupNeed = 'any' | 'group' | 'unchecked';

/** Checks a reference to an object by its kind and name. */
export function validateScaledReference(reference: JsonRecord, field: string, need: GroupNeed): Errors {
  return [
    ...validateSegment(reference['kind'], `${field}.kind`),
    ...validateSegment(reference['name'], `${field}.name`),
    ...validateVersion(textOf(reference['apiVersion']), `${field}.apiVersion`, need),
  ];
}

function validateSegment(value: unknown, field: string): Errors {
  const text = textOf(value);
  if (text === '') return [fieldRequired(field)];
  return checkPathSegment(text).map((complaint) => fieldInvalid(field, text, complaint));
}

function validateVersion(version: string, field: string, need: GroupNeed): Errors {
  const parts = version.split('/');
  if (need === 'unchecked') return [];
  if (parts.length > 2) return [fieldInvalid(field, version, `unexpected GroupVersion string: ${version}`)];
  const named = parts.length === 2 && parts[0] !== '';
  return need === 'any' || named ? [] : [fieldInvalid(field, version, 'apiVersion must specify API group')];
}
