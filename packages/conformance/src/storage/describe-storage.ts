/** The suite that every storage engine runs. */

import { commitCases } from './commit-cases.ts';
import { compactionCases } from './compaction-cases.ts';
import { expiryCases } from './expiry-cases.ts';
import { guardCases } from './guard-cases.ts';
import { lifecycleCases } from './lifecycle-cases.ts';
import { modelCases } from './model-cases.ts';
import { readCases } from './read-cases.ts';
import { declareStorageSections, type StorageSuite } from './storage-suite.ts';
import { watchCases } from './watch-cases.ts';

/** Declares the whole storage contract as vitest tests for one engine. Call it at the top of a test file. */
export function describeStorage(suite: StorageSuite): void {
  declareStorageSections(suite, [
    commitCases,
    guardCases,
    readCases,
    watchCases,
    compactionCases,
    expiryCases,
    modelCases,
    lifecycleCases,
  ]);
}
