/** The embedded storage engine. Start at `openLmdbEngine`. */

export { type CheckStoreOptions, checkStore, type StoreReport } from './file/check-store.ts';
export { type LmdbEngine, type LmdbEngineOptions, type LmdbStats, openLmdbEngine } from './lmdb-engine.ts';
