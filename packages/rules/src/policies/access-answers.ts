/** Caches the answers to `authorizer` checks of expressions: each check of a write runs once. */

import type { AccessCheck, AccessVerdict } from '@listwatch/cel/internal';

/** Runs an authorization check. */
export type DecideAccess = (check: AccessCheck) => AccessVerdict | Promise<AccessVerdict>;

/** Thrown by an evaluation that needs an answer of the authorizer. Repeat the evaluation when `known` resolves. */
export class AnswerAwaited extends Error {
  override readonly name = 'AnswerAwaited';
  readonly known: Promise<void>;

  constructor(known: Promise<void>) {
    super('the answer of the authorizer is awaited');
    this.known = known;
  }
}

/** The answers for one write. The cost limit bounds their number: one expression can afford two checks. */
export class AccessAnswers {
  readonly #decide: DecideAccess;
  readonly #known = new Map<string, AccessVerdict>();

  constructor(decide: DecideAccess) {
    this.#decide = decide;
  }

  /** Throws {@link AnswerAwaited} when there is no answer yet. */
  ask(check: AccessCheck): AccessVerdict {
    const key = JSON.stringify([check.verb, check.target, check.serviceAccount]);
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const verdict = this.#decide(check);
    if (!(verdict instanceof Promise)) {
      this.#known.set(key, verdict);
      return verdict;
    }
    throw new AnswerAwaited(this.#keep(key, verdict));
  }

  async #keep(key: string, verdict: Promise<AccessVerdict>): Promise<void> {
    this.#known.set(key, await verdict);
  }
}
