/** What a relay is doing, for people and programs. It names kinds and counts; it shows no object and no user. */

import type { Clock } from '@listwatch/api';
import { monotonicMs } from '@listwatch/api/internal';
import { BUDGET_NAMES, type CacheSet, debugGeneration } from '@listwatch/server/read';
import type { DecisionCounts } from '../access/decision-cache.ts';
import type { RbacSignal } from '../access/rbac-signal.ts';
import type { UpstreamAuthenticator } from '../access/upstream-authenticator.ts';
import type { UpstreamAuthorizer } from '../access/upstream-authorizer.ts';
import type { WatchRights } from '../access/watch-rights.ts';
import type { JournalCounts, JournalState } from '../disk/kind-journal.ts';
import type { RelayJournals } from '../disk/relay-journals.ts';
import type { FeedState } from '../feed/feed-state.ts';
import type { FeedCounts, KindFeed, ProofCounts } from '../feed/kind-feed.ts';
import type { RelayFeeds } from '../feed/relay-feeds.ts';
import type { FollowedKinds, PassingKind } from '../kinds/followed-kinds.ts';
import type { UpstreamCounts, UpstreamServer } from '../pass/upstream.ts';
import type { FreshReads } from '../route/fresh-read.ts';
import type { ReadCounts } from '../route/read-counts.ts';

/** One kind. */
export interface RelayedKindState {
  readonly kind: string;
  readonly version: string;
  /** `live`: as the upstream. `away`: as it was `seconds` ago. `loading`: requests pass. */
  readonly state: FeedState['type'];
  /** How long it has been so. */
  readonly seconds: number;
  readonly error: string | undefined;
  /** The version up to which every change is known; undefined while nothing is. */
  readonly resourceVersion: string | undefined;
  readonly watchers: number;
  readonly feed: FeedCounts;
  /** How reads of what is true now were answered. */
  readonly proofs: ProofCounts;
  /** Objects, window and snapshots. */
  readonly cache: object | undefined;
  /** Undefined: the kind is not written to disk. */
  readonly journal: KindJournalState | undefined;
}

/** The file of one kind. */
export interface KindJournalState extends JournalCounts {
  /** `given up`: it cannot be written now; the file has what it had. */
  readonly state: JournalState;
  readonly bytes: number;
  readonly error: string | undefined;
}

/** The whole. */
export interface RelayState {
  readonly upstream: { readonly server: string; readonly version: string; readonly isSameRelease: boolean };
  readonly kinds: readonly RelayedKindState[];
  /** Custom kinds that were named and are not relayed now. */
  readonly unservedKinds: readonly PassingKind[];
  readonly reads: {
    readonly cached: ReadCounts['allCached'];
    readonly passed: Readonly<Record<string, number>>;
    /** Of those from the cache, by the program that has asked, as it calls itself; twenty at most. */
    readonly programs: Readonly<Record<string, number>>;
    /** Of those from the cache, by kind: they said how old they may be. */
    readonly old: Readonly<Record<string, number>>;
    /** Requests that were answered with what the upstream answered to an equal one. */
    readonly shared: number;
    /** Large requests that were refused because too many of their kind were passing. */
    readonly refused: number;
  };
  readonly passing: UpstreamCounts;
  readonly access: {
    readonly tokens: DecisionCounts & { readonly kept: number };
    readonly decisions: DecisionCounts & { readonly kept: number };
    /** Are changes of roles heard of at once? Otherwise decisions end by their age. */
    readonly signal: boolean;
    /** Changes of roles and bindings that were heard of. */
    readonly changes: number;
    readonly watches: WatchRights['state'];
  };
  readonly bytes: Readonly<Record<string, { readonly used: number; readonly limit: number }>>;
}

/** Where the state comes from. */
export interface RelayStateParts {
  readonly server: string;
  readonly release: () => { readonly version: string; readonly isSame: boolean };
  readonly caches: CacheSet<RelayFeeds>;
  readonly customs: Pick<FollowedKinds, 'passing'>;
  readonly counts: ReadCounts;
  readonly fresh: FreshReads;
  readonly upstream: Pick<UpstreamServer, 'counts'>;
  readonly tokens: UpstreamAuthenticator;
  readonly reviewer: UpstreamAuthorizer;
  readonly signal: RbacSignal;
  readonly rights: WatchRights;
  readonly journals: RelayJournals | undefined;
  readonly clock: Clock;
}

export function relayState(parts: RelayStateParts): RelayState {
  const { caches, counts, fresh, upstream, tokens, reviewer, signal, rights } = parts;
  const { version, isSame } = parts.release();
  return {
    upstream: { server: parts.server, version, isSameRelease: isSame },
    kinds: [...caches.feed].map((feed) => kindState(feed, parts)),
    unservedKinds: parts.customs.passing,
    reads: {
      cached: counts.allCached,
      passed: Object.fromEntries(counts.allPassed),
      programs: Object.fromEntries(counts.allPrograms),
      old: Object.fromEntries(counts.allOld),
      shared: fresh.passes.count,
      refused: fresh.limit.refused,
    },
    passing: upstream.counts,
    access: {
      tokens: { ...tokens.counts, kept: tokens.kept },
      decisions: { ...reviewer.counts, kept: reviewer.kept },
      signal: signal.isLive,
      changes: rights.changes,
      watches: rights.state,
    },
    bytes: Object.fromEntries(
      BUDGET_NAMES.map((name) => [name, { used: caches.budgets[name].used, limit: caches.budgets[name].maxBytes }]),
    ),
  };
}

function kindState(feed: KindFeed, { caches, clock, journals }: RelayStateParts): RelayedKindState {
  const { state, kind, cache } = feed;
  const journal = journals?.of(kind);
  return {
    kind: kind.name,
    version: kind.resource.version,
    state: state.type,
    seconds: state.type === 'stopped' ? 0 : Math.round((monotonicMs(clock) - state.since) / 1000),
    error: 'error' in state ? state.error : undefined,
    resourceVersion: cache.generation && String(cache.generation.revision),
    watchers: caches.kind(kind.definition).counts.watchers,
    feed: { ...feed.counts },
    proofs: feed.proofs,
    cache: debugGeneration(cache),
    journal: journal && { ...journal.state, ...journal.counts },
  };
}
