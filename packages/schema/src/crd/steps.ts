/** Work that can be interrupted: a large object is judged in several turns of the event loop. */

/** Work in steps, each of a few milliseconds. It has no effect but its result, so it may be given up at any step. */
export type Steps<T> = Generator<undefined, T, undefined>;

/** Does all steps at once. */
export function finish<T>(steps: Steps<T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
  }
}

/**
 * Does the steps with breaks between them: `turn` lets the event loop do what is waiting.
 *
 * @example
 * const { errors } = await finishInTurns(validationSteps(schema, object), nextTurn);
 */
export async function finishInTurns<T>(steps: Steps<T>, turn: () => Promise<void>): Promise<T> {
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
    await turn();
  }
}
