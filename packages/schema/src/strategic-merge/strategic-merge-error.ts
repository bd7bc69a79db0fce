/** Why a strategic merge patch cannot be applied or computed. */

/**
 * What is wrong:
 * - `MALFORMED_PATCH`: a directive has the wrong form. kube-apiserver answers 400.
 * - `UNMERGEABLE_PATCH`: the patch does not fit the object or its schema, such as an item without its merge key. kube-apiserver
 *   answers 500.
 * - `PATCH_PRECONDITION`: a computed patch changes a field that must stay.
 * - `PATCH_CONFLICT`: a computed patch changes what somebody else has changed in another way.
 */
export type StrategicMergeErrorCode = 'MALFORMED_PATCH' | 'PATCH_CONFLICT' | 'PATCH_PRECONDITION' | 'UNMERGEABLE_PATCH';

/** Thrown by the functions of strategic merge patches. The messages are those of Kubernetes. */
export class StrategicMergeError extends Error {
  override readonly name = 'StrategicMergeError';
  readonly code: StrategicMergeErrorCode;

  constructor(code: StrategicMergeErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

/** A directive has the wrong form. */
export function malformed(message: string): StrategicMergeError {
  return new StrategicMergeError('MALFORMED_PATCH', message);
}

/** The patch does not fit the object or its schema. */
export function unmergeable(message: string): StrategicMergeError {
  return new StrategicMergeError('UNMERGEABLE_PATCH', message);
}
