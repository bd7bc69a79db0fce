/** Decides whether a policy or a binding matches a request. */

import type { LabelSelector } from '@listwatch/api';
import { type JsonRecord, listOf } from '@listwatch/api/values';
import type { DynamicRequest, RequestHead } from '../../../contract/dynamic-admission.ts';
import type { ResourceDefinition } from '../../../kinds/resource-definition.ts';
import { type RequestRule, resourceRules } from '../dynamic/request-rule.ts';
import { type EquivalentKinds, matchRules } from '../dynamic/rule-match.ts';
import { type NamespaceLabels, selectsNamespace, selectsObject, storedSelector } from '../dynamic/selected-labels.ts';

/** The sources that matching reads. */
export interface MatchFacts {
  readonly equivalents: EquivalentKinds;
  readonly namespaceLabels: NamespaceLabels;
}

/** `matchConstraints` of a policy or `matchResources` of a binding, read once. */
export class PolicyMatch {
  readonly #rules: readonly RequestRule[];
  readonly #excluded: readonly RequestRule[];
  readonly #namespaces: LabelSelector | undefined;
  readonly #objects: LabelSelector | undefined;
  readonly #isEquivalent: boolean;
  /** A binding without rules matches every request that its policy matches. */
  readonly #takesAll: boolean;

  constructor(match: JsonRecord, role: 'binding' | 'policy') {
    this.#rules = resourceRules(match['resourceRules']);
    this.#excluded = resourceRules(match['excludeResourceRules']);
    this.#namespaces = storedSelector(match['namespaceSelector']);
    this.#objects = storedSelector(match['objectSelector']);
    this.#isEquivalent = match['matchPolicy'] !== 'Exact';
    this.#takesAll = role === 'binding' && listOf(match['resourceRules']).length === 0;
  }

  /** Can a request with this head match? Names and labels are not looked at. */
  mayMatch(head: RequestHead, { equivalents }: MatchFacts): boolean {
    return this.#takesAll || matchRules(this.#rules, head, this.#how(equivalents)) !== undefined;
  }

  /** The kind that the rule has matched in; undefined when the request does not match. Only the labels of a namespace are waited for. */
  find(
    request: DynamicRequest,
    facts: MatchFacts,
  ): ResourceDefinition | undefined | Promise<ResourceDefinition | undefined> {
    return this.#namespaces === undefined ? this.#inNamespace(request, facts) : this.#selected(request, facts);
  }

  async #selected(request: DynamicRequest, facts: MatchFacts): Promise<ResourceDefinition | undefined> {
    const isSelected = await selectsNamespace(this.#namespaces, request, facts.namespaceLabels);
    return isSelected ? this.#inNamespace(request, facts) : undefined;
  }

  #inNamespace(request: DynamicRequest, facts: MatchFacts): ResourceDefinition | undefined {
    if (!selectsObject(this.#objects, request)) return undefined;
    const how = this.#how(facts.equivalents);
    if (this.#excluded.length > 0 && matchRules(this.#excluded, request, how, request.name) !== undefined) {
      return undefined;
    }
    if (this.#takesAll) return request.definition;
    return matchRules(this.#rules, request, how, request.name)?.definition;
  }

  #how(equivalents: EquivalentKinds): { readonly isEquivalent: boolean; readonly equivalents: EquivalentKinds } {
    return { isEquivalent: this.#isEquivalent, equivalents };
  }
}
