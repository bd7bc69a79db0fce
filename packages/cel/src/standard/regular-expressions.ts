/** RE2 patterns with limits: compiled patterns are cached, and the work of a match is counted before it is done. */
import { RE2JS } from 're2js';
import { CelError, COST_LIMIT_EXCEEDED } from '../values/cel-error.ts';
import type { CallContext } from './cel-library.ts';

/** A longer pattern is refused; the estimate of its cost would be far above every limit. */
const MAX_PATTERN_LENGTH = 10_000;
const MAX_CACHED = 256;
/** Compiling takes about this many steps per character of the pattern. */
const COMPILE_STEPS = 200;

const compiled: Map<string, RE2JS | CelError> = new Map();

/** The compiled pattern, or the error of one that RE2 does not accept. */
export function compilePattern(pattern: string, context?: CallContext): RE2JS | CelError {
  const known = compiled.get(pattern);
  if (known !== undefined) return known;
  if (pattern.length > MAX_PATTERN_LENGTH) return COST_LIMIT_EXCEEDED;
  context?.work(COMPILE_STEPS * (pattern.length + 10));
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
  return (text.length + 1) * expression.programSize();
}

/** Does the pattern match somewhere in the text? */
export function matchesPattern(text: string, pattern: string, context: CallContext): boolean | CelError {
  const expression = compilePattern(pattern, context);
  if (expression instanceof CelError) return expression;
  context.work(matchSteps(expression, text));
  return expression.matcher(text).find();
}
