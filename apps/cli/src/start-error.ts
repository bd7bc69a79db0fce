/** A server that cannot start, for a reason that the person at the keyboard can do something about. */

/** The message is one sentence for that person; no stack trace is shown. */
export class StartError extends Error {
  override readonly name = 'StartError';
}
