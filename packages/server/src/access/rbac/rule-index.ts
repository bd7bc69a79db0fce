/** Many rules, found by what a request asks for. Its size is that of the rules, not of their combinations. */

import type { AskedRight } from './asked-right.ts';
import type { GrantedRule } from './granted-rule.ts';
import { ANYTHING } from './policy-rule.ts';
import { RulePostings } from './rule-postings.ts';

/** A rule in an index, and whose it is. Made by `RuleIndex.add`. */
export interface IndexedRule<T> {
  readonly rule: GrantedRule;
  readonly owner: T;
  /** The list that the rule is found by, and its values. Undefined: it has no resources. */
  readonly place: { readonly postings: RulePostings<IndexedRule<T>>; readonly values: readonly string[] } | undefined;
}

/**
 * A rule is found by the values of one of its lists: the one whose values the fewest other rules have. A request is compared with
 * the rules that are found by one of its own values.
 */
export class RuleIndex<T> {
  readonly #names = new RulePostings<IndexedRule<T>>();
  readonly #resources = new RulePostings<IndexedRule<T>>();
  readonly #groups = new RulePostings<IndexedRule<T>>();
  readonly #verbs = new RulePostings<IndexedRule<T>>();
  readonly #paths = new RulePostings<IndexedRule<T>>();
  readonly #prefixes = new RulePostings<IndexedRule<T>>();
  /** How many prefixes have each length. */
  readonly #lengths = new Map<number, number>();

  add(rule: GrantedRule, owner: T): IndexedRule<T> {
    const indexed: IndexedRule<T> = { rule, owner, place: this.#place(rule) };
    indexed.place?.postings.add(indexed.place.values, indexed);
    const { exact, prefixes } = rule.paths;
    this.#paths.add(exact, indexed);
    this.#prefixes.add(prefixes, indexed);
    for (const { length } of prefixes) this.#lengths.set(length, (this.#lengths.get(length) ?? 0) + 1);
    return indexed;
  }

  remove(indexed: IndexedRule<T>): void {
    indexed.place?.postings.remove(indexed.place.values, indexed);
    const { exact, prefixes } = indexed.rule.paths;
    this.#paths.remove(exact, indexed);
    this.#prefixes.remove(prefixes, indexed);
    for (const { length } of prefixes) {
      const left = (this.#lengths.get(length) ?? 0) - 1;
      if (left > 0) this.#lengths.set(length, left);
      else this.#lengths.delete(length);
    }
  }

  /** The owner of a rule that allows it. */
  find(asked: AskedRight): T | undefined {
    return (asked.isResource ? this.#findObject(asked) : this.#findPath(asked))?.owner;
  }

  #findObject(asked: AskedRight): IndexedRule<T> | undefined {
    const { verb, group, resource, anyResource, name } = asked;
    return (
      firstAllowing(this.#names.of(name), asked) ??
      firstAllowing(this.#resources.of(resource), asked) ??
      firstAllowing(this.#resources.of(ANYTHING), asked) ??
      (anyResource === '' ? undefined : firstAllowing(this.#resources.of(anyResource), asked)) ??
      firstAllowing(this.#groups.of(group), asked) ??
      firstAllowing(this.#groups.of(ANYTHING), asked) ??
      firstAllowing(this.#verbs.of(verb), asked) ??
      firstAllowing(this.#verbs.of(ANYTHING), asked)
    );
  }

  #findPath({ verb, path }: AskedRight): IndexedRule<T> | undefined {
    const exact = firstWithVerb(this.#paths.of(path), verb);
    if (exact !== undefined) return exact;
    for (const length of this.#lengths.keys()) {
      if (length > path.length) continue;
      const found = firstWithVerb(this.#prefixes.of(path.slice(0, length)), verb);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  #place({ verbs, groups, resources, names }: GrantedRule): IndexedRule<T>['place'] {
    if (resources.values.length === 0) return undefined;
    const choices: readonly (readonly [RulePostings<IndexedRule<T>>, readonly string[]])[] = [
      [this.#names, names.values],
      [this.#resources, resources.values],
      [this.#groups, groups.values],
      [this.#verbs, verbs.values],
    ];
    let best: IndexedRule<T>['place'];
    let fewest = Number.POSITIVE_INFINITY;
    for (const [postings, values] of choices) {
      // Without names it allows every one: nobody finds it by a name.
      if (values.length === 0) continue;
      const shared = postings.mostFor(values);
      if (shared >= fewest) continue;
      best = { postings, values };
      fewest = shared;
      if (shared === 0) break;
    }
    return best;
  }
}

function firstAllowing<T>(
  rules: ReadonlySet<IndexedRule<T>> | undefined,
  asked: AskedRight,
): IndexedRule<T> | undefined {
  if (rules === undefined) return undefined;
  for (const indexed of rules) if (indexed.rule.allows(asked)) return indexed;
  return undefined;
}

/** Their paths are known to match. */
function firstWithVerb<T>(rules: ReadonlySet<IndexedRule<T>> | undefined, verb: string): IndexedRule<T> | undefined {
  if (rules === undefined) return undefined;
  for (const indexed of rules) if (indexed.rule.verbs.has(verb)) return indexed;
  return undefined;
}
