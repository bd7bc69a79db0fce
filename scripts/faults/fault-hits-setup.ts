/** Writes down which functions each test file has run. `fault-plugin.ts` makes them say so. */

import { appendFileSync } from 'node:fs';
import { afterAll, expect } from 'vitest';

const { FAULT_HITS: file } = process.env;
if (file !== undefined && file !== '') {
  const hits = new Set<string>();
  Reflect.set(globalThis, '__vitest_fault_hits', hits);
  afterAll(() => {
    appendFileSync(file, `${JSON.stringify({ test: expect.getState().testPath, hits: [...hits] })}\n`);
  });
}
