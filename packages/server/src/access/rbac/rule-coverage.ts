/** Do some rules allow all that others do? */

import { quote } from '@listwatch/api';
import { justPause, LoopPace } from '../../contract/pause.ts';
import type { AskedRight } from './asked-right.ts';
import type { GrantedRule } from './granted-rule.ts';
import { ANYTHING, type PolicyRule } from './policy-rule.ts';
import { RoleRules, ruleWeight } from './role-rules.ts';

/** The rights that a user has. */
export interface OwnRights {
  /** Does one of its rules allow it? */
  readonly holds: (asked: AskedRight) => boolean;
  /** All its rules. */
  readonly rules: () => Iterable<GrantedRule>;
}

/** What is missing. `isComplete` is false when the rules have too many combinations to compare them. */
export interface MissingRules {
  readonly rules: readonly PolicyRule[];
  readonly isComplete: boolean;
}

/** The rules of a role may have a billion combinations; so many are looked at. */
const MAX_STEPS = 100_000;

/** A refusal lists at most so many missing rules with so many characters. */
const MAX_MISSING = 10_000;
const MAX_MISSING_CHARACTERS = 500_000;

/** A rule of more combinations is compared with each own rule as a whole first. */
const MANY_PIECES = 256;
/** So many values of whole rules are compared in the time of one step. */
const VALUES_A_STEP = 16;

/** What `wanted` allows and `held` does not. */
export function missingRules(held: readonly PolicyRule[], wanted: readonly PolicyRule[]): Promise<MissingRules> {
  const own = new RoleRules(held);
  return new RuleComparison({ holds: (asked) => own.allows(asked), rules: () => own.compiled }).compare(wanted);
}

/**
 * What `wanted` allows and `own` does not: one rule for each path and verb, and one for each resource and name with its missing
 * verbs. Each piece must be covered by one own rule; `*` in a wanted rule is a value like any other.
 */
export class RuleComparison {
  readonly #own: OwnRights;
  readonly #pace = new LoopPace(justPause);
  readonly #merged = new Map<string, PolicyRule & { readonly verbs: string[] }>();
  readonly #paths: PolicyRule[] = [];
  #steps = 0;
  #missing = 0;
  #characters = 0;

  constructor(own: OwnRights) {
    this.#own = own;
  }

