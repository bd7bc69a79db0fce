/** A rule of a role, ready to be compared with requests. */

import type { AskedRight } from './asked-right.ts';
import { ANYTHING, type PolicyRule } from './policy-rule.ts';

/** Longer lists become sets: one rule may have 60 000 values. */
const SHORT_LIST = 8;

/** The values of one list of a rule. `*` stands for all. */
export class RuleValues {
  readonly values: readonly string[];
  readonly #hasAnything: boolean;
  readonly #set: ReadonlySet<string> | undefined;

  constructor(values: readonly string[]) {
    this.values = values;
    this.#set = values.length > SHORT_LIST ? new Set(values) : undefined;
    this.#hasAnything = this.includes(ANYTHING);
  }

  /** Is exactly this value in the list? */
  includes(value: string): boolean {
    return this.#set === undefined ? this.values.includes(value) : this.#set.has(value);
  }

  /** Does the list stand for the value? */
  has(value: string): boolean {
    return this.#hasAnything || this.includes(value);
  }

  /** Does the list stand for all that the other one has? */
  hasAll(wanted: readonly string[]): boolean {
    return this.#hasAnything || wanted.every((value) => this.includes(value));
  }
}

/** The paths of a rule: only stars at the end are a pattern. `*` is the prefix `''`. */
export interface RulePaths {
  readonly exact: readonly string[];
  readonly prefixes: readonly string[];
}

/** Immutable. */
export class GrantedRule {
  readonly verbs: RuleValues;
  readonly groups: RuleValues;
  readonly resources: RuleValues;
  /** Empty: objects of every name. */
  readonly names: RuleValues;
  readonly paths: RulePaths;

  constructor({ verbs, apiGroups, resources, resourceNames, nonResourceURLs }: PolicyRule) {
    this.verbs = new RuleValues(verbs);
    this.groups = new RuleValues(apiGroups);
    this.resources = new RuleValues(resources);
    this.names = new RuleValues(resourceNames);
    this.paths = rulePaths(nonResourceURLs);
  }

  allows(asked: AskedRight): boolean {
    return this.verbs.has(asked.verb) && (asked.isResource ? this.#allowsObject(asked) : this.#allowsPath(asked.path));
  }

  #allowsObject({ group, resource, anyResource, name }: AskedRight): boolean {
    return (
      this.groups.has(group) &&
      (this.resources.has(resource) || (anyResource !== '' && this.resources.includes(anyResource))) &&
      (this.names.values.length === 0 || (name !== undefined && this.names.includes(name)))
    );
  }

  #allowsPath(path: string): boolean {
    const { exact, prefixes } = this.paths;
    return exact.includes(path) || prefixes.some((prefix) => path.startsWith(prefix));
  }
}

const NO_PATHS: RulePaths = { exact: [], prefixes: [] };

function rulePaths(patterns: readonly string[]): RulePaths {
  if (patterns.length === 0) return NO_PATHS;
  const exact: string[] = [];
  const prefixes: string[] = [];
  for (const pattern of patterns) {
    if (pattern.endsWith(ANYTHING)) prefixes.push(withoutStars(pattern));
    else exact.push(pattern);
  }
  return { exact, prefixes };
}

/** A regular expression would take the square of the stars' number. */
function withoutStars(pattern: string): string {
  let end = pattern.length;
  while (pattern[end - 1] === ANYTHING) end -= 1;
  return pattern.slice(0, end);
}
