/** What one reader of changes was told, held against the rules as it comes. */

import type { StoreChange } from '../src/reflector/store-change.ts';
import type { Thing } from './model-object.ts';

/** Throws at the first change that breaks a rule. */
export class ChangeRecord {
  /** What the reader believes. */
  readonly known = new Map<string, Thing>();
  readonly log: string[] = [];
  readonly problems: string[] = [];
  /** How often the server has been restored or replaced: versions may go back then. */
  readonly #restores: () => number;

  constructor(restores: () => number = () => 0) {
    this.#restores = restores;
  }

  note(change: StoreChange<Thing>): void {
    const { type, key, object } = change;
    const before = this.known.get(key);
    this.log.push(`${type} ${key}@${object.metadata.resourceVersion} ${object.metadata.uid}`);
    if (type === 'add') {
      if (before !== undefined) this.#problem(change, 'an add of what is known');
    } else if (before === undefined) {
      this.#problem(change, `a ${type} of what is not known`);
    } else if (before.metadata.uid !== object.metadata.uid) {
      this.#problem(change, `a ${type} of another object of the same name: its delete was lost`);
    } else if (versionOf(object) < versionOf(before) && this.#restores() === 0) {
      this.#problem(change, `back in time from ${versionOf(before)}`);
    } else if (type === 'update' && change.old !== object && versionOf(change.old) !== versionOf(before)) {
      this.#problem(change, `the old object is ${versionOf(change.old)}, and the reader knew ${versionOf(before)}`);
    }
    if (type === 'delete') this.known.delete(key);
    else this.known.set(key, object);
  }

  #problem({ type, key, object }: StoreChange<Thing>, what: string): void {
    this.problems.push(`${type} ${key}@${object.metadata.resourceVersion}: ${what}`);
  }
}

/** Keys, versions and sizes, sorted. */
export function versionsOf(objects: ReadonlyMap<string, Thing>): readonly string[] {
  return Array.from(
    objects,
    ([key, object]) => `${key}@${versionOf(object)} ${object.metadata.uid} ${object.spec?.size}`,
  ).toSorted();
}

function versionOf(object: Thing): number {
  return Number(object.metadata.resourceVersion);
}
