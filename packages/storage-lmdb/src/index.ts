/** The embedded storage engine. Start at `openLmdbEngine`. */

export { type LmdbEngine, type LmdbEngineOptions, type LmdbStats, openLmdbEngine } from './lmdb-engine.ts';
