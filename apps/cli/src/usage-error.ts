/** A wrong option: what was given, and what is expected. */

/** The message is one line for the person who typed it; the command ends with exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
