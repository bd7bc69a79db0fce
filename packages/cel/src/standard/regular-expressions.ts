/** RE2 patterns with limits: compiled patterns are cached, and the work of a match is counted before it is done. */
import { RE2JS } from 're2js';
import { CelError, COST_LIMIT_EXCEEDED } from '../values/cel-error.ts';
import type { CallContext } from './cel-library.ts';
import { isMatch } from './pattern-match.ts';
import { PATTERN_WORK_MAX, patternWork } from './pattern-work.ts';

/** A longer pattern is refused; the estimate of its cost would be far above every limit. */
const MAX_PATTERN_LENGTH = 10_000;
const MAX_CACHED = 256;
/** Compiling takes about this many steps per instruction. */
const COMPILE_STEPS = 150;
/** As Go says it; there a pattern may have three million instructions. */
const TOO_LARGE = new CelError('error parsing regexp: expression too large');
/** Instructions of patterns with more of them count so many times: nearly every character leads to a state that is new. */
const LARGE_PROGRAM = 100;
const LARGE_FACTOR = 4;

const compiled: Map<string, RE2JS | CelError> = new Map();

/** The compiled pattern, or the error of one that RE2 does not accept. */
export function compilePattern(pattern: string, context?: CallContext): RE2JS | CelError {
  const known = compiled.get(pattern);
  if (known !== undefined) return known;
  if (pattern.length > MAX_PATTERN_LENGTH) return COST_LIMIT_EXCEEDED;
  const work = patternWork(pattern);
  if (work > PATTERN_WORK_MAX) return TOO_LARGE;
  context?.work(COMPILE_STEPS * work);
  const made = compileNow(pattern);
  if (compiled.size >= MAX_CACHED) {
    const oldest = compiled.keys().next();
    if (oldest.done !== true) compiled.delete(oldest.value);
  }
  compiled.set(pattern, made);
  return made;
}

function compileNow(pattern: string): RE2JS | CelError {
  try {
    return RE2JS.compile(pattern);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return new CelError(reason);
  }
}

/**
 * The steps that a match may take: every instruction of the pattern for every character. The length of the pattern does not
 * tell, because `([ab]{0,30}){0,30}` has thousands of instructions: it would hold the event loop for seconds.
 */
export function matchSteps(expression: RE2JS, text: string): number {
  const size = expression.programSize();
  return (text.length + 1) * size * (size > LARGE_PROGRAM ? LARGE_FACTOR : 1);
}

/** Does the pattern match somewhere in the text? */
export function matchesPattern(text: string, pattern: string, context: CallContext): boolean | CelError {
  const expression = compilePattern(pattern, context);
  if (expression instanceof CelError) return expression;
  context.work(matchSteps(expression, text));
  return isMatch(expression, text);
}
