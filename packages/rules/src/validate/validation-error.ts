/** What `validate` says of one field. */

import type { FieldError, FieldErrorType } from '@listwatch/api';
import { fieldErrorReport } from '@listwatch/api/internal';

/** One error. */
export interface ValidationError {
  /** Where: `spec.ports[0].port`, `data[a b]`; `''` for the object as a whole. */
  readonly path: string;
  /** As the `reason` of a cause in a Status; `UnknownField` for one that the schema does not know. */
  readonly type: FieldErrorType | 'UnknownField';
  /** In the words of kube-apiserver, without the path: `Invalid value: "x": must be ...`. */
  readonly message: string;
}

/** The errors in words, each once, and as many as a Status has: a hundred. */
export function validationErrors(errors: readonly FieldError[]): readonly ValidationError[] {
  const seen = new Map<string, ValidationError>();
  for (const { field, reason, message } of fieldErrorReport(errors).causes) {
    seen.set(`${field}: ${message}`, { path: field, type: reason, message });
  }
  return [...seen.values()];
}
