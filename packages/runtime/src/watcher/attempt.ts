/** Asks an iterator for its next value, and catches only what the iterator throws. */

/** What was thrown. */
export class Thrown {
  readonly error: unknown;

  constructor(error: unknown) {
    this.error = error;
  }
}

/**
 * The next value, or what was thrown instead. `for await` would not do: an exception out of its body, such as that of a
 * reader, could not be told from a failure of the server.
 */
export async function attempt<V>(ask: () => Promise<V>): Promise<Thrown | V> {
  try {
    return await ask();
  } catch (error) {
    return new Thrown(error);
  }
}

/** Closes what has not been read to its end. That it could not be closed in order is no news to anybody. */
export async function giveBack(iterator: AsyncIterator<unknown> | undefined): Promise<void> {
  await attempt(async () => iterator?.return?.());
}
