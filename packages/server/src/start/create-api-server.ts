/** The server, put together: storage, caches, verbs, HTTP. Start here. */

import { randomUUID } from 'node:crypto';
import { backgroundClock } from '@listwatch/api';
import { BUILT_IN_SCHEMAS } from '@listwatch/kinds/schemas';
import { DEFAULT_TYPES, SERVED_KINDS } from '@listwatch/rules/internal';
import type { TypeName } from '@listwatch/schema';
import { AuditCounts } from '../access/audit/audit-counts.ts';
import { createAudit } from '../access/audit/create-audit.ts';
import { createAuthentication } from '../access/authentication/create-authentication.ts';
import { sourceOf } from '../access/authorization-mode.ts';
import { DeprecatedRequests } from '../access/deprecated-requests.ts';
import { flowOverview } from '../access/flow/flow-overview.ts';
import { registerRevocationMetrics } from '../access/revocation/revocation-metrics.ts';
import { createTokenChecker } from '../access/service-account-authenticator.ts';
import { ServiceAccountTokens } from '../access/service-account-tokens.ts';
import { createTokenReviewer } from '../access/token-reviewer.ts';
import { registerAggregationMetrics } from '../aggregate/aggregation-metrics.ts';
import { Aggregator } from '../aggregate/aggregator.ts';
import type { ResourceCache } from '../cache/resource-cache.ts';
import { serveCustomKinds } from '../crd/serve-custom-kinds.ts';
import { ServerState } from '../debug/server-state.ts';
import { LiveDiscovery } from '../discovery/discovery.ts';
import { gitVersion, versionDocument } from '../discovery/version-info.ts';
import { isOwnAddress } from '../forward/allowed-address.ts';
import { registerForwardMetrics } from '../forward/forward-metrics.ts';
import { kubeletConfig } from '../forward/forward-options.ts';
import { forwardedHeaders } from '../forward/forwarded-headers.ts';
import { NOTHING_FORWARDED, SocketForwarder } from '../forward/socket-forwarder.ts';
import { TranslatingForwarder } from '../forward/translating-forwarder.ts';
import { type ResourceRegistry } from '../kinds/resource-registry.ts';
import { componentsElsewhere } from '../openapi/component-job.ts';
import type { DescribedKind } from '../openapi/kind-paths.ts';
import { LazyOpenApi } from '../openapi/lazy-openapi.ts';
import { StorageOrigin } from '../read/storage-origin.ts';
import { createApiHandler } from '../route/api-handler.ts';
import type { HealthCheck } from '../route/health.ts';
import { encodeJson } from '../stored/exact-json.ts';
import { secretLookup } from '../watch/cached-secrets.ts';
import { identityLookup } from '../watch/identity-lookup.ts';
import { parseYaml } from '../write/body/yaml-body.ts';
import { deleteVerb } from '../write/deletion/delete.ts';
import { deleteCollection } from '../write/deletion/delete-collection.ts';
import { create, patch, update } from '../write/pipeline.ts';
import { createVirtualEndpoints } from '../write/reviews/virtual-endpoints.ts';
import type { ApiServer, ApiServerOptions } from './api-server-options.ts';
import { debugCache, requireReady, undecodableNote } from './cache-views.ts';
import { createHttpServer, type HttpServer } from './create-http-server.ts';
import { createReadSide } from './create-read-side.ts';
import { createWriteSide } from './create-write-side.ts';
import { FlowBootstrap } from './flow-bootstrap.ts';
import { ownPorts } from './own-ports.ts';
import type { ProcessServer, ProcessServerOptions } from './process-server.ts';
import { RbacPolicy } from './rbac-policy.ts';
import { readerGate } from './reader-gate.ts';
import { Revocations } from './revocations.ts';
import { ServerAuthorization } from './server-authorization.ts';
import { serverFlows } from './server-flows.ts';
import { registerServerMetrics } from './server-metrics.ts';
import { ServerStore } from './server-store.ts';
import { reconcileDefaultAccess } from './start-access.ts';
import { createDefaultObjects, isFirstStart } from './start-objects.ts';