  /** Lets others have the event loop meanwhile: there are up to 100 000 steps. Ends early when it is too long. */
  async compare(wanted: readonly PolicyRule[]): Promise<MissingRules> {
    for (const rule of wanted) {
      if (this.#isTooLong) break;
      if (rule.resources.length > 0 && !(await this.#hasWhole(rule))) await this.#compareObjects(rule);
      await this.#comparePaths(rule);
    }
    return { rules: [...this.#merged.values(), ...this.#paths], isComplete: !this.#isTooLong };
  }

  get #isTooLong(): boolean {
    return this.#steps > MAX_STEPS || this.#missing > MAX_MISSING || this.#characters > MAX_MISSING_CHARACTERS;
  }

  /** Right for the rules of most administrators: one rule covers all of another one. */
  async #hasWhole(wanted: PolicyRule): Promise<boolean> {
    const { verbs, apiGroups, resources, resourceNames } = wanted;
    const pieces = verbs.length * apiGroups.length * resources.length * Math.max(1, resourceNames.length);
    if (pieces <= MANY_PIECES) return false;
    const cost = 1 + ruleWeight(wanted) / VALUES_A_STEP;
    for (const own of this.#own.rules()) {
      this.#steps += cost;
      if (this.#isTooLong) return false;
      await this.#pace.step();
      if (coversRule(own, wanted)) return true;
    }
    return false;
  }

  /** In the order of Kubernetes: groups, resources, verbs, names. What is held for all values is not compared value by value. */
  async #compareObjects({ verbs, apiGroups, resources, resourceNames }: PolicyRule): Promise<void> {
    for (const group of apiGroups) {
      if (resources.length > 1 && (await this.#holds(objectPiece(group, ANYTHING, ANYTHING)))) continue;
      for (const resource of resources) {
        if (this.#isTooLong) return;
        if (verbs.length > 1 && (await this.#holds(objectPiece(group, resource, ANYTHING)))) continue;
        for (const verb of verbs) {
          if (this.#isTooLong) return;
          const piece = objectPiece(group, resource, verb);
          if (await this.#holds(piece)) continue;
          if (resourceNames.length === 0) this.#addVerb(piece);
          for (const name of resourceNames) {
            if (this.#isTooLong) return;
            const named = { ...piece, name };
            if (!(await this.#holds(named))) this.#addVerb(named);
          }
        }
      }
    }
  }

  async #comparePaths({ nonResourceURLs, verbs }: PolicyRule): Promise<void> {
    for (const path of nonResourceURLs) {
      for (const verb of verbs) {
        if (this.#isTooLong) return;
        if (await this.#holds({ ...NO_RESOURCE, verb, path })) continue;
        this.#count(path.length + verb.length);
        this.#paths.push({ ...EMPTY, verbs: [verb], nonResourceURLs: [path] });
      }
    }
  }

  async #holds(piece: AskedRight): Promise<boolean> {
    this.#steps += 1;
    await this.#pace.step();
    return this.#own.holds(piece);
  }

  #addVerb({ group, resource, name, verb }: AskedRight): void {
    const key = JSON.stringify([group, resource, name]);
    const known = this.#merged.get(key);
    if (known !== undefined) {
      this.#characters += verb.length;
      known.verbs.push(verb);
      return;
    }
    this.#count(verb.length + key.length);
    const resourceNames = name === undefined ? [] : [name];
    this.#merged.set(key, { ...EMPTY, verbs: [verb], apiGroups: [group], resources: [resource], resourceNames });
  }

  #count(characters: number): void {
    this.#missing += 1;
    this.#characters += characters;
  }
}

const EMPTY: PolicyRule = { verbs: [], apiGroups: [], resources: [], resourceNames: [], nonResourceURLs: [] };
const NO_RESOURCE = { isResource: false, group: '', resource: '', anyResource: '', name: undefined };

/** One verb on one resource, by every name. */
function objectPiece(group: string, resource: string, verb: string): AskedRight {
  const slash = resource.indexOf('/');
  const anyResource = slash < 0 ? '' : `${ANYTHING}${resource.slice(slash)}`;
  return { isResource: true, verb, group, resource, anyResource, name: undefined, path: '' };
}

function coversRule(held: GrantedRule, wanted: PolicyRule): boolean {
  const hasNames = held.names.values.length === 0 || wanted.resourceNames.length > 0;
  return (
    hasNames &&
    held.verbs.hasAll(wanted.verbs) &&
    held.groups.hasAll(wanted.apiGroups) &&
    held.resources.hasAll(wanted.resources) &&
    (held.names.values.length === 0 || wanted.resourceNames.every((name) => held.names.includes(name)))
  );
}

/** A rule as Kubernetes shows it in a refusal. */
export function ruleText({ verbs, apiGroups, resources, resourceNames, nonResourceURLs }: PolicyRule): string {
  const lists: readonly (readonly [string, readonly string[]])[] = [
    ['APIGroups', apiGroups],
    ['Resources', resources],
    ['ResourceNames', resourceNames],
    ['NonResourceURLs', nonResourceURLs],
    ['Verbs', verbs],
  ];
  const shown = lists.flatMap(([name, values]) => (values.length === 0 ? [] : [`${name}:${goList(values)}`]));
  return `{${shown.join(', ')}}`;
}

/** `["a" "b"]`: a list of strings as Go prints it. */
export function goList(values: readonly string[]): string {
  return `[${values.map((value) => quote(value)).join(' ')}]`;
}
