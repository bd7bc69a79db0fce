/** What one reader of an informer was told, held against the rules as it comes. */

import type { ApiObject } from '@listwatch/api';
import type { StoreChange } from '@listwatch/runtime';

export class ToldStory {
  /** What the reader believes. */
  readonly known = new Map<string, ApiObject>();
  readonly problems: string[] = [];
  #changes = 0;
  #missed = 0;

  get changes(): number {
    return this.#changes;
  }

  /** Deletes that were found out by a list. */
  get missed(): number {
    return this.#missed;
  }

  note({ type, key, object, ...change }: StoreChange): void {
    this.#changes += 1;
    const before = this.known.get(key);
    const problem = problemOf(type, before, object);
    if (problem !== undefined) this.problems.push(`${type} ${key}@${object.metadata.resourceVersion}: ${problem}`);
    if (type === 'delete') this.known.delete(key);
    else this.known.set(key, object);
    if ('finalStateKnown' in change && !change.finalStateKnown) this.#missed += 1;
  }
}

function problemOf(type: StoreChange['type'], before: ApiObject | undefined, object: ApiObject): string | undefined {
  if (type === 'add') return before === undefined ? undefined : 'an add of what is known';
  if (before === undefined) return `a ${type} of what is not known`;
  const [was, is] = [before.metadata, object.metadata];
  if (was.uid !== is.uid) return 'another object of the same name: its delete was lost';
  if (Number(is.resourceVersion) < Number(was.resourceVersion)) return `back in time from ${was.resourceVersion}`;
  return undefined;
}
