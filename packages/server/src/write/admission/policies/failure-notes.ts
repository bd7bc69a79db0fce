/** The audit annotations of validating policies. */

import { utf8Length } from '@listwatch/api';
import type { DynamicRequest } from '../../../contract/dynamic-admission.ts';

/** A failed validation of a binding with the action `Audit`. */
export interface AuditedFailure {
  readonly message: string;
  readonly policy: string;
  readonly binding: string;
  readonly expressionIndex: number;
  readonly validationActions: readonly string[];
}

const FAILURE_KEY = 'validation.policy.admission.k8s.io/validation_failure';
const VALUE_BYTES_MAX = 10 * 1024;

/** The annotations of one request: gathered, then published. */
export class FailureNotes {
  readonly #annotate: DynamicRequest['annotate'];
  readonly #values = new Map<string, Set<string>>();

  constructor({ annotate }: Pick<DynamicRequest, 'annotate'>) {
    this.#annotate = annotate;
  }

  /** Only the first failure of a request is recorded. */
  failed({ message, policy, binding, expressionIndex, validationActions }: AuditedFailure): void {
    const failure = { message, policy, binding, expressionIndex, validationActions };
    this.#annotate?.(FAILURE_KEY, JSON.stringify([failure]));
  }

  /** Values of several bindings or parameters are listed; equal ones once. */
  add(key: string, value: string): void {
    if (this.#annotate === undefined) return;
    this.#values.set(key, (this.#values.get(key) ?? new Set()).add(shortened(value)));
  }

  publish(): void {
    for (const [key, values] of this.#values) this.#annotate?.(key, [...values].join(', '));
  }
}

function shortened(value: string): string {
  if (utf8Length(value) <= VALUE_BYTES_MAX) return value;
  // Do not cut a character of several bytes in two.
  return Buffer.from(value)
    .subarray(0, VALUE_BYTES_MAX)
    .toString()
    .replace(/\uFFFD$/u, '');
}
