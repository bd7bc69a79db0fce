/** A policy that decides fast, also with thousands of rules. */

import type { AuditLevel, AuditStage } from './audit-level.ts';
import type { AuditedResources, AuditPolicy, AuditRule } from './audit-policy.ts';
import type { AuditedRequest } from './audited-request.ts';

/** What is recorded of a request. */
export interface AuditRuling {
  readonly level: AuditLevel;
  readonly omitStages: ReadonlySet<AuditStage>;
  readonly omitManagedFields: boolean;
}

const NOTHING: AuditRuling = { level: 'None', omitStages: new Set(), omitManagedFields: false };

/** To try so many is cheaper than to look up the keys of a request. */
const FEW_RULES = 16;

interface CompiledRule {
  readonly ruling: AuditRuling;
  readonly matches: (request: AuditedRequest) => boolean;
}

/**
 * Each rule is found by the keys of one of its fields, the one whose keys it shares with the fewest others; a request looks only at
 * the rules of its own keys. Rules that restrict nothing that can be looked up are tried for every request.
 */
export class CompiledPolicy {
  readonly #rules: readonly CompiledRule[];
  readonly #byKey = new Map<string, number[]>();
  readonly #others: readonly number[];

  constructor(policy: AuditPolicy) {
    this.#rules = policy.rules.map((rule) => compile(policy, rule));
    const keys = this.#rules.length > FEW_RULES ? policy.rules.map(keyChoices) : policy.rules.map(() => []);
    const uses = new Map<string, number>();
    for (const key of keys.flat(2)) uses.set(key, (uses.get(key) ?? 0) + 1);
    const others: number[] = [];
    for (const [index, choices] of keys.entries()) {
      const best = leastShared(choices, uses);
      if (best === undefined) others.push(index);
      for (const key of new Set(best)) {
        const known = this.#byKey.get(key);
        if (known === undefined) this.#byKey.set(key, [index]);
        else known.push(index);
      }
    }
    this.#others = others;
  }

  /** The ruling of the first rule that matches. `tried` hears of each rule that was looked at. */
  rule(request: AuditedRequest, tried?: (index: number) => void): AuditRuling {
    let first = this.#firstOf(this.#others, request, this.#rules.length, tried);
    if (this.#byKey.size > 0) {
      for (const key of requestKeys(request)) {
        const indexes = this.#byKey.get(key);
        if (indexes !== undefined) first = this.#firstOf(indexes, request, first, tried);
      }
    }
    return this.#rules[first]?.ruling ?? NOTHING;
  }

  #firstOf(
    indexes: readonly number[],
    request: AuditedRequest,
    before: number,
    tried: ((index: number) => void) | undefined,
  ): number {
    for (const index of indexes) {
      if (index >= before) break;
      tried?.(index);
      if (this.#rules[index]?.matches(request) === true) return index;
    }
    return before;
  }
}

/** The keys of each field that can be looked up. */
function keyChoices(rule: AuditRule): readonly (readonly string[])[] {
  const { users, userGroups, verbs, namespaces, resources, nonResourceURLs } = rule;
  const hasPattern = nonResourceURLs.some((url) => url.endsWith('*'));
  const choices = [
    users.map((user) => `user ${user}`),
    userGroups.map((group) => `group ${group}`),
    namespaces.map((namespace) => `namespace ${namespace}`),
    resources.flatMap(resourceKeys),
    hasPattern ? [] : nonResourceURLs.map((url) => `path ${url}`),
    verbs.map((verb) => `verb ${verb}`),
  ];
  return choices.filter((keys) => keys.length > 0);
}

function resourceKeys({ group, resources }: AuditedResources): readonly string[] {
  if (resources.length === 0) return [`resource ${group}/*`];
  return resources.map((text) => {
    const [resource = ''] = text.split('/', 1);
    return `resource ${group}/${resource}`;
  });
}

function requestKeys(request: AuditedRequest): readonly string[] {
  const { user, verb, isResource, group, resource, namespace, path } = request;
  const keys = [`verb ${verb}`];
  if (isResource) {
    keys.push(`namespace ${namespace}`, 'resource */*');
    keys.push(`resource ${group}/${resource}`, `resource ${group}/*`, `resource */${resource}`);
  } else keys.push(`path ${path}`);
  if (user === undefined) return keys;
  keys.push(`user ${user.name}`);
  for (const name of user.groups) keys.push(`group ${name}`);
  return keys;
}

function leastShared(
  choices: readonly (readonly string[])[],
  uses: ReadonlyMap<string, number>,
): readonly string[] | undefined {
  let best: readonly string[] | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (const keys of choices) {
    const most = keys.reduce((max, key) => Math.max(max, uses.get(key) ?? 0), 0);
    if (most < least) {
      least = most;
      best = keys;
    }
  }
  return best;
}

function compile(policy: AuditPolicy, rule: AuditRule): CompiledRule {
  const { level } = rule;
  const omitStages = new Set([...policy.omitStages, ...rule.omitStages]);
  const ruling = { level, omitStages, omitManagedFields: rule.omitManagedFields ?? policy.omitManagedFields };
  const users = setOf(rule.users);
  const groups = setOf(rule.userGroups);
  const verbs = setOf(rule.verbs);
  const namespaces = setOf(rule.namespaces);
  const ofResources = rule.resources.length > 0 || namespaces !== undefined;
  const ofPaths = rule.nonResourceURLs.length > 0;
  return {
    ruling,
    matches(request) {
      const { user, verb, isResource } = request;
      if (users !== undefined && (user === undefined || !users.has(user.name))) return false;
      if (groups !== undefined && user?.groups.some((group) => groups.has(group)) !== true) return false;
      if (verbs !== undefined && !verbs.has(verb)) return false;
      if (ofResources) {
        if (!isResource || namespaces?.has(request.namespace) === false) return false;
        return rule.resources.length === 0 || rule.resources.some((one) => matchesResource(one, request));
      }
      if (!ofPaths) return true;
      return !isResource && rule.nonResourceURLs.some((url) => matchesPath(url, request.path));
    },
  };
}

function setOf(values: readonly string[]): ReadonlySet<string> | undefined {
  return values.length === 0 ? undefined : new Set(values);
}

function matchesResource({ group, resources, resourceNames }: AuditedResources, request: AuditedRequest): boolean {
  if (group !== '*' && group !== request.group) return false;
  if (resourceNames.length > 0 && !resourceNames.includes(request.name)) return false;
  if (resources.length === 0) return true;
  const { resource, subresource } = request;
  const whole = subresource === '' ? resource : `${resource}/${subresource}`;
  return resources.some((wanted) => {
    if (wanted === '*' || wanted === whole) return true;
    if (wanted.startsWith('*/')) return subresource !== '' && wanted.slice(2) === subresource;
    return wanted.endsWith('/*') && wanted.slice(0, -2) === resource;
  });
}

function matchesPath(url: string, path: string): boolean {
  return url.endsWith('*') ? path.startsWith(url.slice(0, -1)) : url === path;
}
