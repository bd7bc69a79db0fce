/** The write side: what is checked, charged and told to webhooks before a commit. */

import { randomUUID } from 'node:crypto';
import { monotonicMs } from '@listwatch/api/internal';
import { accessAttributes } from '../access/authorizer.ts';
import { lenientAuthorizer, requireCreation } from '../access/second-rights.ts';
import { ServiceNetworks } from '../addresses/service-networks.ts';
import { objectAnswer } from '../answer/object-form.ts';
import type { COMPUTE_JOBS } from '../compute/compute-jobs.ts';
import { ComputePool } from '../compute/compute-pool.ts';
import type { ApiRequest } from '../contract/api-request.ts';
import type { Authorizer } from '../contract/authorization.ts';
import type { InProcessWebhooks } from '../contract/in-process-webhooks.ts';
import type { ObjectStore, VerbContext } from '../contract/verb.ts';
import { CustomStores } from '../crd/custom-stores.ts';
import type { ServedCustomKinds } from '../crd/serve-custom-kinds.ts';
import { AdmissionTimes } from '../write/admission/admission-times.ts';
import { ConditionMetrics } from '../write/admission/dynamic/condition-metrics.ts';
import { CONFIGURING_GROUP, CONFIGURING_KINDS, ConfiguredKinds } from '../write/admission/dynamic/configured-kinds.ts';
import { objectLookup } from '../write/admission/known-objects.ts';
import { type OptionalAdmissionPlugin, optionalPlugins } from '../write/admission/optional-plugins.ts';
import { createPolicies, type Policies } from '../write/admission/policies/create-policies.ts';
import { quotaAdmission } from '../write/admission/quota-admission.ts';
import type { QuotaCharges } from '../write/admission/quota-charges.ts';
import { serverAdmission, storedNamespace } from '../write/admission/server-admission.ts';
import { serviceAdmission } from '../write/admission/service-admission.ts';
import { ServiceClaims } from '../write/admission/service-claims.ts';
import { conditionsElsewhere } from '../write/admission/webhooks/conditions-elsewhere.ts';
import { createWebhooks, type WebhookPlugins } from '../write/admission/webhooks/create-webhooks.ts';
import { largeWrites } from '../write/large/large-writes.ts';
import { kindOwnership } from '../write/owners/kind-ownership.ts';
import type { RbacPolicy } from './rbac-policy.ts';
import type { ServerStore } from './server-store.ts';

/** What the write side is made of. */
export interface WriteSideParts {
  readonly serverStore: ServerStore;
  readonly custom: ServedCustomKinds;
  readonly authorizer: Authorizer;
  readonly rbac: RbacPolicy;
  /** Larger bodies are worked on by other threads; `Infinity`: none is. */
  readonly largeWriteBytes: number;
  readonly inProcess: InProcessWebhooks | undefined;
  /** Plugins that are on beside the default ones. */
  readonly admissionPlugins: readonly OptionalAdmissionPlugin[];
  /** Undefined: the default one. */
  readonly serviceClusterIpRanges: readonly string[] | undefined;
  /** Is it an address of this server? Webhooks may not be. */
  readonly isOwn: (host: string, port: number) => boolean;
}

/** The parts of the write side. */
export interface WriteSide {
  readonly context: VerbContext;
  readonly claims: ServiceClaims;
  readonly networks: ServiceNetworks;
  readonly quotas: QuotaCharges;
  readonly pool: ComputePool<typeof COMPUTE_JOBS>;
  readonly policies: Policies;
  readonly webhooks: WebhookPlugins;
  readonly admissionTimes: AdmissionTimes;
  readonly conditionMetrics: ConditionMetrics;
  /** Throws the 403 unless the user may create what the route names. */
  readonly requireCreate: (request: Pick<ApiRequest, 'route' | 'user'>) => Promise<void>;
}

