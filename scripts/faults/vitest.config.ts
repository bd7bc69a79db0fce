import { fileURLToPath } from 'node:url';
import { defineConfig, mergeConfig } from 'vitest/config';
import shared from '../../vitest.config.ts';
import { faultPlugin } from './fault-plugin.ts';

/** In each project: one does not inherit what stands beside the projects, and a fault would reach no test. */
const inProject = {
  plugins: [faultPlugin()],
  test: {
    // A fault often shows as a wait without end.
    testTimeout: 15_000,
    hookTimeout: 15_000,
    expect: { poll: { timeout: 10_000 } },
    setupFiles: ['scripts/faults/fault-hits-setup.ts'],
  },
};
const { projects = [], ...rest } = shared.test ?? {};

/** The tests as `npm test` runs them, one after the other, with what `fault-plugin.ts` does to the sources. */
export default defineConfig({
  ...shared,
  root: fileURLToPath(new URL('../..', import.meta.url)),
  test: {
    ...rest,
    maxWorkers: 1,
    projects: projects.map((project) => (typeof project === 'object' ? mergeConfig(project, inProject) : project)),
  },
});
