/** The server, put together: storage, caches, verbs, HTTP. Start here. */

import { randomUUID } from 'node:crypto';
import { backgroundClock } from '@listwatch/api';
import { monotonicMs } from '@listwatch/api/internal';
import { BUILT_IN_SCHEMAS } from '@listwatch/kinds/schemas';
import { BUILT_IN_KINDS, builtInKind, DEFAULT_TYPES, SERVED_KINDS } from '@listwatch/rules/internal';
import type { TypeName } from '@listwatch/schema';
import type { Clock } from '@listwatch/storage';
import { AuditCounts } from '../access/audit/audit-counts.ts';
import { createAudit } from '../access/audit/create-audit.ts';
import { createAuthentication } from '../access/authentication/create-authentication.ts';
import { accessAttributes, authorize } from '../access/authorizer.ts';
import { FlowControl } from '../access/flow/flow-control.ts';
import { flowOverview } from '../access/flow/flow-overview.ts';
import type { FlowObjects } from '../access/flow-classifier.ts';
import { registerRevocationMetrics } from '../access/revocation/revocation-metrics.ts';
import { createTokenChecker } from '../access/service-account-authenticator.ts';
import { ServiceAccountTokens } from '../access/service-account-tokens.ts';
import { createTokenReviewer } from '../access/token-reviewer.ts';
import { ServiceNetworks } from '../addresses/service-networks.ts';
import { registerAggregationMetrics } from '../aggregate/aggregation-metrics.ts';
import { Aggregator } from '../aggregate/aggregator.ts';
import { objectAnswer } from '../answer/object-form.ts';
import { BUDGET_NAMES } from '../cache/cache-budgets.ts';
import { writeProgressMarker } from '../cache/progress-marker.ts';
import type { ResourceCache } from '../cache/resource-cache.ts';
import type { COMPUTE_JOBS } from '../compute/compute-jobs.ts';
import { ComputePool } from '../compute/compute-pool.ts';
import type { ObjectStore, VerbContext } from '../contract/verb.ts';
import { CustomStores } from '../crd/custom-stores.ts';
import { serveCustomKinds } from '../crd/serve-custom-kinds.ts';
import { ServerState } from '../debug/server-state.ts';
import { LiveDiscovery } from '../discovery/discovery.ts';
import { gitVersion, versionDocument } from '../discovery/version-info.ts';
import { isOwnAddress } from '../forward/allowed-address.ts';
import { registerForwardMetrics } from '../forward/forward-metrics.ts';
import { kubeletConfig } from '../forward/forward-options.ts';
import { forwardedHeaders } from '../forward/forwarded-headers.ts';
import { NOTHING_FORWARDED, SocketForwarder } from '../forward/socket-forwarder.ts';
import { withEventTtl } from '../kinds/event-ttl.ts';
import type { ResourceDefinition } from '../kinds/resource-definition.ts';
import { createRegistry, type ResourceRegistry } from '../kinds/resource-registry.ts';
import { withTlsPairWarnings } from '../kinds/tls-pair-warnings.ts';
import type { DescribedKind } from '../openapi/kind-paths.ts';
import { LazyOpenApi } from '../openapi/lazy-openapi.ts';
import { getVerb } from '../read/get.ts';
import { listVerb } from '../read/list.ts';
import { watchVerb } from '../read/open-watch.ts';
import { StorageOrigin } from '../read/storage-origin.ts';
import { createApiHandler } from '../route/api-handler.ts';
import type { HealthCheck } from '../route/health.ts';
import { encodeJson } from '../stored/exact-json.ts';
import { type StorageCaches, storageCaches } from '../watch/cache-set.ts';
import { secretLookup } from '../watch/cached-secrets.ts';
import { identityLookup } from '../watch/identity-lookup.ts';
import { KnownObjects } from '../write/admission/known-objects.ts';
import { createPolicies } from '../write/admission/policies/create-policies.ts';
import { quotaAdmission } from '../write/admission/quota-admission.ts';
import { serverAdmission, storedNamespace } from '../write/admission/server-admission.ts';
import { serviceAdmission } from '../write/admission/service-admission.ts';
import { ServiceClaims } from '../write/admission/service-claims.ts';
import { conditionsElsewhere } from '../write/admission/webhooks/conditions-elsewhere.ts';
import { createWebhooks } from '../write/admission/webhooks/create-webhooks.ts';
import { parseYaml } from '../write/body/yaml-body.ts';
import { deleteVerb } from '../write/deletion/delete.ts';
import { deleteCollection } from '../write/deletion/delete-collection.ts';
import { largeWrites } from '../write/large/large-writes.ts';
import { create, patch, update } from '../write/pipeline.ts';
import { createVirtualEndpoints } from '../write/reviews/virtual-endpoints.ts';
import type { ApiServer, ApiServerOptions } from './api-server-options.ts';
import { CountedEngine } from './counted-engine.ts';
import { createHttpServer, type HttpServer, type HttpServerAddress } from './create-http-server.ts';
import { FlowBootstrap } from './flow-bootstrap.ts';
import { RbacPolicy } from './rbac-policy.ts';
import { Revocations } from './revocations.ts';
import { ServerAuthorization } from './server-authorization.ts';
import { registerServerMetrics } from './server-metrics.ts';
import { reconcileDefaultAccess } from './start-access.ts';
import { createDefaultObjects, isFirstStart } from './start-objects.ts';
import { StorageHealth } from './storage-health.ts';
import { StorageReach } from './storage-reach.ts';

