/** The storage contract as a suite, and the checker of watch histories. Start at `describeStorage`. */

export { CommittedHistory } from './committed-history.ts';
export { describeHistory, type HistorySuite } from './describe-history.ts';
export { describeStorage } from './describe-storage.ts';
export { eventually } from './eventually.ts';
export { storageError } from './expect-error.ts';
export type { StorageSuite } from './storage-suite.ts';
export {
  checkWatchHistory,
  type HistoryViolation,
  type WatchGuarantee,
  type WatchRecord,
  type WatchSegment,
} from './watch-history.ts';
export { WatchRecorder } from './watch-recorder.ts';
