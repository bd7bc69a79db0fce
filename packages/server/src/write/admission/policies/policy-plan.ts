/** Plans the evaluations of a request: each matching policy with each binding and each parameter object. */

import { isRecord } from '@listwatch/api/values';
import type { RequestHead } from '../../../contract/dynamic-admission.ts';
import type { ResourceDefinition } from '../../../kinds/resource-definition.ts';
import type { RequestVersions } from '../dynamic/request-versions.ts';
import type { MatchFacts } from './policy-match.ts';
import { type CollectedParam, ConfigurationProblem, type PolicyParams } from './policy-params.ts';
import type { BoundPolicy, PolicyEntry, PolicySet } from './policy-set.ts';

/** One evaluation. */
export interface PolicyInvocation<Policy> {
  readonly entry: PolicyEntry<Policy>;
  readonly binding: BoundPolicy;
  readonly param: CollectedParam;
  /** The kind that the rule of the policy has matched in. */
  readonly matched: ResourceDefinition;
}

/** A policy, or one of its bindings, that cannot be used. */
export interface PolicyProblem<Policy> {
  readonly entry: PolicyEntry<Policy>;
  /** Undefined: the policy itself. */
  readonly binding: BoundPolicy | undefined;
  readonly problem: string;
  /** `conversion`: the objects cannot be converted to the version that the rule has matched in. */
  readonly cause: 'configuration' | 'conversion';
}

/** In the order of policies, bindings and parameters. */
export type PlannedEvaluation<Policy> = PolicyInvocation<Policy> | PolicyProblem<Policy>;

const POLICY_GROUP = 'admissionregistration.k8s.io';
const EXEMPT: Readonly<Record<string, readonly string[]>> = {
  [POLICY_GROUP]: [
    'mutatingadmissionpolicies',
    'mutatingadmissionpolicybindings',
    'validatingadmissionpolicies',
    'validatingadmissionpolicybindings',
  ],
  'authentication.k8s.io': ['selfsubjectreviews', 'tokenreviews'],
  'authorization.k8s.io': [
    'localsubjectaccessreviews',
    'selfsubjectaccessreviews',
    'selfsubjectrulesreviews',
    'subjectaccessreviews',
  ],
};

/** Policies never see policies, nor authentication and authorization reviews. */
export function isExempt({ definition }: Pick<RequestHead, 'definition'>): boolean {
  const { group, plural } = definition.resource;
  return EXEMPT[group]?.includes(plural) === true;
}

/** The sources that planning reads. */
export interface PlanFacts {
  readonly match: MatchFacts;
  readonly params: PolicyParams;
}

/** The evaluations of a request. `versions`: that request, whose objects are converted for rules of other versions. */
export async function plannedEvaluations<Policy>(
  set: PolicySet<Policy>,
  versions: RequestVersions,
  facts: PlanFacts,
): Promise<readonly PlannedEvaluation<Policy>[]> {
  const { request } = versions;
  const planned: PlannedEvaluation<Policy>[] = [];
  for (const entry of set.concerning(request)) {
    const found = entry.match.find(request, facts.match);
    const matched = found instanceof Promise ? await found : found;
    if (matched !== undefined) await planEntry(entry, matched, versions, facts, planned);
  }
  return planned;
}

async function planEntry<Policy>(
  entry: PolicyEntry<Policy>,
  matched: ResourceDefinition,
  versions: RequestVersions,
  { match, params }: PlanFacts,
  planned: PlannedEvaluation<Policy>[],
): Promise<void> {
  const { request } = versions;
  const { paramKind } = entry.spec;
  const kind = isRecord(paramKind) ? await configured(() => params.kind(paramKind)) : undefined;
  if (kind !== undefined && 'problem' in kind) {
    planned.push({ entry, binding: undefined, problem: kind.problem, cause: 'configuration' });
    return;
  }
  for (const binding of entry.bindings) {
    const narrowed = binding.match === undefined ? matched : binding.match.find(request, match);
    if ((narrowed instanceof Promise ? await narrowed : narrowed) === undefined) continue;
    const { paramRef } = binding;
    const found =
      kind === undefined || paramRef === undefined
        ? NO_PARAMS
        : await configured(() => params.collect(kind.value, paramRef, request.namespace));
    if ('problem' in found) {
      planned.push({ entry, binding, problem: found.problem, cause: 'configuration' });
      continue;
    }
    if (found.value.length === 0) continue;
    const problem = versions.isConverted(matched) ? await versions.problem(matched) : undefined;
    if (problem !== undefined) planned.push({ entry, binding, problem, cause: 'conversion' });
    else for (const param of found.value) planned.push({ entry, binding, param, matched });
  }
}

/** One evaluation without parameters. */
const NO_PARAMS = { value: [undefined] };

async function configured<T>(
  read: () => Promise<T> | T,
): Promise<{ readonly value: T } | { readonly problem: string }> {
  try {
    return { value: await read() };
  } catch (error) {
    if (error instanceof ConfigurationProblem) return { problem: error.message };
    throw error;
  }
}
