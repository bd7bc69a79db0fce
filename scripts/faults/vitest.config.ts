import { fileURLToPath } from 'node:url';
import { mergeConfig } from 'vitest/config';
import shared from '../../vitest.config.ts';
import { faultPlugin } from './fault-plugin.ts';

/** The tests as `npm test` runs them, one after the other, with what `fault-plugin.ts` does to the sources. */
export default mergeConfig(shared, {
  root: fileURLToPath(new URL('../..', import.meta.url)),
  plugins: [faultPlugin()],
  test: {
    maxWorkers: 1,
    // A fault often shows as a wait without end.
    testTimeout: 15_000,
    hookTimeout: 15_000,
    expect: { poll: { timeout: 10_000 } },
    setupFiles: ['scripts/faults/fault-hits-setup.ts'],
  },
});
