/** The relay, put together: feeds, caches, access, gate, HTTP. Start here. */

import { backgroundClock } from '@listwatch/api';
import {
  type Authenticator,
  type Authorizer,
  CacheSet,
  createAudit,
  createHttpServer,
  createReadSide,
  type ReadKind,
} from '@listwatch/server/read';
import { RbacSignal } from '../access/rbac-signal.ts';
import { reviewClient } from '../access/review-client.ts';
import { UpstreamAuthenticator } from '../access/upstream-authenticator.ts';
import { UpstreamAuthorizer } from '../access/upstream-authorizer.ts';
import { WatchRights } from '../access/watch-rights.ts';
import { RelayFeeds } from '../feed/relay-feeds.ts';
import { relayedKinds } from '../kinds/relayed-kind.ts';
import { planRead, type RelayFacts } from '../route/plan-read.ts';
import { ReadCounts } from '../route/read-counts.ts';
import { createRelayGate } from '../route/relay-gate.ts';
import { createRelayHandler } from '../route/relay-handler.ts';
import { RelayOrigin } from '../route/relay-origin.ts';
import { registerRelayMetrics } from './relay-metrics.ts';
import type { Relay, RelayOptions } from './relay-options.ts';
import { type RelayState, relayState } from './relay-state.ts';
import { UpstreamRelease } from './upstream-release.ts';

const ACCESS_CACHE_MS = 10_000;
const WINDOW_SIZE = 1000;
const MAX_KIND_BYTES = 512 * 1024 * 1024;
/** What passes may be a watch that would last for hours. */
const DRAIN_MS = 5000;

/** What a test puts in the place of a part, to see that it is missed. */
export interface RelayChanges {
  readonly authenticator?: ((real: Authenticator) => Authenticator) | undefined;
  readonly authorizer?: ((real: Authorizer) => Authorizer) | undefined;
}

/** Makes a relay. Rejects with a `RangeError` for a kind that cannot be relayed. Nothing is asked of the upstream before `start`. */
export function createRelay(options: RelayOptions): Promise<Relay> {
  return assembleRelay(options, {});
}

/** The same, with parts of a test's own. */
export async function assembleRelay(options: RelayOptions, changes: RelayChanges): Promise<Relay> {
  const { cluster, upstream, clock = backgroundClock, accessCacheMs = ACCESS_CACHE_MS, audit: auditOptions } = options;
  const { maxKindBytes = MAX_KIND_BYTES } = options;
  if (!(accessCacheMs >= 0 && accessCacheMs <= ACCESS_CACHE_MS)) {
    throw new RangeError(`accessCacheMs must be 0 to ${ACCESS_CACHE_MS}, not ${accessCacheMs}`);
  }
  const kinds = await relayedKinds(options.kinds);
  const layouts = new Map<ReadKind, (typeof kinds extends Iterable<infer K> ? K : never)['layout']>(
    [...kinds].map(({ definition, layout }) => [definition, layout]),
  );
  const report = (error: unknown, where: string): void => options.onError?.(error, where);
  const caches = new CacheSet<RelayFeeds>(
    {
      definitions: layouts.keys(),
      layout: (definition) => layouts.get(definition),
      clock,
      window: () => ({ minCapacity: options.windowSize ?? WINDOW_SIZE }),
      limits: options.cacheLimits,
      onError: (error) => report(error, 'cache'),
    },
    (made) => new RelayFeeds({ cluster, kinds, clock, maxKindBytes, onError: (error) => report(error, 'feed') }, made),
  );
  const send = reviewClient(cluster);
  const tokens = new UpstreamAuthenticator({ send, clock, keepMs: accessCacheMs });
  const reviewer = new UpstreamAuthorizer({ send, clock, keepMs: accessCacheMs });
  const rights = new WatchRights({
    clock,
    drop: () => {
      reviewer.drop();
    },
  });
  const signal = new RbacSignal({ cluster, onChange: rights.changed });
  const release = new UpstreamRelease(cluster, clock);
  const counts = new ReadCounts();
  const facts = (): RelayFacts => ({ kinds, isSameRelease: release.isSame, isOwnServer: release.isOwn });
  const audit =
    auditOptions &&
    createAudit(auditOptions, { clock, onLoss: (error) => report(error, 'audit'), yamlJson: () => '{}' });
  const server = createHttpServer({
    tls: options.tls,
    host: options.host,
    port: options.port,
    authenticator: changes.authenticator?.(tokens) ?? tokens,
    authorizer: changes.authorizer?.(reviewer) ?? reviewer,
    openRequests: rights,
    auditor: audit?.auditor,
    gate: createRelayGate({ facts, upstream, counts }),
    drainTimeoutMs: DRAIN_MS,
    clock,
    onError: (error, { target }) => report(error, target),
    handler: createRelayHandler({
      plan: (request) => {
        const { route, rawHeaders, path, query } = request;
        const target = query === '' ? path : `${path}?${query}`;
        return planRead({ route, rawHeaders, target, accept: request.header('accept') }, facts());
      },
      caches,
      verbs: createReadSide({ caches, origin: new RelayOrigin(), clock }),
      isOwnServer: () => release.isOwn,
      clock,
      counts,
    }),
  });
  const state = (): RelayState =>
    relayState({
      server: cluster.server,
      release: () => release,
      caches,
      counts,
      upstream,
      tokens,
      reviewer,
      signal,
      rights,
      clock,
    });
  registerRelayMetrics(server.registry, state);
  let started: Promise<void> | undefined;
  let isReady = false;
  let closed: Promise<void> | undefined;
  const close = (): Promise<void> => {
    const ending = server.close();
    isReady = false;
    closed ??= (async () => {
      await ending;
      release.stop();
      signal.stop();
      rights.close();
      caches.feed.stop();
      await audit?.close();
    })();
    return Promise.all([ending, closed]).then(() => undefined);
  };
  return {
    start() {
      started ??= (async () => {
        await audit?.start();
        signal.start();
        caches.feed.start();
        await Promise.all([release.start(), ...[...caches.feed].map(({ tried }) => tried)]);
        isReady = closed === undefined;
      })();
      return started;
    },
    async listen() {
      await server.listen();
    },
    handle: (request, how) => server.handle(request, how),
    get url() {
      return server.address?.url ?? '';
    },
    get ready() {
      return isReady;
    },
    get state() {
      return state();
    },
    metrics: () => server.registry.metrics(),
    close,
    [Symbol.asyncDispose]: close,
  };
}
