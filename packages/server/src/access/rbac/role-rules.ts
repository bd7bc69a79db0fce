/** The rules of one role, compiled once for all that are bound to it. */

import type { AskedRight } from './asked-right.ts';
import { ANYTHING, matchesPath, type PolicyRule } from './policy-rule.ts';
import { RuleTable } from './rule-table.ts';

/** A role has at most this many cells; rules that need more stay as they are. One object could otherwise take gigabytes as a table. */
const MAX_CELLS = 8192;

/** Stands for every name in a cell. */
export const EVERY_NAME: ReadonlySet<string> = new Set();

/** A rule that is compared, not looked up. */
interface WideRule {
  readonly verbs: ReadonlySet<string>;
  readonly groups: ReadonlySet<string>;
  readonly resources: ReadonlySet<string>;
  readonly names: ReadonlySet<string>;
}

/** Answers what its role allows. Immutable. */
export class RoleRules {
  readonly rules: readonly PolicyRule[];
  /** The names that each group, resource and verb is allowed for. */
  readonly cells: RuleTable<ReadonlySet<string>> = new RuleTable();
  readonly #wide: WideRule[] = [];
  readonly #paths: readonly PolicyRule[];
  #size = 0;

  constructor(rules: readonly PolicyRule[]) {
    this.rules = rules;
    this.#paths = rules.filter(({ nonResourceURLs }) => nonResourceURLs.length > 0);
    for (const rule of rules) if (rule.resources.length > 0) this.#add(rule);
  }

  /** About how many cells it has. */
  get size(): number {
    return this.#size;
  }

  /** Are there rules that `cells` does not have? */
  get hasWide(): boolean {
    return this.#wide.length > 0;
  }

  get hasPaths(): boolean {
    return this.#paths.length > 0;
  }

  allows(asked: AskedRight): boolean {
    if (!asked.isResource) return this.#allowsPath(asked);
    return this.cells.find(asked, allowsName) ?? this.#wide.some((rule) => matchesWide(rule, asked));
  }

  #allowsPath({ verb, path }: AskedRight): boolean {
    return this.#paths.some(
      ({ verbs, nonResourceURLs }) =>
        (verbs.includes(verb) || verbs.includes(ANYTHING)) && nonResourceURLs.some((url) => matchesPath(url, path)),
    );
  }

  #add({ verbs, apiGroups, resources, resourceNames }: PolicyRule): void {
    const names = resourceNames.length === 0 ? EVERY_NAME : new Set(resourceNames);
    const size = verbs.length * apiGroups.length * resources.length * Math.max(1, resourceNames.length);
    if (this.#size + size > MAX_CELLS) {
      this.#wide.push({
        verbs: new Set(verbs),
        groups: new Set(apiGroups),
        resources: new Set(resources),
        names,
      });
      return;
    }
    this.#size += size;
    for (const group of apiGroups) {
      for (const resource of resources) {
        for (const verb of verbs) {
          const known = this.cells.get(group, resource, verb);
          this.cells.set(group, resource, verb, known === undefined ? names : bothNames(known, names));
        }
      }
    }
  }
}

function allowsName(names: ReadonlySet<string>, { name }: AskedRight): true | undefined {
  return names === EVERY_NAME || (name !== undefined && names.has(name)) ? true : undefined;
}

function bothNames(a: ReadonlySet<string>, b: ReadonlySet<string>): ReadonlySet<string> {
  return a === EVERY_NAME || b === EVERY_NAME ? EVERY_NAME : new Set([...a, ...b]);
}

function matchesWide({ verbs, groups, resources, names }: WideRule, asked: AskedRight): boolean {
  const { verb, group, resource, anyResource } = asked;
  return (
    (verbs.has(verb) || verbs.has(ANYTHING)) &&
    (groups.has(group) || groups.has(ANYTHING)) &&
    (resources.has(resource) || resources.has(ANYTHING) || (anyResource !== '' && resources.has(anyResource))) &&
    allowsName(names, asked) === true
  );
}