/** See `docs/design/0033-one-way-to-stay-responsive.md`: the densest body of this size takes 20 ms on a fresh process. */
const LARGE_WRITE_BYTES = 8 * 1024;

/** Makes a server. It serves once `start` or `listen` has resolved. */
export function createApiServer(options: ApiServerOptions): ApiServer {
  const {
    engine: given,
    clock = backgroundClock,
    watchCacheSizes = {},
    defaultWatchCacheSize,
    minRequestTimeoutMs,
    eventTtlMs,
    cacheLimits,
    serviceAccounts,
    kubelets,
    aggregation,
    audit: auditOptions,
    authentication: authenticationOptions = {},
    authenticator: ownAuthenticator,
    largeWriteBytes = LARGE_WRITE_BYTES,
    authorization = 'RBAC',
    enablePriorityAndFairness = true,
    endWatchesOnRevocation = false,
    inProcessWebhooks: inProcess,
    ...http
  } = options;
  const engine = new CountedEngine(given);
  const report = (error: unknown, target: string): void => http.onError?.(error, { method: '', target, auditId: '' });
  const audit =
    auditOptions &&
    createAudit(auditOptions, {
      clock,
      onLoss: (error) => report(error, 'audit'),
      yamlJson: (body) => encodeJson(parseYaml(body).value),
    });
  const health = new StorageHealth({
    clock,
    probe: () => writeProgressMarker(engine),
    onFull: (error) => report(error, 'storage'),
  });
  engine.observer = health;
  const reach = engine.capabilities.shared ? reachCheck(new StorageReach(engine, clock)) : undefined;
  const registry = createRegistry(withTlsPairWarnings(withEventTtl(BUILT_IN_KINDS, eventTtlMs)));
  const caches = storageCaches({
    engine,
    definitions: registry,
    clock,
    window: ({ resource }) => ({ minCapacity: watchCacheSizes[groupResourceText(resource)] ?? defaultWatchCacheSize }),
    limits: cacheLimits,
    onError: (error) => report(error, 'storage feed'),
  });
  const cacheOf = (type: TypeName): ResourceCache => caches.kind(builtInKind(type)).cache;
  const claims = new ServiceClaims(engine);
  const networks = new ServiceNetworks({
    engine,
    clock,
    cacheOf,
    newUid: randomUUID,
    written: caches.written,
    onError: (error) => report(error, 'service addresses'),
  });
  const services = serviceAdmission(cacheOf('core/v1.Service'), clock, claims, networks);
  const quotas = quotaAdmission({ engine, clock, cacheOf, written: caches.written });
  const credentialCaches = (type: TypeName): ResourceCache =>
    type === 'core/v1.Secret' ? secretCache(registry, caches) : cacheOf(type);
  const revocations = endWatchesOnRevocation ? new Revocations(credentialCaches, clock) : undefined;
  const rbac = new RbacPolicy(cacheOf, revocations?.onLess);
  const authorizations = new ServerAuthorization(authorization, {
    given: http.authorizer,
    rbac: rbac.authorizer,
    cacheOf,
  });
  const { authorizer } = authorizations;
  const discovery = new LiveDiscovery(SERVED_KINDS);
  const custom = serveCustomKinds({
    engine,
    clock,
    registry,
    caches,
    discovery,
    newUid: randomUUID,
    onError: (error) => report(error, 'custom resource definitions'),
    inProcess,
  });
  const aggregator = new Aggregator({
    engine,
    clock,
    cacheOf,
    discovery,
    options: aggregation,
    clientCa: String(http.tls?.clientCa ?? ''),
    ownPorts: () => ownPorts(server.address),
    newUid: randomUUID,
    written: caches.written,
    onError: (error) => report(error, 'aggregation'),
    onRemoved: (group, version) => {
      custom.apiServices.removed(group, version).catch((error: unknown) => report(error, 'aggregation'));
    },
  });
  const openApi = new LazyOpenApi(() => ({
    kinds: describedKinds(registry),
    schemas: BUILT_IN_SCHEMAS,
    custom: () => custom.documents.current,
    remotes: () => aggregator.openApi.version2(),
  }));
  const store: ObjectStore = {
    engine,
    clock,
    newUid: randomUUID,
    cached: (definition, key) => (engine.capabilities.shared ? caches.entry(definition, key) : undefined),
    announce: (key, object) => caches.written.add(key, object),
    served: async (object, revision) => object.served(revision),
  };
  const customStores = new CustomStores(store, caches);
  const pool = new ComputePool<typeof COMPUTE_JOBS>({ clock });
  const large = largeWrites({
    pool,
    smallBytes: largeWriteBytes,
    definitionOf: (definition) => custom.kinds.bytesOf(definition),
    isCostly: (definition) => custom.kinds.isCostly(definition),
  });
  const policies = createPolicies({
    cacheOf,
    cacheOfKind: (definition) => caches.kind(definition).cache,
    kinds: registry,
    authorizer,
    storedNamespace: (name) => storedNamespace(store, name),
    pool: largeWriteBytes === Infinity ? undefined : pool,
    definitionOf: (definition) => custom.kinds.bytesOf(definition),
    now: () => performance.now(),
    time: () => clock.now(),
  });
  const webhooks = createWebhooks({
    cacheOf,
    kinds: registry,
    authorizer,
    storedNamespace: (name) => storedNamespace(store, name),
    clock,
    now: () => monotonicMs(clock),
    elsewhere: largeWriteBytes === Infinity ? undefined : conditionsElsewhere(pool),
    resolveService: custom.resolveService,
    inProcess,
    isOwn: (host, port) => ownPorts(server.address).includes(port) && isOwnAddress(host),
  });
  const context: VerbContext = {
    store,
    kinds: {
      find: registry.find,
      storeOf: (definition) => customStores.of(definition),
      answer: objectAnswer((definition) => caches.kind(definition).cache, large),
    },
    admission: serverAdmission({
      store,
      cacheOf,
      authorizer,
      granting: rbac.granting(engine, caches.feed),
      quotas,
      services,
      plugins: [],
      steps: {
        mutating: [policies.mutating, webhooks.mutating],
        validating: [policies.paramAccess, policies.validating, webhooks.validating],
      },
      definitionGuard: (definition) => custom.kinds.guardOf(definition),
      requireCreate: ({ request }) =>
        authorize(authorizer, { ...accessAttributes(request.route, request.user), verb: 'create' }),
    }),
    large,
  };
  const origin = new StorageOrigin((definition) => context.kinds.storeOf(definition));
  const tokens = new ServiceAccountTokens(clock, serviceAccounts);
  const checker = createTokenChecker({ tokens, lookup: identityLookup(caches, context), clock });
  const authentication = createAuthentication(authenticationOptions, {
    given: ownAuthenticator,
    checker,
    secrets: secretLookup(secretCache(registry, caches)),
    clock,
    audiences: tokens.audiences,
  });
  const reviewer = createTokenReviewer({ checker, chain: authentication.chain, audiences: tokens.audiences });
  const forwarder = kubelets && new SocketForwarder(kubeletConfig(kubelets), clock, () => ownPorts(server.address));
  const handler = createApiHandler({
    context,
    discovery: aggregator.discovery,
    backends: (request) => aggregator.answer(request),
    virtualEndpoints: createVirtualEndpoints({
      authorizer,
      issuer: tokens,
      reviewer,
      kubelets: {
        forwarder,
        headers: forwardedHeaders,
        requireCreate: (request) =>
          authorize(authorizer, { ...accessAttributes(request.route, request.user), verb: 'create' }),
      },
    }),
    openApi: {
      documents: () => openApi.load(),
      now: () => clock.now(),
      remote: {
        index: () => aggregator.openApi.index,
        answer: (name, request) => aggregator.answerOpenApi(name, request),
      },
    },
    catchUp: async (signal) => {
      await caches.feed.reached(await engine.revision({ signal }), signal);
    },
    verbs: {
      create,
      delete: deleteVerb,
      deletecollection: deleteCollection,
      get: getVerb(caches, origin),
      list: listVerb(caches, origin),
      patch,
      update,
      watch: watchVerb(caches, origin, { clock, minRequestTimeoutMs }),
    },
  });
  const flows = enablePriorityAndFairness
    ? flowControl(
        cacheOf('flowcontrol/v1.FlowSchema'),
        cacheOf('flowcontrol/v1.PriorityLevelConfiguration'),
        seatsOf(http.maxReadsInFlight, http.maxMutatingInFlight),
        clock,
      )
    : undefined;
  if (flows !== undefined) caches.pacer.onSpent = (ms) => flows.delivered(ms);
  const bootstrap =
    flows &&
    new FlowBootstrap({
      context,
      read: () => flows.objects,
      onError: (error) => report(error, 'flow control objects'),
    });
  const state = new ServerState({
    clock,
    engine,
    caches,
    health,
    gitVersion,
    http: () => server,
    flow: flows && (() => flowOverview(flows)),
    onError: (error) => report(error, 'debug stream'),
  });
  const server: HttpServer = createHttpServer({
    ...http,
    authenticator: authentication.chain,
    authorizer: authorizations.counted,
    openRequests: revocations,
    auditor: audit?.auditor,
    flowControl: flows,
    clock,
    handler,
    onDrain: () => {
      aggregator.drain();
      forwarder?.close();
    },
    openId: {
      configuration: () => tokens.configuration(server.address?.url ?? tokens.issuer),
      jwks: () => tokens.jwks(),
    },
    version: versionDocument({ runtime: `node ${process.version}`, platform: `${process.platform}/${process.arch}` }),
    debugCache: () => debugCache(caches),
    debugState: state,
    debugAudit: audit?.trail,
    debugWebhooks: () => ({ webhooks: webhooks.state() }),
    healthChecks: [
      { name: 'watch-cache', check: () => requireReady(caches) },
      { name: 'custom-resource-definitions', check: () => custom.controller.requireSettled(), endpoints: ['readyz'] },
      { name: 'autoregister-completion', check: () => aggregator.requireRegistered() },
      { name: 'decoding', check: () => undefined, note: () => undecodableNote(caches), endpoints: ['readyz'] },
      { name: 'storage', check: () => health.check(), isPublic: true, endpoints: ['readyz'] },
      ...(reach === undefined ? [] : [reach]),
    ],
  });
  registerAggregationMetrics(server.registry, aggregator);
  registerForwardMetrics(server.registry, () => forwarder?.counts ?? NOTHING_FORWARDED);
  authentication.register(server.registry);
  authorizations.register(server.registry);
  registerRevocationMetrics(server.registry, () => revocations?.state);
  policies.counts.register(server.registry);
  webhooks.metrics.register(server.registry, () => webhooks.caller.totalLoad());
  registerServerMetrics(server.registry, {
    caches,
    commits: engine.counts,
    times: engine.times,
    claims,
    health,
    openApi,
    quotas,
    custom: custom.kinds,
    pool,
  });
  (audit?.counts ?? new AuditCounts()).register(server.registry, () => audit?.waiting() ?? {});
  let started: Promise<void> | undefined;
  const start = (): Promise<void> => {
    started ??= (async () => {
      await audit?.start();
      await loadFirstSchemas(registry);
      const isFirst = await isFirstStart(store);
      // At once: an empty store takes them as one batch.
      await Promise.all([
        createDefaultObjects(context, claims, { port: http.port, isFirst }),
        reconcileDefaultAccess(context, isFirst),
        aggregator.register(),
        networks.register(isFirst),
      ]);
      await caches.feed.start();
      authorizations.catchUp();
      await custom.controller.start();
      aggregator.start();
      networks.start();
      state.start();
      bootstrap?.start();
    })().catch((error: unknown) => {
      // The store may be readable at the next attempt.
      started = undefined;
      throw error;
    });
    return started;
  };
  const close = async (): Promise<void> => {
    await server.close();
    webhooks.caller.close();
    authentication.close();
    flows?.close();
    bootstrap?.stop();
    revocations?.close();
    state.stop();
    health.stop();
    await pool.close();
    await custom.controller.stop();
    aggregator.stop();
    await networks.stop();
    await caches.feed.stop();
    await audit?.close();
  };
  return {
    start,
    async listen() {
      await start();
      await server.listen();
    },
    handle: (request, how) => server.handle(request, how),
    requestListener: (how) => server.requestListener(how),
    async forgetChanges() {
      // Otherwise changes that the caches have not seen yet would arrive later and be kept.
      await caches.feed.reached(await engine.revision());
      for (const { cache } of caches) cache.generation?.forgetChanges();
    },
    ownedKinds: caches.ownedKinds,
    get url() {
      return server.address?.url ?? '';
    },
    get insecureUrl() {
      return server.address?.insecureUrl;
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** The ports that this server listens on. */
function ownPorts(address: HttpServerAddress | undefined): readonly number[] {
  if (address === undefined) return [];
  return [address.port, ...(address.insecureUrl === undefined ? [] : [Number(new URL(address.insecureUrl).port)])];
}

/** Not by `builtInKind`: the registry adds warnings to Secrets. */
function secretCache(registry: ResourceRegistry, caches: StorageCaches): ResourceCache {
  const definition = registry.find('', 'v1', 'secrets');
  if (definition === undefined) throw new TypeError('there are no Secrets');
  return caches.kind(definition).cache;
}

/** The seats of all levels together. 0 is no limit; a number bounds memory all the same. */
function seatsOf(reads = 400, writes = 200): number {
  return reads === 0 || writes === 0 ? UNLIMITED_SEATS : reads + writes;
}

const UNLIMITED_SEATS = 100_000;

/** Requests that come before the caches are filled are not classified. */
function flowControl(
  schemaCache: ResourceCache,
  levelCache: ResourceCache,
  totalSeats: number,
  clock: Clock,
): FlowControl {
  const schemas = new KnownObjects(schemaCache);
  const levels = new KnownObjects(levelCache);
  const read = (): FlowObjects | undefined =>
    schemaCache.generation === undefined || levelCache.generation === undefined
      ? undefined
      : { schemas: schemas.list(''), levels: levels.list('') };
  return new FlowControl({ read, totalSeats, clock });
}

/** Only `/readyz` fails, so that clients use another server; a restart would not help. */
function reachCheck(reach: StorageReach): HealthCheck {
  return { name: 'etcd-readiness', check: () => reach.check(), isPublic: true, endpoints: ['readyz'] };
}

/** Schemas that must be loaded before the first request: the caches convert synchronously, and default objects are created first. */
async function loadFirstSchemas(registry: ResourceRegistry): Promise<void> {
  const converted = [...registry].filter(({ convert }) => convert !== undefined);
  await BUILT_IN_SCHEMAS.loadAll([...DEFAULT_TYPES, ...converted.map(({ data }) => data.type)]);
}

/** The resources in OpenAPI documents: all that discovery lists. */
function describedKinds(registry: ResourceRegistry): readonly DescribedKind[] {
  return SERVED_KINDS.map((data) => {
    const strategy = registry.find(data.group, data.version, data.plural)?.strategy;
    return { data, returnsDeletedObject: strategy?.returnsDeletedObject === true };
  });
}

/** `pods`, `deployments.apps`: how Kubernetes writes a resource and its group. */
function groupResourceText({ group, plural }: ResourceDefinition['resource']): string {
  return group === '' ? plural : `${plural}.${group}`;
}

/** Throws while a built-in kind cannot be read. A custom kind may wait for a webhook that never answers. */
function requireReady(caches: StorageCaches): void {
  for (const { cache } of caches) if (cache.definition.custom === undefined) cache.requireReady();
}

/** The number of values that cannot be decoded, by resource. No keys: everybody may read it. */
function undecodableNote(caches: StorageCaches): string | undefined {
  const counts = [...caches].flatMap(({ cache }) => {
    const count = cache.generation?.undecodable ?? 0;
    return count === 0 ? [] : [`${groupResourceText(cache.definition.resource)} ${count}`];
  });
  return counts.length === 0 ? undefined : `stored values that cannot be decoded: ${counts.join(', ')}`;
}

/** The caches as `/debug/cache` shows them. */
function debugCache(caches: StorageCaches): unknown {
  return {
    revision: String(caches.feed.revision),
    feedFailures: caches.feed.failures,
    bytes: Object.fromEntries(
      BUDGET_NAMES.map((name) => [name, { used: caches.budgets[name].used, limit: caches.budgets[name].maxBytes }]),
    ),
    resources: [...caches].map((kind) => ({
      resource: kind.cache.definition.resource.plural,
      group: kind.cache.definition.resource.group,
      state: kind.cache.state.type,
      ...debugGeneration(kind.cache),
      ...kind.counts,
      eventsSent: kind.stats.traffic.events,
      bytesSent: kind.stats.traffic.bytes,
    })),
  };
}

function debugGeneration(cache: ResourceCache): object | undefined {
  const { generation } = cache;
  if (generation === undefined) return undefined;
  const { window, snapshots } = generation;
  return {
    objects: generation.size,
    undecodable: generation.undecodable,
    window: {
      events: window.size,
      bytes: window.bytes,
      capacity: window.capacity,
      seconds: window.oldestTime === undefined ? 0 : Math.round((cache.now() - window.oldestTime) / 1000),
      oldestResourceVersion: String(window.oldestStart),
      newestResourceVersion: String(generation.revision),
    },
    snapshots: snapshots.count,
    snapshotBytes: snapshots.bytes,
  };
}