/** Makes the write side of a server with a store. */
export function createWriteSide(parts: WriteSideParts): WriteSide {
  const { custom, authorizer, rbac, largeWriteBytes, inProcess, isOwn, admissionPlugins, serviceClusterIpRanges } =
    parts;
  const { engine, clock, registry, caches, cacheOf, report } = parts.serverStore;
  const claims = new ServiceClaims(engine);
  const networks = new ServiceNetworks({
    engine,
    clock,
    cacheOf,
    newUid: randomUUID,
    written: caches.written,
    cidrs: serviceClusterIpRanges,
    onError: (error) => report(error, 'service addresses'),
  });
  const quotas = quotaAdmission({ engine, clock, cacheOf, written: caches.written });
  const store: ObjectStore = {
    engine,
    clock,
    newUid: randomUUID,
    cached: (definition, key) => (engine.capabilities.shared ? caches.entry(definition, key) : undefined),
    watchers: (definition) => caches.kind(definition).counts.watchers,
    announce: (key, object) => caches.written.add(key, object),
    served: async (object, revision) => object.served(revision),
  };
  const customStores = new CustomStores(store, caches);
  const pool = new ComputePool<typeof COMPUTE_JOBS>({
    clock,
    onLost: (error) => report(error, 'worker for large requests'),
  });
  const isPooled = largeWriteBytes !== Infinity;
  const large = largeWrites({
    pool,
    smallBytes: largeWriteBytes,
    definitionOf: (definition) => custom.kinds.bytesOf(definition),
    isCostly: (definition, bytes) => custom.kinds.isCostly(definition, bytes),
  });
  const conditionMetrics = new ConditionMetrics();
  const policies = createPolicies({
    cacheOf,
    cacheOfKind: (definition) => caches.kind(definition).cache,
    kinds: registry,
    authorizer,
    storedNamespace: (name) => storedNamespace(store, name),
    pool: isPooled ? pool : undefined,
    definitionOf: (definition) => custom.kinds.bytesOf(definition),
    now: () => performance.now(),
    time: () => clock.now(),
    conditionMetrics,
  });
  const webhooks = createWebhooks({
    cacheOf,
    kinds: registry,
    authorizer,
    storedNamespace: (name) => storedNamespace(store, name),
    clock,
    now: () => monotonicMs(clock),
    elsewhere: isPooled ? conditionsElsewhere(pool) : undefined,
    resolveService: custom.resolveService,
    inProcess,
    isOwn,
    conditionMetrics,
  });
  const reportFailure = (error: unknown): void => report(error, 'authorization');
  const requireCreate: WriteSide['requireCreate'] = ({ route, user }) =>
    requireCreation(authorizer, accessAttributes(route, user), reportFailure);
  const admissionTimes = new AdmissionTimes(() => monotonicMs(clock));
  const optional = optionalPlugins(admissionPlugins, { lookup: (type) => objectLookup(cacheOf(type)), authorizer });
  const configured = new ConfiguredKinds(CONFIGURING_KINDS.map(cacheOf));
  const admission = serverAdmission({
    store,
    times: admissionTimes,
    cacheOf,
    authorizer: lenientAuthorizer(authorizer, reportFailure),
    granting: rbac.granting(engine, caches.feed),
    quotas,
    services: serviceAdmission(cacheOf('core/v1.Service'), clock, claims, networks),
    plugins: [],
    steps: {
      mutating: [...optional, policies.mutating, webhooks.mutating],
      validating: [policies.paramAccess, policies.validating, webhooks.validating],
      // NodeRestriction is about writes of nodes, and access to parameters is checked when policies are written.
      isIdle: (group) => optional.length === 0 && group !== CONFIGURING_GROUP && configured.areEmpty(),
    },
    definitionGuard: (definition) => custom.kinds.guardOf(definition),
    requireCreate: ({ request }) => requireCreate(request),
  });
  const kinds: VerbContext['kinds'] = {
    find: registry.find,
    storeOf: (definition) => customStores.of(definition),
    ownershipOf: kindOwnership({ clock, find: registry.find }),
    answer: objectAnswer((definition) => caches.kind(definition).cache, large),
    large,
  };
  const context: VerbContext = { store, kinds, admission };
  return {
    context,
    claims,
    networks,
    quotas,
    pool,
    policies,
    webhooks,
    admissionTimes,
    conditionMetrics,
    requireCreate,
  };
}
