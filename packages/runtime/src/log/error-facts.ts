/** An error as a line of a log has it: each thing once. */

/** What a line has of an error. */
export interface ErrorFacts {
  readonly name: string;
  readonly message: string;
  readonly code?: number | string;
  /** The messages of its causes, outermost first, as far as they say something new. */
  readonly causes?: readonly string[];
  /** Where it was thrown. Absent for an error with a code: it was foreseen, and its message says what to do. */
  readonly stack?: string;
}

/** More have been seen only where an error was its own cause. */
const CAUSES_MAX = 5;
const FRAMES_MAX = 12;

/** With the stack, whether the error has a code or not: for what nobody foresaw. */
export function unforeseenFacts(error: unknown): unknown {
  return error instanceof Error ? factsOf(error, framesOf(error)) : error;
}

/** What is no error stays as it is. */
export function errorFacts(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  return factsOf(error, codeOf(error) === undefined ? framesOf(error) : '');
}

function factsOf(error: Error, frames: string): ErrorFacts {
  const { name, message } = error;
  const code = codeOf(error);
  const causes = newCauses(error);
  return {
    name,
    ...(code !== undefined && { code }),
    message,
    ...(causes.length > 0 && { causes }),
    ...(frames !== '' && { stack: frames }),
  };
}

function codeOf(error: Error): number | string | undefined {
  const code = 'code' in error ? error.code : undefined;
  return typeof code === 'string' || typeof code === 'number' ? code : undefined;
}

/** Most errors of this project repeat the message of their cause in their own; it is not told again. */
function newCauses(error: Error): readonly string[] {
  const told = [error.message];
  let { cause } = error;
  for (let depth = 0; depth < CAUSES_MAX && cause instanceof Error; depth += 1, { cause } = cause) {
    const { message } = cause;
    if (message !== '' && !told.some((text) => text.includes(message))) told.push(message);
  }
  return told.slice(1);
}

/** The lines of the stack below the message, which the line has already. */
function framesOf({ stack }: Error): string {
  const frames = (stack ?? '').split('\n').filter((line) => /^\s+at /u.test(line));
  return frames
    .slice(0, FRAMES_MAX)
    .map((frame) => frame.trim())
    .join('\n');
}
