/** The contract of an API server as a suite and its watch guarantees under load. Start at `describeServer`. */

export { ApiClient } from './api-client.ts';
export { describeServer } from './describe-server.ts';
export { describeWatchLoad, type LoadedServer, type WatchLoadSuite } from './describe-watch-load.ts';
export { Answer, type WireDocument, type WireMetadata } from './server-answer.ts';
export type { ConnectedServer, PastState, ServerSuite, ServerTraits } from './server-suite.ts';
export { type ServerTarget, targetFromEnvironment } from './server-target.ts';
export { eventText } from './watch-lines.ts';
export {
  checkWatcher,
  type SeenEvent,
  type WatcherGuarantee,
  type WatcherRecord,
  type WatcherSegment,
  type WatcherViolation,
} from './watcher-record.ts';
