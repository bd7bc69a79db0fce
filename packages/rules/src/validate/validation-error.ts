/** The errors that `validate` returns. */

import type { FieldError, FieldErrorType } from '@listwatch/api';
import { fieldErrorReport } from '@listwatch/api/internal';

/** One error. */
export interface ValidationError {
  /** The path of the field: `spec.ports[0].port`, `data[a b]`; `''` for the whole object. */
  readonly path: string;
  /** The `reason` of a cause in a Status; `UnknownField` for a field that the schema does not have. */
  readonly type: FieldErrorType | 'UnknownField';
  /** In the words of kube-apiserver, without the path: `Invalid value: "x": must be ...`. */
  readonly message: string;
}

/** The errors without duplicates, at most a hundred, as in a Status. */
export function validationErrors(errors: readonly FieldError[]): readonly ValidationError[] {
  const seen = new Map<string, ValidationError>();
  for (const { field, reason, message } of fieldErrorReport(errors).causes) {
    seen.set(`${field}: ${message}`, { path: field, type: reason, message });
  }
  return [...seen.values()];
}
