/** Do some rules allow all that others do? */

import { quote } from '@listwatch/api';
import type { AskedRight } from './asked-right.ts';
import { ANYTHING, type PolicyRule } from './policy-rule.ts';
import { RoleRules } from './role-rules.ts';

/** A right that is split no further: one verb on one resource, by one name or none, or on one path. */
interface Piece extends AskedRight {
  /** Undefined: every name. */
  readonly name: string | undefined;
}

/** The rules of a role may have a billion combinations; so many are looked at. */
const MAX_PIECES = 100_000;

/** What is missing. `isComplete` is false when the rules have too many combinations to compare them. */
export interface MissingRules {
  readonly rules: readonly PolicyRule[];
  readonly isComplete: boolean;
}

/**
 * What `wanted` allows and `held` does not: one rule for each path and verb, and one for each resource and name with its missing
 * verbs. Each piece must be covered by one held rule; `*` in a wanted rule is a value like any other.
 */
export function missingRules(held: readonly PolicyRule[], wanted: readonly PolicyRule[]): MissingRules {
  const own = new RoleRules(held);
  const merged = new Map<string, PolicyRule & { readonly verbs: string[] }>();
  const paths: PolicyRule[] = [];
  let count = 0;
  for (const rule of wanted) {
    if (held.some((one) => coversRule(one, rule))) continue;
    for (const piece of pieces(rule)) {
      count += 1;
      if (count > MAX_PIECES) return { rules: [...merged.values(), ...paths], isComplete: false };
      if (own.allows(piece)) continue;
      const { isResource, verb, path } = piece;
      if (!isResource) paths.push({ ...EMPTY, verbs: [verb], nonResourceURLs: [path] });
      else addVerb(merged, piece);
    }
  }
  return { rules: [...merged.values(), ...paths], isComplete: true };
}

const EMPTY: PolicyRule = { verbs: [], apiGroups: [], resources: [], resourceNames: [], nonResourceURLs: [] };

function addVerb(merged: Map<string, PolicyRule & { readonly verbs: string[] }>, piece: Piece): void {
  const { group, resource, name, verb } = piece;
  const key = JSON.stringify([group, resource, name]);
  const known = merged.get(key);
  if (known !== undefined) known.verbs.push(verb);
  else {
    const resourceNames = name === undefined ? [] : [name];
    merged.set(key, { ...EMPTY, verbs: [verb], apiGroups: [group], resources: [resource], resourceNames });
  }
}

/** In the order of Kubernetes: groups, resources, verbs, names; then paths. */
function* pieces({ verbs, apiGroups, resources, resourceNames, nonResourceURLs }: PolicyRule): Generator<Piece> {
  const names: readonly (string | undefined)[] = resourceNames.length === 0 ? [undefined] : resourceNames;
  for (const group of apiGroups) {
    for (const resource of resources) {
      const slash = resource.indexOf('/');
      const anyResource = slash < 0 ? '' : `${ANYTHING}${resource.slice(slash)}`;
      for (const verb of verbs) {
        for (const name of names) yield { isResource: true, verb, group, resource, anyResource, name, path: '' };
      }
    }
  }
  for (const path of nonResourceURLs) {
    for (const verb of verbs) yield { ...NO_RESOURCE, verb, path };
  }
}

const NO_RESOURCE = { isResource: false, group: '', resource: '', anyResource: '', name: undefined };

/** A quick look, right for most rules of administrators: one rule covers all of another one. */
function coversRule(held: PolicyRule, wanted: PolicyRule): boolean {
  return (
    wanted.nonResourceURLs.length === 0 &&
    held.resourceNames.length === 0 &&
    hasAll(held.verbs, wanted.verbs) &&
    hasAll(held.apiGroups, wanted.apiGroups) &&
    hasAll(held.resources, wanted.resources)
  );
}

function hasAll(held: readonly string[], wanted: readonly string[]): boolean {
  if (held.includes(ANYTHING)) return true;
  const own = new Set(held);
  return wanted.every((value) => own.has(value));
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
