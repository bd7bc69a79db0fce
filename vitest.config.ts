import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

/**
 * Packages resolve one another's sources through the private condition, so tests need no build. Without `import`, which Vite
 * and Node add where it belongs: vitest passes these to Node, and a `require` would get the ESM half of a package.
 */
const conditions = ['@listwatch/source', 'node'];

export default defineConfig({
  resolve: {
    conditions,
    alias: { 'fast-check': fileURLToPath(new URL('scripts/seeded-fast-check.mjs', import.meta.url)) },
  },
  ssr: { resolve: { conditions, externalConditions: conditions } },
  test: {
    include: [
      '{packages,apps}/*/{src,test,clients,browser,page}/**/*.test.ts',
      '{examples,bench,scripts}/**/*.test.ts',
    ],
    // CommonJS dependencies look to tests exactly as they look to Node.
    deps: { interopDefault: false },
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // A condition that takes long on a busy machine is no failure.
    expect: { poll: { timeout: 10_000 } },
    // Two cores: a real etcd and its client already fill them.
    maxWorkers: 2,
  },
});
