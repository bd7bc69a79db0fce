/** The contract of an API server as a suite, its watch guarantees under load, and the fuzzer. Start at `describeServer`. */

export { ApiClient } from './api-client.ts';
export { describeFuzz, type FuzzedServer, type FuzzSuite } from './describe-fuzz.ts';
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
