/** The storage contract and its reference engine. Start at `StorageEngine`; `createMemoryEngine` gives you one. */

export type { AbortOptions, CancelTimer, Clock } from '@listwatch/api';
export { DEFAULT_HISTORY, type HistoryOptions } from './history.ts';
export { createMemoryEngine, type MemoryEngineOptions } from './memory-engine.ts';
export type { Duration } from './option-duration-ms.ts';
export {
  type AlongsidePut,
  type BlockingKey,
  type Change,
  type CommitGuard,
  type CommitResult,
  type DeleteChange,
  type Entry,
  type GetResult,
  MAX_OTHER_KEYS,
  type PutChange,
  type RangeOptions,
  type RangeResult,
  type ReadOptions,
  type RefusalReason,
  type Revision,
  type RevisionTime,
  type StorageCapabilities,
  type StorageEngine,
  type StorageEvent,
  type StorageReport,
  type StorageWatch,
  type WatchBatch,
  type WatchOptions,
} from './storage-engine.ts';
export {
  isStorageError,
  requireCommitted,
  StorageError,
  type StorageErrorCode,
  type StorageErrorDetails,
} from './storage-error.ts';
export { compareKeys, MAX_KEY_BYTES } from './storage-key.ts';
