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
import { StandIns } from '../access/stand-ins.ts';
import { UpstreamAuthenticator } from '../access/upstream-authenticator.ts';
import { UpstreamAuthorizer } from '../access/upstream-authorizer.ts';
import { WatchRights } from '../access/watch-rights.ts';
import { RelayJournals } from '../disk/relay-journals.ts';
import { ClusterIdentity } from '../feed/cluster-identity.ts';
import type { Ladder } from '../feed/ladder.ts';
import { RelayFeeds } from '../feed/relay-feeds.ts';
import { FollowedKinds } from '../kinds/followed-kinds.ts';
import { relayedKinds } from '../kinds/relayed-kind.ts';
import type { FreshReads } from '../route/fresh-read.ts';
import { PassLimit } from '../route/pass-limit.ts';
import { planRead, type RelayFacts } from '../route/plan-read.ts';
import { ReadCounts } from '../route/read-counts.ts';
import { createRelayGate } from '../route/relay-gate.ts';
import { createRelayHandler } from '../route/relay-handler.ts';
import { RelayOrigin } from '../route/relay-origin.ts';
import { SharedPasses } from '../route/shared-passes.ts';
import { registerRelayMetrics } from './relay-metrics.ts';
import type { Relay, RelayOptions } from './relay-options.ts';
import { type RelayState, relayState } from './relay-state.ts';
import { UpstreamRelease } from './upstream-release.ts';

const ACCESS_CACHE_MS = 10_000;
const WINDOW_SIZE = 1000;
const MAX_KIND_BYTES = 512 * 1024 * 1024;
/** What passes may be a watch that would last for hours. */
const DRAIN_MS = 5000;
const STRETCH_MAX_MS = 7 * 24 * 60 * 60 * 1000;

/** What a test puts in the place of a part, to see that it is missed. */
export interface RelayChanges {
  readonly authenticator?: ((real: Authenticator) => Authenticator) | undefined;
  readonly authorizer?: ((real: Authorizer) => Authorizer) | undefined;
  /** See `FollowedKindsOptions`. */
  readonly settleMs?: number | undefined;
}

/** Makes a relay. Rejects with a `RangeError` for a kind that cannot be relayed. Nothing is asked of the upstream before `start`. */
export function createRelay(options: RelayOptions): Promise<Relay> {
  return assembleRelay(options, {});
}

/** The same, with parts of a test's own. */
export async function assembleRelay(options: RelayOptions, changes: RelayChanges): Promise<Relay> {
  const { cluster, upstream, clock = backgroundClock, accessCacheMs = ACCESS_CACHE_MS, audit: auditOptions } = options;
  const { maxKindBytes = MAX_KIND_BYTES, staleReads = false, stretchAccessMs = 0 } = options;
  if (!(accessCacheMs >= 0 && accessCacheMs <= ACCESS_CACHE_MS)) {
    throw new RangeError(`accessCacheMs must be 0 to ${ACCESS_CACHE_MS}, not ${accessCacheMs}`);
  }
  if (!(stretchAccessMs >= 0 && stretchAccessMs <= STRETCH_MAX_MS)) {
    throw new RangeError(`stretchAccessMs must be 0 to ${STRETCH_MAX_MS}, not ${stretchAccessMs}`);
  }
  const kinds = await relayedKinds(options.kinds);
  const report = (error: unknown, where: string): void => options.onError?.(error, where);
  const identity = new ClusterIdentity(cluster);
  const release = new UpstreamRelease(cluster, clock);
  const journals =
    options.journal &&
    new RelayJournals({
      ...options.journal,
      servesUnasked: staleReads,
      identity,
      release: () => release.known(),
      clock,
      onWarning: (message) => report(new Error(message), 'journal'),
    });
  await journals?.open();
  const caches = new CacheSet<RelayFeeds>(
    {
      definitions: [...kinds].map(({ definition }) => definition),
      layout: (definition) => kinds.of(definition)?.layout,
      clock,
      window: () => ({ minCapacity: options.windowSize ?? WINDOW_SIZE }),
      limits: options.cacheLimits,
      onError: (error) => report(error, 'cache'),
    },
    (made) =>
      new RelayFeeds(
        {
          cluster,
          kinds,
          clock,
          maxKindBytes,
          identity,
          keeper: journals?.keeper,
          contradiction: journals?.contradiction,
          onOther: () => {
            tokens.drop();
            rights.changed();
          },
          onReturn: () => standIns.returned(),
          onError: (error) => report(error, 'feed'),
        },
        made,
      ),
  );
  const customs = new FollowedKinds({ cluster, kinds, caches, clock, settleMs: changes.settleMs });
  const send = reviewClient(cluster);
  const keeping = { keepMs: accessCacheMs, stretchMs: stretchAccessMs > 0 ? stretchAccessMs : undefined };
  const tokens = new UpstreamAuthenticator({ send, clock, ...keeping });
  const reviewer = new UpstreamAuthorizer({ send, clock, ...keeping });
  const decisions =
    stretchAccessMs > 0 ? journals?.decisions({ tokens: tokens.cache, access: reviewer.cache }) : undefined;
  const refresh = (): void => {
    tokens.refresh();
    reviewer.refresh();
  };
  const rights = new WatchRights({ clock, drop: () => reviewer.drop(), refresh });
  const standIns = new StandIns({ counts: () => [tokens.counts, reviewer.counts], rights });
  const signal = new RbacSignal({ cluster, onChange: rights.changed });
  const counts = new ReadCounts();
  const fresh: FreshReads = {
    passes: new SharedPasses(cluster),
    limit: new PassLimit(clock),
    servesStale: staleReads,
  };
  const ladderOf = (definition: ReadKind): Ladder | undefined => caches.feed.of({ definition })?.ladder;
  const facts = (): RelayFacts => ({
    kinds,
    isSameRelease: release.isSame,
    isOwnServer: release.isOwn,
    servesStale: staleReads,
  });
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
      verbs: (known) => createReadSide({ caches, origin: new RelayOrigin({ caches, ladderOf, known }), clock }),
      fresh,
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
      customs,
      counts,
      fresh,
      upstream,
      tokens,
      reviewer,
      signal,
      rights,
      journals,
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
      customs.stop();
      caches.feed.stop();
      await Promise.all([journals?.close(), decisions?.close()]);
      await audit?.close();
    })();
    return Promise.all([ending, closed]).then(() => undefined);
  };
  return {
    start() {
      started ??= (async () => {
        await Promise.all([audit?.start(), decisions?.start()]);
        signal.start();
        caches.feed.start();
        await customs.start();
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
