/** The parts of a long work that are left for later steps. */

import type { Steps } from '../crd/steps.ts';

/** So many items are done in one step: a few milliseconds in a process that has not compiled the code yet. */
const STEP_ITEMS = 1000;

/** Counts the items of a step, and keeps the work that does not fit into it. */
export class PostponedWork {
  #items = 0;
  readonly #work: { readonly run: () => void; readonly items: number }[] = [];

  /** Counts an item. Is it one more than fits into this step? */
  isDue(): boolean {
    this.#items += 1;
    return this.#items > STEP_ITEMS;
  }

  /** Leaves work for a later step; `items`: how many it is about itself. */
  add(run: () => void, items = 1): void {
    this.#work.push({ run, items });
  }

  /** Does the work that was left, and what that leaves in turn. */
  *steps(): Steps<void> {
    for (let work = this.#work.pop(); work !== undefined; work = this.#work.pop()) {
      if (this.#items > STEP_ITEMS) {
        yield;
        this.#items = 0;
      }
      this.#items += work.items;
      work.run();
    }
  }
}
