/** The policies of one kind with their bindings, as the caches have them: read and compiled once for each change. */

import { isRecord, type JsonRecord, listOf, recordOf, textOf } from '@listwatch/api/values';
import type { KubeObject, ObjectReader, QuickBudget } from '@listwatch/rules/internal';
import type { RequestHead } from '../../../contract/dynamic-admission.ts';
import type { ResourceDefinition } from '../../../kinds/resource-definition.ts';
import { encodeJson } from '../../../stored/exact-json.ts';
import { type MatchFacts, PolicyMatch } from './policy-match.ts';

/** A binding. */
export interface BoundPolicy {
  readonly name: string;
  readonly spec: JsonRecord;
  /** Undefined: it narrows nothing. */
  readonly match: PolicyMatch | undefined;
  readonly actions: readonly string[];
  readonly paramRef: JsonRecord | undefined;
}

/** A policy that has bindings. */
export interface PolicyEntry<Policy> {
  readonly name: string;
  readonly spec: JsonRecord;
  /** Another spec has another key. */
  readonly key: string;
  readonly match: PolicyMatch;
  readonly bindings: readonly BoundPolicy[];
  readonly isIgnoring: boolean;
  /** The policy, compiled at the first use. Throws `TooLongHere` when that would take more than the rest of the budget. */
  compiled(quick: QuickBudget | undefined): Policy;
  /** The spec as JSON, for another thread. */
  bytes(): Uint8Array;
}

/** The limit of cached look-ups. */
const HEADS_MAX = 1000;

const NONE: readonly never[] = [];

/** The policies of a server. Reads throw the 429 as long as the caches were never filled. */
export class PolicySet<Policy> {
  readonly #policies: ObjectReader;
  readonly #bindings: ObjectReader;
  readonly #compile: (spec: JsonRecord) => Policy;
  readonly #facts: MatchFacts;
  #seen: { readonly policies: readonly KubeObject[]; readonly bindings: readonly KubeObject[] } | undefined;
  #entries: readonly PolicyEntry<Policy>[] = NONE;
  #known = new Map<string, PolicyEntry<Policy>>();
  #bound = new Map<string, BoundPolicy>();
  /** The entries that may match, by kind, subresource and operation. */
  readonly #byHead = new Map<ResourceDefinition, Map<string, readonly PolicyEntry<Policy>[]>>();

  constructor(
    policies: ObjectReader,
    bindings: ObjectReader,
    { compile, facts }: { readonly compile: (spec: JsonRecord) => Policy; readonly facts: MatchFacts },
  ) {
    this.#policies = policies;
    this.#bindings = bindings;
    this.#compile = compile;
    this.#facts = facts;
  }

  /** The policies that may match a request: found once for each kind of request. */
  concerning(head: RequestHead): readonly PolicyEntry<Policy>[] {
    this.#refresh();
    if (this.#entries.length === 0) return NONE;
    const known = this.#byHead.get(head.definition) ?? new Map<string, readonly PolicyEntry<Policy>[]>();
    const key = `${head.operation}/${head.subresource}/${head.namespace === '' ? '' : 'n'}`;
    const found = known.get(key);
    if (found !== undefined) return found;
    const entries = this.#entries.filter(({ match }) => match.mayMatch(head, this.#facts));
    // Definitions of custom kinds come and go, and clients choose the names of subresources.
    if (this.#byHead.size >= HEADS_MAX) this.#byHead.clear();
    if (known.size >= HEADS_MAX) known.clear();
    this.#byHead.set(head.definition, known.set(key, entries));
    return entries;
  }

  #refresh(): void {
    const policies = this.#policies.list('');
    const bindings = this.#bindings.list('');
    if (this.#seen?.policies === policies && this.#seen.bindings === bindings) return;
    this.#seen = { policies, bindings };
    this.#byHead.clear();
    const byPolicy = new Map<string, BoundPolicy[]>();
    const bound = new Map<string, BoundPolicy>();
    for (const object of sortedByName(bindings)) {
      const { name = '', uid = '', resourceVersion = '' } = object.metadata;
      const bindingKey = `${name}/${uid}/${resourceVersion}`;
      const binding = this.#bound.get(bindingKey) ?? boundPolicy(object);
      bound.set(bindingKey, binding);
      const policyName = textOf(binding.spec['policyName']);
      byPolicy.set(policyName, [...(byPolicy.get(policyName) ?? []), binding]);
    }
    const known = new Map<string, PolicyEntry<Policy>>();
    const entries: PolicyEntry<Policy>[] = [];
    for (const policy of sortedByName(policies)) {
      const own = byPolicy.get(policy.metadata.name ?? '');
      if (own === undefined) continue;
      const made = this.#entry(policy, own);
      known.set(made.key, made);
      entries.push(made);
    }
    this.#known = known;
    this.#bound = bound;
    this.#entries = entries;
  }

  #entry({ metadata, spec }: KubeObject, bindings: readonly BoundPolicy[]): PolicyEntry<Policy> {
    const { name = '', uid = '', generation = 0 } = metadata;
    const key = `${uid}/${generation}`;
    const before = this.#known.get(key);
    return before === undefined
      ? newEntry({ name, key, spec: recordOf(spec), bindings }, this.#compile)
      : { ...before, bindings };
  }
}

function newEntry<Policy>(
  parts: Pick<PolicyEntry<Policy>, 'bindings' | 'key' | 'name' | 'spec'>,
  compile: (spec: JsonRecord) => Policy,
): PolicyEntry<Policy> {
  const { spec } = parts;
  let compiled: Policy | undefined;
  let bytes: Uint8Array | undefined;
  const bytesOf = (): Uint8Array => {
    bytes ??= Buffer.from(encodeJson(spec));
    return bytes;
  };
  return {
    ...parts,
    match: new PolicyMatch(recordOf(spec['matchConstraints']), 'policy'),
    isIgnoring: spec['failurePolicy'] === 'Ignore',
    bytes: bytesOf,
    compiled(quick) {
      if (compiled === undefined) {
        quick?.compile(bytesOf().byteLength);
        compiled = compile(spec);
      }
      return compiled;
    },
  };
}

function boundPolicy({ metadata: { name = '' }, spec }: KubeObject): BoundPolicy {
  const own = recordOf(spec);
  const { matchResources, paramRef } = own;
  return {
    name,
    spec: own,
    match: isRecord(matchResources) ? new PolicyMatch(matchResources, 'binding') : undefined,
    actions: listOf(own['validationActions']).map(textOf),
    paramRef: isRecord(paramRef) ? paramRef : undefined,
  };
}

/** Sorts policies by name: Kubernetes defines no order, but answers must be reproducible. */
function sortedByName(objects: readonly KubeObject[]): readonly KubeObject[] {
  return objects.toSorted((left, right) => ((left.metadata.name ?? '') < (right.metadata.name ?? '') ? -1 : 1));
}
