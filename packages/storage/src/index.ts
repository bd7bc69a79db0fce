/** The storage contract and its reference engine. Start at `StorageEngine`; `createMemoryEngine` gives you one. */

export type { AbortOptions, CancelTimer, Clock } from '@listwatch/api';
export type { Duration } from './duration.ts';
export { DEFAULT_HISTORY, type HistoryOptions } from './history.ts';
export { createMemoryEngine, type MemoryEngineOptions } from './memory-engine.ts';
export type {
  AlongsidePut,
  Change,
  CommitGuard,
  CommitResult,
  DeleteChange,
  Entry,
  GetResult,
  PutChange,
  RangeOptions,
  RangeResult,
  ReadOptions,
  RefusalReason,
  Revision,
  RevisionTime,
  StorageCapabilities,
  StorageEngine,
  StorageEvent,
  StorageReport,
  StorageWatch,
  WatchBatch,
  WatchOptions,
} from './storage-engine.ts';
export {
  isStorageError,
  requireCommitted,
  StorageError,
  type StorageErrorCode,
  type StorageErrorDetails,
} from './storage-error.ts';
export { compareKeys, MAX_KEY_BYTES } from './storage-key.ts';
