/** What the engines share. For the packages of this workspace only: it may change without notice. */

export { BTree } from './b-tree.ts';
export { type ChangeLog, type LogChunk, Wakeups } from './change-log.ts';
export { ForwardingEngine } from './forwarding-engine.ts';
export { type HistoryConfig, historyCheckMs, resolveHistory } from './history.ts';
export { LogWatch } from './log-watch.ts';
export { durationMs } from './option-duration-ms.ts';
export { checkAt, checkRange, resolveAt, resolveCompaction } from './read-options.ts';
export { checkChange, refusal } from './refusal.ts';
export { spread } from './spread.ts';
export { closedError, compactedError, futureRevisionError } from './storage-error.ts';
export { checkKey, checkPrefix, checkStart } from './storage-key.ts';
