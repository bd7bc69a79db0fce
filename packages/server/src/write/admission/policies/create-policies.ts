/** The admission policies of one server, put together. */

import type { JsonRecord } from '@listwatch/api/values';
import { type KubeObject, MutatingPolicy, ValidatingPolicy } from '@listwatch/rules/internal';
import type { TypeName } from '@listwatch/schema';
import type { ResourceCache } from '../../../cache/resource-cache.ts';
import type { Authorizer } from '../../../contract/authorization.ts';
import type { MutatingStep, ValidatingStep } from '../../../contract/dynamic-admission.ts';
import type { ResourceDefinition } from '../../../kinds/resource-definition.ts';
import type { ConditionMetrics } from '../dynamic/condition-metrics.ts';
import { equivalentKinds } from '../dynamic/rule-match.ts';
import { KnownObjects } from '../known-objects.ts';
import { MutatingPolicies } from './mutating-policies.ts';
import { ParamAccess } from './param-access.ts';
import { PolicyCounts } from './policy-counts.ts';
import type { MatchFacts } from './policy-match.ts';
import { PolicyParams } from './policy-params.ts';
import { type PolicyPoolParts, policyPool } from './policy-pool.ts';
import { PolicySet } from './policy-set.ts';
import type { PolicyWorld } from './policy-world.ts';
import { ValidatingPolicies } from './validating-policies.ts';

/** The sources that policies read. */
export interface PoliciesOptions extends Pick<PolicyWorld, 'now' | 'time'> {
  /** The cache of a built-in kind. */
  readonly cacheOf: (type: TypeName) => ResourceCache;
  /** The cache of any kind that is served. */
  readonly cacheOfKind: (definition: ResourceDefinition) => ResourceCache;
  readonly kinds: Iterable<ResourceDefinition>;
  readonly authorizer: Pick<Authorizer, 'authorize'>;
  /** Runs evaluations that would block the event loop. Undefined: they run on this thread. */
  readonly pool: PolicyPoolParts['pool'] | undefined;
  readonly definitionOf: PolicyPoolParts['definitionOf'];
  /** Shared with webhooks. */
  readonly conditionMetrics: ConditionMetrics;
  /** A namespace in the store, for one that the cache does not have yet. */
  readonly storedNamespace: (name: string) => Promise<KubeObject | undefined>;
}

/** Both plugins. */
export interface Policies {
  readonly mutating: MutatingStep;
  readonly validating: ValidatingStep;
  /** Checks that the author of a policy may read its parameters. Runs before the other steps. */
  readonly paramAccess: ValidatingStep;
  readonly counts: PolicyCounts;
}

/** Creates the policy plugins. */
export function createPolicies(options: PoliciesOptions): Policies {
  const { cacheOf, cacheOfKind, kinds, authorizer, storedNamespace, pool, definitionOf, now, time, conditionMetrics } =
    options;
  const namespaces = new KnownObjects(cacheOf('core/v1.Namespace'));
  const namespace = async (name: string): Promise<KubeObject | undefined> =>
    namespaces.get('', name) ?? (await storedNamespace(name));
  const match: MatchFacts = {
    equivalents: equivalentKinds(() => kinds),
    namespaceLabels: async (name) => {
      const found = await namespace(name);
      return found && (found.metadata.labels ?? {});
    },
  };
  const params = new PolicyParams({ kinds: () => kinds, cacheOf: cacheOfKind });
  const counts = new PolicyCounts(conditionMetrics);
  const elsewhere = pool && policyPool({ pool, authorizer, namespace, definitionOf, time });
  const world = { match, params, namespace, authorizer, counts, elsewhere, now, time };
  const policiesOf = {
    Mutating: new KnownObjects(cacheOf('admissionregistration/v1.MutatingAdmissionPolicy')),
    Validating: new KnownObjects(cacheOf('admissionregistration/v1.ValidatingAdmissionPolicy')),
  };
  const setOf = <Policy>(kind: 'Mutating' | 'Validating', compile: (spec: JsonRecord) => Policy): PolicySet<Policy> =>
    new PolicySet(
      policiesOf[kind],
      new KnownObjects(cacheOf(`admissionregistration/v1.${kind}AdmissionPolicyBinding`)),
      { compile, facts: match },
    );
  return {
    mutating: new MutatingPolicies(
      setOf('Mutating', (spec) => new MutatingPolicy(spec)),
      world,
    ),
    validating: new ValidatingPolicies(
      setOf('Validating', (spec) => new ValidatingPolicy(spec)),
      world,
    ),
    paramAccess: new ParamAccess({
      authorizer,
      params,
      policiesOf: (bindings) => policiesOf[bindings.startsWith('mutating') ? 'Mutating' : 'Validating'],
    }),
    counts,
  };
}
