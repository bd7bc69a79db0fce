/** A selector that cannot be understood. */
import { ListWatchError } from '../status/listwatch-error.ts';

/** Where a selector went wrong, beyond what its message says. */
export interface SelectorProblem {
  /** The index of the offending text in the selector, in UTF-16 units. */
  readonly position: number;
  /** The text at that position; `''` at the end of the selector. */
  readonly found: string;
  /** What would have been legal there, in words; absent when the text is in the right place but not a legal value. */
  readonly expected?: string;
}

/** Thrown for a bad label or field selector. The message is the text that Kubernetes sends in its 400 answer. */
export class SelectorError extends ListWatchError {
  override readonly code = 'SELECTOR' as const;
  readonly position: number;
  readonly found: string;
  readonly expected: string | undefined;

  constructor(message: string, problem: SelectorProblem, options?: ErrorOptions) {
    super(message, options);
    this.position = problem.position;
    this.found = problem.found;
    this.expected = problem.expected;
  }
}

/** How many conditions a selector may have. Kubernetes has no limit; every watch keeps its selector in memory. */
export const REQUIREMENTS_MAX = 1000;

/** The error of a selector with more conditions than that. */
export function tooManyRequirements(position: number): SelectorError {
  const message = `the selector has more than ${REQUIREMENTS_MAX} requirements`;
  return new SelectorError(message, { position, found: '', expected: `at most ${REQUIREMENTS_MAX} requirements` });
}
