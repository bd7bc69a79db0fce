/** The server, put together: storage, caches, verbs, HTTP. Start here. */

import { randomUUID } from 'node:crypto';
import { backgroundClock } from '@listwatch/api';
import { BUILT_IN_SCHEMAS } from '@listwatch/kinds/schemas';
import {
  BUILT_IN_KINDS,
  builtInKind,
  DEFAULT_TYPES,
  defaultObjects,
  SERVED_KINDS,
  wholeSeconds,
  withManagedFields,
} from '@listwatch/rules/internal';
import { finish, type TypeName } from '@listwatch/schema';
import { firstAuthenticator } from '../access/authenticator.ts';
import { accessAttributes, authorize, mastersAuthorizer } from '../access/authorizer.ts';
import { FlowClassifier } from '../access/flow-classifier.ts';
import { createTokenChecker, withServiceAccounts } from '../access/service-account-authenticator.ts';
import { ServiceAccountTokens } from '../access/service-account-tokens.ts';
import { createTokenReviewer } from '../access/token-reviewer.ts';
import { objectAnswer } from '../answer/object-form.ts';
import { BUDGET_NAMES } from '../cache/cache-budgets.ts';
import { writeProgressMarker } from '../cache/progress-marker.ts';
import type { ResourceCache } from '../cache/resource-cache.ts';
import type { ObjectStore, VerbContext } from '../contract/verb.ts';
import { CustomStores } from '../crd/custom-stores.ts';
import { serveCustomKinds } from '../crd/serve-custom-kinds.ts';
import { ServerState } from '../debug/server-state.ts';
import { LiveDiscovery } from '../discovery/discovery.ts';
import { gitVersion, versionDocument } from '../discovery/version-info.ts';
import { withEventTtl } from '../kinds/event-ttl.ts';
import type { ResourceDefinition } from '../kinds/resource-definition.ts';
import { createRegistry, type ResourceRegistry } from '../kinds/resource-registry.ts';
import { withTlsPairWarnings } from '../kinds/tls-pair-warnings.ts';
import type { DescribedKind } from '../openapi/kind-paths.ts';
import { LazyOpenApi } from '../openapi/lazy-openapi.ts';
import { getVerb } from '../read/get.ts';
import { listVerb } from '../read/list.ts';
import { watchVerb } from '../read/open-watch.ts';
import { createApiHandler } from '../route/api-handler.ts';
import type { HealthCheck } from '../route/health.ts';
import { storageRoot } from '../stored/object-folder.ts';
import { objectKey } from '../stored/requested-key.ts';
import { layoutOf } from '../stored/stored-object.ts';
import { CacheSet } from '../watch/cache-set.ts';
import { identityLookup } from '../watch/identity-lookup.ts';
import { KnownObjects } from '../write/admission/known-objects.ts';
import { quotaAdmission } from '../write/admission/quota-admission.ts';
import { serverAdmission } from '../write/admission/server-admission.ts';
import { serviceAdmission } from '../write/admission/service-admission.ts';
import { ServiceClaimEngine } from '../write/admission/service-claim-engine.ts';
import { deleteVerb } from '../write/deletion/delete.ts';
import { deleteCollection } from '../write/deletion/delete-collection.ts';
import { updateOwners } from '../write/owners/field-owners.ts';
import { ownershipOf } from '../write/owners/kind-ownership.ts';
import { create, patch, update } from '../write/pipeline.ts';
import { createAnsweredEndpoints } from '../write/reviews/answered-endpoints.ts';
import type { ApiServer, ApiServerOptions } from './api-server-options.ts';
import { CountedEngine } from './counted-engine.ts';
import { createHttpServer, type HttpServer } from './create-http-server.ts';
import { registerServerMetrics } from './server-metrics.ts';
import { StorageHealth } from './storage-health.ts';
import { StorageReach } from './storage-reach.ts';

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
    authenticator = firstAuthenticator([]),
    ...http
  } = options;
  const claims = given.capabilities.alongside
    ? new ServiceClaimEngine(given, storageRoot(builtInKind('core/v1.Service')))
    : undefined;
  const engine = new CountedEngine(claims ?? given);
  const report = (error: unknown, target: string): void => http.onError?.(error, { method: '', target, auditId: '' });
  const health = new StorageHealth({
    clock,
    probe: () => writeProgressMarker(engine),
    onFull: (error) => report(error, 'storage'),
  });
  engine.observer = health;
  const reach = engine.capabilities.shared ? reachCheck(new StorageReach(engine, clock)) : undefined;
  const registry = createRegistry(withTlsPairWarnings(withEventTtl(BUILT_IN_KINDS, eventTtlMs)));
  const caches = new CacheSet({
    engine,
    definitions: registry,
    clock,
    window: ({ resource }) => ({ minCapacity: watchCacheSizes[groupResourceText(resource)] ?? defaultWatchCacheSize }),
    limits: cacheLimits,
    onError: (error) => report(error, 'storage feed'),
  });
  const cacheOf = (type: TypeName): ResourceCache => caches.kind(builtInKind(type)).cache;
  const services = serviceAdmission(cacheOf('core/v1.Service'), clock);
  if (claims !== undefined) claims.onClaimed = services.claimed;
  const quotas = quotaAdmission({ engine, clock, cacheOf, written: caches.written });
  const authorizer = http.authorizer ?? mastersAuthorizer();
  const discovery = new LiveDiscovery(SERVED_KINDS);
  const custom = serveCustomKinds({
    engine,
    clock,
    registry,
    caches,
    discovery,
    newUid: randomUUID,
    onError: (error) => report(error, 'custom resource definitions'),
  });
  const openApi = new LazyOpenApi(() => ({
    kinds: describedKinds(registry),
    schemas: BUILT_IN_SCHEMAS,
    custom: () => custom.documents.current,
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
  const context: VerbContext = {
    store,
    kinds: {
      find: registry.find,
      storeOf: (definition) => customStores.of(definition),
      answer: objectAnswer((definition) => caches.kind(definition).cache),
    },
    admission: serverAdmission({
      store,
      cacheOf,
      authorizer,
      quotas,
      services,
      plugins: [],
      definitionGuard: (definition) => custom.kinds.guardOf(definition),
      requireCreate: ({ request }) =>
        authorize(authorizer, { ...accessAttributes(request.route, request.user), verb: 'create' }),
    }),
  };
  const tokens = new ServiceAccountTokens(clock, serviceAccounts);
  const checker = createTokenChecker({ tokens, lookup: identityLookup(caches, context), clock });
  const reviewer = createTokenReviewer({ checker, authenticator, audiences: tokens.audiences });
  const handler = createApiHandler({
    context,
    discovery,
    answered: createAnsweredEndpoints({ authorizer, issuer: tokens, reviewer }),
    openApi: { documents: () => openApi.load(), now: () => clock.now() },
    catchUp: async (signal) => {
      await caches.feed.reached(await engine.revision({ signal }), signal);
    },
    verbs: {
      create,
      delete: deleteVerb,
      deletecollection: deleteCollection,
      get: getVerb(caches),
      list: listVerb(caches),
      patch,
      update,
      watch: watchVerb(caches, { minRequestTimeoutMs }),
    },
  });
  const flows = flowClassifier(
    cacheOf('flowcontrol/v1.FlowSchema'),
    cacheOf('flowcontrol/v1.PriorityLevelConfiguration'),
  );
  const state = new ServerState({
    clock,
    engine,
    caches,
    health,
    gitVersion,
    http: () => server,
    onError: (error) => report(error, 'debug stream'),
  });
  const server: HttpServer = createHttpServer({
    ...http,
    authenticator: withServiceAccounts(authenticator, checker),
    authorizer,
    flowHeaders: (attributes) => flows.headersFor(attributes),
    clock,
    handler,
    openId: {
      configuration: () => tokens.configuration(server.address?.url ?? tokens.issuer),
      jwks: () => tokens.jwks(),
    },
    version: versionDocument({ runtime: `node ${process.version}`, platform: `${process.platform}/${process.arch}` }),
    debugCache: () => debugCache(caches),
    debugState: state,
    healthChecks: [
      { name: 'watch-cache', check: () => requireReady(caches) },
      { name: 'custom-resource-definitions', check: () => custom.controller.requireSettled(), endpoints: ['readyz'] },
      { name: 'decoding', check: () => undefined, note: () => undecodableNote(caches), endpoints: ['readyz'] },
      { name: 'storage', check: () => health.check(), isPublic: true, endpoints: ['readyz'] },
      ...(reach === undefined ? [] : [reach]),
    ],
  });
  registerServerMetrics(server.registry, {
    caches,
    commits: engine.counts,
    times: engine.times,
    claims,
    health,
    openApi,
    quotas,
    custom: custom.kinds,
  });
  let started: Promise<void> | undefined;
  const start = (): Promise<void> => {
    started ??= (async () => {
      await loadFirstSchemas(registry);
      await createDefaultObjects(context, http.port);
      await caches.feed.start();
      await custom.controller.start();
      state.start();
    })().catch((error: unknown) => {
      // A store that could not be read now may be there at the next attempt.
      started = undefined;
      throw error;
    });
    return started;
  };
  const close = async (): Promise<void> => {
    await server.close();
    state.stop();
    health.stop();
    await custom.controller.stop();
    await caches.feed.stop();
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
      // Changes that the caches have not seen yet would arrive afterwards and be kept.
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

/** Requests that come before the caches are filled are not classified. */
function flowClassifier(schemaCache: ResourceCache, levelCache: ResourceCache): FlowClassifier {
  const schemas = new KnownObjects(schemaCache);
  const levels = new KnownObjects(levelCache);
  return new FlowClassifier(() =>
    schemaCache.generation === undefined || levelCache.generation === undefined
      ? undefined
      : { schemas: schemas.list(''), levels: levels.list('') },
  );
}

/** A restart of this server would not help: only `/readyz` fails, and its clients go to another one. */
function reachCheck(reach: StorageReach): HealthCheck {
  return { name: 'etcd-readiness', check: () => reach.check(), isPublic: true, endpoints: ['readyz'] };
}

/** The caches convert what another version wrote without a wait; the default objects are made before the first request. */
async function loadFirstSchemas(registry: ResourceRegistry): Promise<void> {
  const converted = [...registry].filter(({ convert }) => convert !== undefined);
  await BUILT_IN_SCHEMAS.loadAll([...DEFAULT_TYPES, ...converted.map(({ data }) => data.type)]);
}

/** What every cluster has before its first client comes; what is there already stays as it is. */
async function createDefaultObjects(context: VerbContext, port: number | undefined): Promise<void> {
  const { engine, clock, newUid } = context.store;
  const objects = defaultObjects(port === undefined || port === 0 ? {} : { port });
  const puts = objects.map(({ definition, object, written: next, manager }) => {
    const { name = '', namespace = '' } = object.metadata;
    const metadata = { ...object.metadata, uid: newUid(), creationTimestamp: wholeSeconds(clock.now()) };
    const ownersOf = updateOwners(ownershipOf(context, definition, ''), manager);
    const owners = finish(ownersOf({ old: undefined, next, sent: undefined }));
    const value = layoutOf(definition).encode(withManagedFields({ ...object, metadata }, owners));
    return engine.commit({ type: 'put', key: objectKey(definition, { namespace, name }), value, expected: 0n });
  });
  await Promise.all(puts);
}

/** What OpenAPI describes: everything that discovery shows. */
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
function requireReady(caches: CacheSet): void {
  for (const { cache } of caches) if (cache.definition.custom === undefined) cache.requireReady();
}

/** The number of values that cannot be decoded, by resource. No keys: everybody may read it. */
function undecodableNote(caches: CacheSet): string | undefined {
  const counts = [...caches].flatMap(({ cache }) => {
    const count = cache.generation?.undecodable ?? 0;
    return count === 0 ? [] : [`${groupResourceText(cache.definition.resource)} ${count}`];
  });
  return counts.length === 0 ? undefined : `stored values that cannot be decoded: ${counts.join(', ')}`;
}

/** The caches as `/debug/cache` shows them. */
function debugCache(caches: CacheSet): unknown {
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
