/** The rules of webhooks and policies: which operations on which resources they are about. */

import { type JsonRecord, listOf, recordsOf, textOf } from '@listwatch/api/values';
import type { RequestHead } from '../../../contract/dynamic-admission.ts';

/** The input of a rule: a request in its own version, or in an equivalent one. */
export interface RuleTarget {
  readonly operation: RequestHead['operation'];
  readonly group: string;
  readonly version: string;
  readonly plural: string;
  readonly subresource: string;
  /** `''`: an object without a namespace. A Namespace is in itself. */
  readonly namespace: string;
}

/** A rule that was read once. */
export class RequestRule {
  readonly #operations: readonly string[];
  readonly #groups: readonly string[];
  readonly #versions: readonly string[];
  readonly #resources: readonly (readonly [resource: string, subresource: string])[];
  readonly #scope: string;
  readonly #names: readonly string[];

  constructor(rule: JsonRecord) {
    const texts = (field: string): readonly string[] => listOf(rule[field]).map(textOf);
    this.#operations = texts('operations');
    this.#groups = texts('apiGroups');
    this.#versions = texts('apiVersions');
    this.#resources = texts('resources').map(splitResource);
    this.#scope = textOf(rule['scope']) || '*';
    this.#names = texts('resourceNames');
  }

  /** Does the rule match? `allowsName` compares the `resourceNames`. */
  matches({ operation, group, version, plural, subresource, namespace }: RuleTarget): boolean {
    return (
      hasOrAll(this.#operations, operation) &&
      hasOrAll(this.#groups, group) &&
      hasOrAll(this.#versions, version) &&
      this.#inScope(group, plural, namespace) &&
      // `pods/*` also matches `pods` itself.
      this.#resources.some(
        ([resource, part]) => (resource === '*' || resource === plural) && (part === '*' || part === subresource),
      )
    );
  }

  /** Only rules of policies have `resourceNames`. An empty list allows every name. */
  allowsName(name: string): boolean {
    return this.#names.length === 0 || this.#names.includes(name);
  }

  #inScope(group: string, plural: string, namespace: string): boolean {
    if (this.#scope === '*') return true;
    const isCluster = namespace === '' || (group === '' && plural === 'namespaces');
    return this.#scope === 'Cluster' ? isCluster : !isCluster;
  }
}

/** The rules of a list. */
export function resourceRules(rules: unknown): readonly RequestRule[] {
  return recordsOf(rules).map((rule) => new RequestRule(rule));
}

function hasOrAll(values: readonly string[], value: string): boolean {
  return values.includes('*') || values.includes(value);
}

function splitResource(text: string): readonly [resource: string, subresource: string] {
  const slash = text.indexOf('/');
  return slash < 0 ? [text, ''] : [text.slice(0, slash), text.slice(slash + 1)];
}
