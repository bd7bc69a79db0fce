/** Owners that are known not to exist, so that ten thousand dependents of one ask for it once. */

import type { OwnerReference } from '@listwatch/api';

/** As kube-controller-manager. */
const MAX_OWNERS = 500;

/** Which object a reference means: `namespace` is `''` for owners of the cluster. */
export interface OwnerCoordinates extends Pick<OwnerReference, 'apiVersion' | 'kind' | 'name' | 'uid'> {
  readonly namespace: string;
}

/** The last 500. A uid is never used again, so an entry cannot become wrong. */
export class AbsentOwners {
  readonly #max: number;
  readonly #keys = new Set<string>();

  constructor(max: number = MAX_OWNERS) {
    this.#max = max;
  }

  get size(): number {
    return this.#keys.size;
  }

  add(owner: OwnerCoordinates): void {
    const key = keyOf(owner);
    this.#keys.delete(key);
    this.#keys.add(key);
    if (this.#keys.size <= this.#max) return;
    const [oldest] = this.#keys;
    if (oldest !== undefined) this.#keys.delete(oldest);
  }

  has(owner: OwnerCoordinates): boolean {
    const key = keyOf(owner);
    if (!this.#keys.delete(key)) return false;
    // The one that was asked for last goes last.
    this.#keys.add(key);
    return true;
  }
}

function keyOf({ apiVersion, kind, namespace, name, uid }: OwnerCoordinates): string {
  return `${apiVersion} ${kind} ${namespace} ${name} ${uid}`;
}
