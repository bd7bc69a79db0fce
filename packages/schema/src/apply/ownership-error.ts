/** Why an object cannot be applied, or its owners cannot be computed. */

/**
 * What is wrong:
 * - `CONFIG_MISMATCH`: the applied object does not fit the schema. kube-apiserver answers 500.
 * - `OBJECT_MISMATCH`: the stored or written object does not fit the schema. An apply: 500. An update: managedFields are cleared.
 * - `BAD_MANAGED_FIELDS`: the managedFields of the stored object cannot be read. An apply: 500.
 */
export type OwnershipErrorCode = 'BAD_MANAGED_FIELDS' | 'CONFIG_MISMATCH' | 'OBJECT_MISMATCH';

/** Thrown by the functions of apply. The messages are those of Kubernetes. */
export class OwnershipError extends Error {
  override readonly name = 'OwnershipError';
  readonly code: OwnershipErrorCode;

  constructor(code: OwnershipErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}
