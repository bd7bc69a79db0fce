/** Rights by group, resource and verb: found by a few look-ups, however many rules there are. */

import type { AskedRight } from './asked-right.ts';
import { ANYTHING } from './policy-rule.ts';

/** What is known of one group, resource and verb. */
export type RuleCell<T> = Map<string, Map<string, Map<string, T>>>;

/** Three levels of maps: keys that are put together would have to be made for each question. */
export class RuleTable<T> {
  readonly #groups: RuleCell<T> = new Map();

  /** The value of a cell, made when there is none. */
  at(group: string, resource: string, verb: string, make: () => T): T {
    const resources = child(this.#groups, group);
    const verbs = child(resources, resource);
    let value = verbs.get(verb);
    if (value === undefined) {
      value = make();
      verbs.set(verb, value);
    }
    return value;
  }

  get(group: string, resource: string, verb: string): T | undefined {
    return this.#groups.get(group)?.get(resource)?.get(verb);
  }

  set(group: string, resource: string, verb: string, value: T): void {
    child(child(this.#groups, group), resource).set(verb, value);
  }

  delete(group: string, resource: string, verb: string): void {
    const resources = this.#groups.get(group);
    const verbs = resources?.get(resource);
    if (resources === undefined || verbs === undefined) return;
    verbs.delete(verb);
    if (verbs.size > 0) return;
    resources.delete(resource);
    if (resources.size === 0) this.#groups.delete(group);
  }

  /** The first value, of all cells that a right may be in, for which `accept` returns something. */
  find<R>(asked: AskedRight, accept: (value: T, asked: AskedRight) => R | undefined): R | undefined {
    const { group } = asked;
    const found = this.#inGroup(this.#groups.get(group), asked, accept);
    return found === undefined && group !== ANYTHING ? this.#inGroup(this.#groups.get(ANYTHING), asked, accept) : found;
  }

  *[Symbol.iterator](): Generator<readonly [group: string, resource: string, verb: string, value: T], undefined> {
    for (const [group, resources] of this.#groups) {
      for (const [resource, verbs] of resources) {
        for (const [verb, value] of verbs) yield [group, resource, verb, value];
      }
    }
  }

  #inGroup<R>(
    resources: Map<string, Map<string, T>> | undefined,
    asked: AskedRight,
    accept: (value: T, asked: AskedRight) => R | undefined,
  ): R | undefined {
    if (resources === undefined) return undefined;
    const { resource, anyResource } = asked;
    return (
      inResource(resources.get(resource), asked, accept) ??
      (resource === ANYTHING ? undefined : inResource(resources.get(ANYTHING), asked, accept)) ??
      (anyResource === '' || anyResource === resource
        ? undefined
        : inResource(resources.get(anyResource), asked, accept))
    );
  }
}

function inResource<T, R>(
  verbs: Map<string, T> | undefined,
  asked: AskedRight,
  accept: (value: T, asked: AskedRight) => R | undefined,
): R | undefined {
  if (verbs === undefined) return undefined;
  const { verb } = asked;
  const exact = verbs.get(verb);
  const found = exact === undefined ? undefined : accept(exact, asked);
  if (found !== undefined || verb === ANYTHING) return found;
  const any = verbs.get(ANYTHING);
  return any === undefined ? undefined : accept(any, asked);
}

function child<V>(map: Map<string, Map<string, V>>, key: string): Map<string, V> {
  let value = map.get(key);
  if (value === undefined) {
    value = new Map();
    map.set(key, value);
  }
  return value;
}
