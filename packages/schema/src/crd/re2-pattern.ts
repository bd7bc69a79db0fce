/** Patterns in the syntax of Go's `regexp`. Matching takes time that grows with the text, never faster. */

import { isMatch, PATTERN_WORK_MAX, patternWork } from '@listwatch/cel';
import { RE2JS, RE2JSException } from 're2js';

/** A longer pattern is refused: to read it would hold the event loop. The longest of well-known kinds has some 2 000. */
const PATTERN_MAX = 8 * 1024;

/** A pattern that cannot be read: `error parsing regexp: ...`. */
export class PatternError extends Error {
  override readonly name = 'PatternError';
}

/** A pattern, ready to match. */
export class Re2Pattern {
  readonly #compiled: RE2JS;
  readonly #size: number;

  /** Throws a {@link PatternError}. */
  constructor(pattern: string) {
    if (pattern.length > PATTERN_MAX) {
      throw new PatternError(`error parsing regexp: expression is longer than ${PATTERN_MAX} characters`);
    }
    // As Go says it; there a pattern may have three million instructions.
    if (patternWork(pattern) > PATTERN_WORK_MAX) throw new PatternError('error parsing regexp: expression too large');
    try {
      this.#compiled = RE2JS.compile(pattern);
    } catch (error) {
      if (error instanceof RE2JSException) throw new PatternError(error.message, { cause: error });
      throw error;
    }
    this.#size = Math.max(1, this.#compiled.programSize());
  }

  /** The cost of matching a text, at most: ten of these are a microsecond when every instruction is busy. */
  cost(text: string): number {
    return (text.length + 1) * this.#size;
  }

  /** Is it somewhere in the text? Compare the cost with a limit first. */
  isIn(text: string): boolean {
    return isMatch(this.#compiled, text);
  }
}
