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

/** Does the pattern match somewhere in the text? */
export function matchesPattern(text: string, pattern: string, context: CallContext): boolean | CelError {
  const expression = compilePattern(pattern, context);
  if (expression instanceof CelError) return expression;
  // One step per character and four characters of the pattern: the unit in which cel-go counts it.
  context.work(Math.ceil((text.length + 1) * (pattern.length + 1) * 0.25));
  return expression.matcher(text).find();
}
