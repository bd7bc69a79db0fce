/** List and watch of any API server from a cache. Start at `createUpstream`: the way through for everything else. */

export {
  createUpstream,
  type PassedRequest,
  type UpstreamCounts,
  type UpstreamOptions,
  type UpstreamServer,
  type UpstreamTls,
} from './pass/upstream.ts';
