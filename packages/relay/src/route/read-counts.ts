/** Counts what is answered from caches and what is passed on. */

import type { RelayedKind } from '../kinds/relayed-kind.ts';

/** More programs are counted together: their names are the clients' own. */
const MAX_PROGRAMS = 20;

/** Numbers since the start; few labels, for a metric has one line of each. */
export class ReadCounts {
  readonly #cached = new Map<string, Map<string, number>>();
  readonly #old = new Map<string, number>();
  readonly #passed = new Map<string, number>();
  readonly #programs = new Map<string, number>();

  /** `agent`: the program, as it calls itself. */
  cached({ name }: RelayedKind, verb: string, agent: string = ''): void {
    this.#count(agent);
    const ofKind = this.#cached.get(name) ?? new Map<string, number>();
    this.#cached.set(name, ofKind);
    ofKind.set(verb, (ofKind.get(verb) ?? 0) + 1);
  }

  /** Of those that are cached: it said how old it may be. */
  old({ name }: RelayedKind): void {
    this.#old.set(name, (this.#old.get(name) ?? 0) + 1);
  }

  /** By kind. */
  get allOld(): ReadonlyMap<string, number> {
    return this.#old;
  }

  passed(reason: string): void {
    this.#passed.set(reason, (this.#passed.get(reason) ?? 0) + 1);
  }

  /** By kind and verb. */
  get allCached(): readonly { readonly kind: string; readonly verb: string; readonly count: number }[] {
    return [...this.#cached].flatMap(([kind, verbs]) => [...verbs].map(([verb, count]) => ({ kind, verb, count })));
  }

  /** Of those that are cached, by the program that has asked. */
  get allPrograms(): ReadonlyMap<string, number> {
    return this.#programs;
  }

  #count(agent: string): void {
    const name = /^[\w.-]{1,40}/u.exec(agent)?.[0] ?? 'unknown';
    const counted = this.#programs.has(name) || this.#programs.size < MAX_PROGRAMS ? name : 'others';
    this.#programs.set(counted, (this.#programs.get(counted) ?? 0) + 1);
  }

  /** By reason. */
  get allPassed(): ReadonlyMap<string, number> {
    return this.#passed;
  }
}
