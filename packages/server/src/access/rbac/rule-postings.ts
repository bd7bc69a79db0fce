/** Which rules have a value. */

/** Sets, so that a rule is removed as fast as it was added. */
export class RulePostings<R> {
  readonly #byValue = new Map<string, Set<R>>();

  of(value: string | undefined): ReadonlySet<R> | undefined {
    return value === undefined ? undefined : this.#byValue.get(value);
  }

  /** The number of rules that have the most frequent of these values. */
  mostFor(values: readonly string[]): number {
    let most = 0;
    for (const value of values) most = Math.max(most, this.#byValue.get(value)?.size ?? 0);
    return most;
  }

  add(values: readonly string[], rule: R): void {
    for (const value of values) {
      const known = this.#byValue.get(value);
      if (known === undefined) this.#byValue.set(value, new Set([rule]));
      else known.add(rule);
    }
  }

  remove(values: readonly string[], rule: R): void {
    for (const value of values) {
      const known = this.#byValue.get(value);
      known?.delete(rule);
      if (known?.size === 0) this.#byValue.delete(value);
    }
  }
}
