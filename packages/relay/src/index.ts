/** List and watch of any API server from a cache. Start at `createRelay`; `createUpstream` is the way through for everything else. */

export type { DecisionCounts } from './access/decision-cache.ts';
export type { FeedCounts } from './feed/kind-feed.ts';
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
export type { Relay, RelayOptions } from './start/relay-options.ts';
export type { RelayedKindState, RelayState } from './start/relay-state.ts';
