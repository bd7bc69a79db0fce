/** A limit in bytes that several caches share. Every cache of the server is bounded by one of these. */

/** A cache that can free memory. */
export interface BudgetMember {
  /** What it holds of the budget now. */
  readonly bytes: number;
  /** Frees its oldest item and charges the budget with the negative of its size. False: there is nothing to free. */
  evictOldest(): boolean;
}

/**
 * Counts bytes. When the limit is exceeded, the largest member frees its oldest items, so that one busy kind cannot push
 * out what the others keep. Sizes are estimates: the bytes of objects plus a constant for each.
 */
export class ByteBudget {
  readonly maxBytes: number;
  readonly #members = new Set<BudgetMember>();
  #used = 0;

  constructor(maxBytes: number) {
    this.maxBytes = maxBytes;
  }

  get used(): number {
    return this.#used;
  }

  /** A member is asked to free memory from now on. */
  add(member: BudgetMember): void {
    this.#members.add(member);
  }

  /** Call it after the member has given back everything that it was charged for. */
  remove(member: BudgetMember): void {
    this.#members.delete(member);
  }

  /** Counts `bytes` more, or fewer when negative, and evicts what exceeds the limit. */
  charge(bytes: number): void {
    this.#used += bytes;
    if (bytes > 0 && this.#used > this.maxBytes) this.#evict();
  }

  /** Counts `bytes` more unless that would exceed the limit: for what cannot be evicted. */
  tryCharge(bytes: number): boolean {
    if (this.#used + bytes > this.maxBytes) return false;
    this.#used += bytes;
    return true;
  }

  #evict(): void {
    const members = new Set(this.#members);
    while (this.#used > this.maxBytes && members.size > 0) {
      const [largest] = [...members].toSorted((left, right) => right.bytes - left.bytes);
      if (largest !== undefined && !largest.evictOldest()) members.delete(largest);
    }
  }
}