/** See `docs/design/0033-one-way-to-stay-responsive.md`: the densest body of this size takes 20 ms on a fresh process. */
const LARGE_WRITE_BYTES = 8 * 1024;

/** Makes a server. It serves once `start` or `listen` has resolved. */
export function createApiServer(options: ApiServerOptions): ApiServer {
  return createProcessServer(options);
}

/** Makes a server that may be one of several processes: a reader writes nothing, not even defaults and statuses. */
export function createProcessServer(options: ProcessServerOptions): ProcessServer {
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
    admissionPlugins = [],
    serviceClusterIpRanges,
    inProcessWebhooks: inProcess,
    reader,
    ...http
  } = options;
  const report = (error: unknown, target: string): void => http.onError?.(error, { method: '', target, auditId: '' });
  const audit =
    auditOptions &&
    createAudit(auditOptions, {
      clock,
      onLoss: (error) => report(error, 'audit'),
      yamlJson: (body) => encodeJson(parseYaml(body).value),
    });
  const serverStore = new ServerStore({
    engine: given,
    clock,
    watchCacheSizes,
    defaultWatchCacheSize,
    eventTtlMs,
    cacheLimits,
    report,
  });
  const { engine, health, reach, registry, caches, cacheOf, secretCache } = serverStore;
  const credentialCaches = (type: TypeName): ResourceCache => (type === 'core/v1.Secret' ? secretCache : cacheOf(type));
  const revocations = endWatchesOnRevocation ? new Revocations(credentialCaches, clock) : undefined;
  const rbac = new RbacPolicy(cacheOf, revocations?.onLess);
  const authorizations = new ServerAuthorization(authorization, {
    given: http.authorizer,
    rbac: rbac.authorizer,
    cacheOf,
  });
  const { authorizer } = authorizations;
  revocations?.follow(authenticationOptions.jwt, sourceOf(authorization));
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
      if (reader !== undefined) return;
      custom.apiServices.removed(group, version).catch((error: unknown) => report(error, 'aggregation'));
    },
  });
  const openApi = new LazyOpenApi(() => ({
    kinds: describedKinds(registry),
    schemas: BUILT_IN_SCHEMAS,
    custom: () => custom.documents.current,
    elsewhere: largeWriteBytes === Infinity ? undefined : componentsElsewhere(pool),
    remotes: () => aggregator.openApi.version2(),
  }));
  const writeSide = createWriteSide({
    serverStore,
    custom,
    authorizer,
    rbac,
    largeWriteBytes,
    inProcess,
    admissionPlugins,
    serviceClusterIpRanges,
    isOwn: (host, port) => ownPorts(server.address).includes(port) && isOwnAddress(host),
  });
  const { context, claims, networks, quotas, pool, policies, webhooks } = writeSide;
  const origin = new StorageOrigin((definition) => context.kinds.storeOf(definition));
  const tokens = new ServiceAccountTokens(clock, serviceAccounts);
  const checker = createTokenChecker({ tokens, lookup: identityLookup(caches, context), clock });
  const authentication = createAuthentication(authenticationOptions, {
    given: ownAuthenticator,
    checker,
    secrets: secretLookup(secretCache),
    clock,
    audiences: tokens.audiences,
  });
  const reviewer = createTokenReviewer({ checker, chain: authentication.chain, audiences: tokens.audiences });
  const forwarder = kubelets && new SocketForwarder(kubeletConfig(kubelets), clock, () => ownPorts(server.address));
  const deprecatedRequests = new DeprecatedRequests();
  const handler = createApiHandler({
    context,
    onDeprecated: (path) => deprecatedRequests.seen(path),
    discovery: aggregator.discovery,
    backends: (request) => aggregator.answer(request),
    virtualEndpoints: createVirtualEndpoints({
      authorizer,
      issuer: tokens,
      reviewer,
      kubelets: {
        forwarder: forwarder && new TranslatingForwarder(forwarder),
        headers: forwardedHeaders,
        requireCreate: writeSide.requireCreate,
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
      patch,
      update,
      ...createReadSide({ caches, origin, clock, minRequestTimeoutMs }),
    },
  });
  const flows = enablePriorityAndFairness
    ? serverFlows({
        schemaCache: cacheOf('flowcontrol/v1.FlowSchema'),
        levelCache: cacheOf('flowcontrol/v1.PriorityLevelConfiguration'),
        maxReads: http.maxReadsInFlight,
        maxMutating: http.maxMutatingInFlight,
        clock,
      })
    : undefined;
  if (flows !== undefined) flows.bills(caches.pacer);
  const bootstrap =
    flows === undefined || reader !== undefined
      ? undefined
      : new FlowBootstrap({
          context,
          read: () => flows.objects,
          caches: [cacheOf('flowcontrol/v1.FlowSchema'), cacheOf('flowcontrol/v1.PriorityLevelConfiguration')],
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
    webhooks: () => webhooks.state(),
    onError: (error) => report(error, 'debug stream'),
  });
  const writerChecks: readonly HealthCheck[] = [
    { name: 'custom-resource-definitions', check: () => custom.controller.requireSettled(), endpoints: ['readyz'] },
    { name: 'autoregister-completion', check: () => aggregator.requireRegistered() },
  ];
  const server: HttpServer = createHttpServer({
    ...http,
    listensAt: () => http.primary?.address() ?? reader?.address,
    gate:
      reader &&
      readerGate({
        find: registry.find,
        isRemote: (group, version) => aggregator.isRemote(group, version),
        pass: reader.pass,
      }),
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
      ...(reader === undefined ? writerChecks : []),
      { name: 'decoding', check: () => undefined, note: () => undecodableNote(caches), endpoints: ['readyz'] },
      { name: 'storage', check: () => health.check(), isPublic: true, endpoints: ['readyz'] },
      ...reach,
    ],
  });
  registerAggregationMetrics(server.registry, aggregator);
  registerForwardMetrics(server.registry, () => forwarder?.counts ?? NOTHING_FORWARDED);
  authentication.register(server.registry);
  authorizations.register(server.registry);
  deprecatedRequests.register(server.registry);
  registerRevocationMetrics(server.registry, () => revocations?.state);
  policies.counts.register(server.registry);
  writeSide.admissionTimes.register(server.registry);
  writeSide.conditionMetrics.register(server.registry);
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
  /** What the server itself keeps in the store. */
  const keepObjects = async (): Promise<void> => {
    const isFirst = await isFirstStart(context.store);
    const serviceRange = await networks.primaryRange(isFirst);
    // At once: an empty store takes them as one batch.
    await Promise.all([
      createDefaultObjects(context, claims, { port: http.port, isFirst, serviceRange }),
      reconcileDefaultAccess(context, isFirst),
      aggregator.register(),
      networks.register(isFirst),
    ]);
  };
  const startWriters = async (): Promise<void> => {
    await custom.controller.start();
    aggregator.start();
    networks.start();
    state.start();
    bootstrap?.start();
  };
  let started: Promise<void> | undefined;
  const start = (): Promise<void> => {
    started ??= (async () => {
      await audit?.start();
      await loadFirstSchemas(registry);
      if (reader === undefined) await keepObjects();
      await caches.feed.start();
      authorizations.catchUp();
      if (reader === undefined) await startWriters();
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
    await bootstrap?.stop();
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
    takeReader: (socket, secret) => server.takeReader(socket, secret),
    takeClient: (socket, door) => server.takeClient(socket, door),
    get load() {
      return server.load;
    },
    appendAudit: async (lines) => (await audit?.append(lines)) ?? 0,
    metrics: () => server.registry.metrics(),
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
