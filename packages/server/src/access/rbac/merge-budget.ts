/** How much memory all merged tables may take together. */

/** All subjects of a server, in weights of roles: some 100 MB. Fourteen roles of 1 KB and a thousand users could otherwise take gigabytes. */
const MAX_WEIGHT = 1_000_000;

/** Merged tables save time only: when nothing is left, roles are asked one by one. */
export class MergeBudget {
  #left = MAX_WEIGHT;

  /** False when there is not so much left. */
  take(weight: number): boolean {
    if (weight > this.#left) return false;
    this.#left -= weight;
    return true;
  }

  give(weight: number): void {
    this.#left += weight;
  }
}
