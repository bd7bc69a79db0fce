/**
 * Runs around each test file that shares its process with others, and fails the file that changes what the others see. Such
 * a file belongs among the files of `alone` in vitest.config.ts.
 */

import { afterAll, beforeAll, expect, vi } from 'vitest';

/** Vitest's own globals, and those that lmdb defines once when it is loaded: the first file that opens a store would fail. */
const LIBRARY_GLOBALS = /^__(?:vitest|lmdb)/u;

/** What a file must leave as it was; not the listeners of vitest, which come and go with the files. */
function sharedState(): Readonly<Record<string, unknown>> {
  // Vitest notes the current file there.
  const { VITEST_POOL_ID: _pool, VITEST_WORKER_ID: _worker, ...environment } = process.env;
  return {
    environment,
    folder: process.cwd(),
    exitCode: process.exitCode,
    signals: ['SIGINT', 'SIGTERM', 'SIGHUP'].map((signal) => process.listenerCount(signal)),
    globals: Object.getOwnPropertyNames(globalThis).filter((name) => !LIBRARY_GLOBALS.test(name)),
    functions: { fetch, setTimeout, setInterval, setImmediate, Date, now: Date.now, random: Math.random },
    hasFakeTimers: vi.isFakeTimers(),
  };
}

let before = {};

beforeAll(() => {
  before = sharedState();
});

afterAll(() => {
  vi.restoreAllMocks();
  expect(sharedState(), 'this file changes the process that it shares').toEqual(before);
});
