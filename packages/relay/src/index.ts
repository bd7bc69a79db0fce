/** List and watch of any API server from a cache. Start at `createRelay`; `createUpstream` is the way through for everything else. */

export type { DecisionCounts } from './access/decision-cache.ts';
export { JournalError } from './disk/journal-folder.ts';
export { journalKey } from './disk/journal-key.ts';
export type { JournalCounts, JournalState } from './disk/kind-journal.ts';
export type { BeatCounts } from './feed/beat.ts';
export type { FeedCounts, ProofCounts } from './feed/kind-feed.ts';
export type { LadderCounts } from './feed/ladder.ts';
export type { PassingKind } from './kinds/followed-kinds.ts';
export {
  createUpstream,
  type PassedRequest,
  type UpstreamCounts,
  type UpstreamOptions,
  type UpstreamServer,
  type UpstreamTls,
} from './pass/upstream.ts';
export { createRelay } from './start/create-relay.ts';
export { listenForHealth, type RelayHealth, type ShownRelay } from './start/relay-health.ts';
export type { Relay, RelayJournalOptions, RelayOptions } from './start/relay-options.ts';
export type { KindJournalState, RelayedKindState, RelayState } from './start/relay-state.ts';
