/** Counts the kinds that owner references name. */

import type { OwnerReference } from '@listwatch/api';

/** A kind as a reference names it. */
export type OwnerKind = Pick<OwnerReference, 'apiVersion' | 'kind'>;

/** A kind is in here while some reference names it. */
export class OwnerKindCounts {
  readonly #counts = new Map<string, { readonly kind: OwnerKind; count: number }>();

  get current(): readonly OwnerKind[] {
    return Array.from(this.#counts.values(), ({ kind }) => kind);
  }

  /** Gives the kind if this reference is the first that names it. */
  add({ apiVersion, kind }: OwnerReference): OwnerKind | undefined {
    const key = `${apiVersion} ${kind}`;
    const known = this.#counts.get(key);
    if (known !== undefined) {
      known.count += 1;
      return undefined;
    }
    const named = { apiVersion, kind };
    this.#counts.set(key, { kind: named, count: 1 });
    return named;
  }

  /** Was this the last reference that named its kind? */
  delete({ apiVersion, kind }: OwnerReference): boolean {
    const key = `${apiVersion} ${kind}`;
    const known = this.#counts.get(key);
    if (known === undefined) return false;
    known.count -= 1;
    return known.count === 0 && this.#counts.delete(key);
  }
}
