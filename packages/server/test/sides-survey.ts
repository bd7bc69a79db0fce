/** Many requests that two servers are sent, and what they answer differently. */

import type { KindRequest, KindSide } from './kind-side.ts';
import type { KindSides } from './kind-sides.ts';

/** One request of a survey. */
export interface SurveyRequest {
  /** What is asked, in the words of a failure. */
  readonly title: string;
  readonly request: KindRequest | ((side: KindSide) => Promise<KindRequest>);
}

/** Requests that are under way at once. */
const CONCURRENCY = 12;

const CONFLICT = '409 ';
const ATTEMPTS = 5;

/** Sends requests to both and keeps what differs. */
export class SidesSurvey {
  readonly #sides: KindSides;
  readonly #differences: string[] = [];
  #sent = 0;

  constructor(sides: KindSides) {
    this.#sides = sides;
  }

  /** So many requests were sent to each. */
  get sent(): number {
    return this.#sent;
  }

  /** Sends a request for each item; their order does not matter. */
  async send<T>(items: readonly T[], requestOf: (item: T) => SurveyRequest): Promise<void> {
    const waiting = [...items];
    const worker = async (): Promise<void> => {
      for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
        const { title, request } = requestOf(next);
        const [real, own] = await this.#settledAnswers(request);
        this.#sent += 1;
        if (real !== own) this.#differences.push(`${title}\n  real ${real}\n  own  ${own}`);
      }
    };
    await Promise.all(Array.from({ length: CONCURRENCY }, worker));
  }

  /**
   * The answers of both. A controller of one of them may write the status of the object between its read and its change: that
   * one is asked again.
   */
  async #settledAnswers(request: SurveyRequest['request']): Promise<readonly [real: string, own: string]> {
    for (let attempt = 1; ; attempt++) {
      const [real, own] = await this.#sides.answers(request);
      const isDisturbed = real.startsWith(CONFLICT) !== own.startsWith(CONFLICT);
      if (!isDisturbed || attempt === ATTEMPTS) return [real, own];
    }
  }

  /** Throws with the list of all differences. */
  expectNoDifference(): void {
    const found = this.#differences;
    if (found.length === 0) return;
    throw new Error(`${found.length} of ${this.#sent} answers differ:\n${found.toSorted().join('\n')}`);
  }
}
