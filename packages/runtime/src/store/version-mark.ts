/** How far a store has come, and who waits for it to come further. */

import { type AbortOptions, compareResourceVersions, isResourceVersion, type ResourceVersion } from '@listwatch/api';
import { onAbort } from '@listwatch/api/internal';

interface Waiter {
  readonly wanted: ResourceVersion;
  readonly resolve: () => void;
  readonly reject: (reason: unknown) => void;
}

/** The version up to which everything has been seen. With several sources, such as namespaces, the one that is least far. */
export class VersionMark {
  readonly #marks: Map<string, ResourceVersion | undefined>;
  readonly #waiters = new Set<Waiter>();
  #current: ResourceVersion | undefined;
  #closed: { readonly reason: unknown } | undefined;

  constructor(sources: readonly string[]) {
    this.#marks = new Map(sources.map((source) => [source, undefined]));
  }

  get current(): ResourceVersion | undefined {
    return this.#current;
  }

  /** Where each source stands. */
  get sources(): ReadonlyMap<string, ResourceVersion | undefined> {
    return this.#marks;
  }

  /** A change or a bookmark of a source. Never goes back. */
  advance(source: string, version: string | undefined): void {
    if (!isResourceVersion(version)) return;
    const before = this.#marks.get(source);
    if (before === undefined || compareResourceVersions(version, before) > 0) this.set(source, version);
  }

  /** A list of a source. It may go back: a cluster that was restored or made anew is older than what was seen of it. */
  set(source: string, version: ResourceVersion): void {
    this.#marks.set(source, version);
    this.#current = this.#least();
    for (const waiter of this.#waiters) if (this.#reached(waiter.wanted)) waiter.resolve();
  }

  async waitFor(version: string, { signal }: AbortOptions = {}): Promise<void> {
    if (!isResourceVersion(version)) throw new TypeError(`not a resource version: ${JSON.stringify(version)}`);
    signal?.throwIfAborted();
    if (this.#reached(version)) return;
    if (this.#closed !== undefined) throw this.#closed.reason;
    let waiter: Waiter | undefined;
    const off = onAbort(signal, () => waiter?.reject(signal?.reason));
    try {
      await new Promise<void>((resolve, reject) => {
        waiter = { wanted: version, resolve, reject };
        this.#waiters.add(waiter);
      });
    } finally {
      off();
      if (waiter !== undefined) this.#waiters.delete(waiter);
    }
  }

  /** Nothing follows. */
  close(reason: unknown): void {
    this.#closed ??= { reason };
    for (const waiter of this.#waiters) waiter.reject(reason);
  }

  #reached(version: ResourceVersion): boolean {
    return this.#current !== undefined && compareResourceVersions(this.#current, version) >= 0;
  }

  #least(): ResourceVersion | undefined {
    let least: ResourceVersion | undefined;
    for (const mark of this.#marks.values()) {
      if (mark === undefined) return undefined;
      if (least === undefined || compareResourceVersions(mark, least) < 0) least = mark;
    }
    return least;
  }
}
