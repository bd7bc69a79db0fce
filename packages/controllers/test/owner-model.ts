/** What should exist, by the rules of ownership and nothing else: no order, no time, no failures. */

/** An object and the objects that own it, by name. A name that is not there is an owner that is absent. */
export class OwnerModel {
  readonly #owners = new Map<string, Set<string>>();

  /** The objects, and the owners that each still refers to. */
  get objects(): Readonly<Record<string, readonly string[]>> {
    const sorted = [...this.#owners].toSorted(([left], [right]) => (left < right ? -1 : 1));
    return Object.fromEntries(sorted.map(([name, owners]) => [name, [...owners].toSorted()]));
  }

  add(name: string, owners: Iterable<string>): void {
    this.#owners.set(name, new Set(owners));
  }

  /** Deletes an object, in the background or in the foreground: what is left in the end is the same. */
  delete(name: string): void {
    this.#owners.delete(name);
    this.collect();
  }

  /** Deletes an object and keeps its dependents. */
  orphan(name: string): void {
    for (const owners of this.#owners.values()) owners.delete(name);
    this.#owners.delete(name);
    this.collect();
  }

  /** An object without any of its owners goes; one with some of them loses the references to the others. */
  collect(): void {
    for (let isDone = false; !isDone; ) {
      isDone = true;
      for (const [name, owners] of this.#owners) {
        const absent = [...owners].filter((owner) => !this.#owners.has(owner));
        if (absent.length === 0) continue;
        isDone = false;
        if (absent.length === owners.size) this.#owners.delete(name);
        else for (const owner of absent) owners.delete(owner);
      }
    }
  }
}
