/** Immutable fields. */

import { type FieldError, fieldInvalid } from '@listwatch/api';
import { sameJson } from '@listwatch/api/values';

/** The error about an immutable field that has changed; none when it has not. */
export function immutable(field: string, value: unknown, old: unknown): readonly FieldError[] {
  return sameJson(value, old) ? [] : [fieldInvalid(field, value ?? null, 'field is immutable')];
}
