/** The faults of a test server: those of the way to it, and those of the server itself. */

import type { Clock } from '@listwatch/api';
import type { ApiServer } from '@listwatch/server';
import { isStorageError, type StorageEngine } from '@listwatch/storage';
import { createFaults } from './faults/create-faults.ts';
import type { Faults } from './faults/faults.ts';

/** Everything that can go wrong, on demand. */
export interface TestFaults extends Faults {
  /**
   * The store forgets its past, and the server what it kept of it: from now on every version before the present is truly gone,
   * and who asks for one gets 410. Watches that run go on. Resolves to the version at which history begins now. Cannot be
   * taken back: time passes in one direction only.
   */
  compactNow(): Promise<string>;
}

/** What they reach beside the transport. */
export interface TestFaultsParts {
  readonly clock: Clock;
  readonly engine: StorageEngine;
  readonly server: Pick<ApiServer, 'forgetChanges'>;
}

/** Puts them together. */
export function createTestFaults({ clock, engine, server }: TestFaultsParts): TestFaults {
  return Object.assign(createFaults({ clock }), {
    async compactNow(): Promise<string> {
      const revision = await engine.revision();
      await compact(engine, revision);
      await server.forgetChanges();
      return String(revision);
    },
  });
}

async function compact(engine: StorageEngine, revision: bigint): Promise<void> {
  try {
    await engine.compact(revision);
  } catch (error) {
    // Nothing has changed since the last time: its past is gone already.
    if (!isStorageError(error, 'COMPACTED')) throw error;
  }
}
