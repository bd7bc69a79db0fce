/** Finds the version of a resource that a list of rules matches: that of the request, or an equivalent one. */

import type { RequestHead } from '../../../contract/dynamic-admission.ts';
import type { ResourceDefinition } from '../../../kinds/resource-definition.ts';
import { storageRoot } from '../../../stored/object-folder.ts';
import type { RequestRule, RuleTarget } from './request-rule.ts';

/** The other versions and groups in which the same objects are served, in their order. */
export type EquivalentKinds = (definition: ResourceDefinition) => readonly ResourceDefinition[];

/** The rule that matches, and the kind that it has matched in. */
export interface RuleMatch {
  readonly rule: RequestRule;
  /** The resource as the rule names it: another one than that of the request with `matchPolicy: Equivalent`. */
  readonly definition: ResourceDefinition;
}

/** The first rule that matches the request; with `isEquivalent`, else the first that matches in another version. */
export function matchRules(
  rules: readonly RequestRule[],
  head: RequestHead,
  { isEquivalent, equivalents }: { readonly isEquivalent: boolean; readonly equivalents: EquivalentKinds },
  name?: string,
): RuleMatch | undefined {
  const fits = (rule: RequestRule, definition: ResourceDefinition): boolean =>
    rule.matches(targetOf(head, definition)) && (name === undefined || rule.allowsName(name));
  for (const rule of rules) if (fits(rule, head.definition)) return { rule, definition: head.definition };
  if (!isEquivalent) return undefined;
  const others = equivalents(head.definition);
  for (const rule of rules) {
    for (const definition of others) if (fits(rule, definition)) return { rule, definition };
  }
  return undefined;
}

function targetOf({ operation, subresource, namespace }: RequestHead, { resource }: ResourceDefinition): RuleTarget {
  const { group, version, plural } = resource;
  return { operation, group, version, plural, subresource, namespace };
}

/** Kinds that are stored in the same place are equivalent: versions of one kind, and Events of two groups. */
export function equivalentKinds(all: () => Iterable<ResourceDefinition>): EquivalentKinds {
  return (definition) => {
    const root = storageRoot(definition);
    return Array.from(all()).filter((other) => other !== definition && storageRoot(other) === root);
  };
}
