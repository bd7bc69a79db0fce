import { fileURLToPath } from 'node:url';
import { configDefaults, defineConfig } from 'vitest/config';

/**
 * Packages resolve one another's sources through the private condition, so tests need no build. Without `import`, which Vite
 * and Node add where it belongs: vitest passes these to Node, and a `require` would get the ESM half of a package.
 */
const conditions = ['@listwatch/source', 'node'];

/** Each of these gets a process of its own, and they run first: the last minutes of a run are filled with short files. */
const alone = [
  // They follow a guide, start programs or a browser, and read what is left in the environment.
  '{examples,bench,scripts,interop/runner}/**/*.test.ts',
  '{packages,apps}/*/{clients,browser}/**/*.test.ts',
  '{packages,apps}/**/*.process.test.ts',
  // They replace timers or the environment, raise signals, or count unhandled rejections and bytes of the heap.
  'packages/api/src/time/{fake,system}-clock.test.ts',
  'packages/client/src/connect.test.ts',
  'packages/runtime/src/{reflector/reflector,store/store}.test.ts',
  'packages/runtime/test/until-signal.test.ts',
  'packages/server/src/route/pipeline-failure.test.ts',
  'packages/server/{src/cache/kept-bytes,test/held-memory}.test.ts',
  // They take ten seconds and more.
  'apps/cli/src/{doctor/doctor-broken,doctor/doctor-command,watch/watch-command}.test.ts',
  'packages/controllers/test/garbage-load.test.ts',
  'packages/{runtime,server}/test/conformance.test.ts',
  'packages/runtime/test/{controller-model,elected-processes,etcd-backup,etcd-operations}.test.ts',
  'packages/server/test/{fuzz,large-writes,two-servers,watch-load}.test.ts',
  'packages/storage-etcd/src/{conformance,credential-rotation,etcd-engine,faults}.test.ts',
  'packages/storage-lmdb/test/crash.test.ts',
];

export default defineConfig({
  resolve: {
    conditions,
    alias: { 'fast-check': fileURLToPath(new URL('scripts/seeded-fast-check.mjs', import.meta.url)) },
  },
  ssr: { resolve: { conditions, externalConditions: conditions } },
  test: {
    // A second run takes what the first one has transformed from node_modules: 4 s instead of 15 for one file.
    experimental: { fsModuleCache: true },
    // CommonJS dependencies look to tests exactly as they look to Node.
    deps: { interopDefault: false },
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // A condition that takes long on a busy machine is no failure.
    expect: { poll: { timeout: 20_000 } },
    // Two cores, which two workers leave idle for a third of the time: many tests wait for programs, timeouts and the disk.
    maxWorkers: 3,
    // Tests that run side by side wait for most of their time.
    maxConcurrency: 20,
    projects: [
      { extends: true, test: { name: 'alone', include: alone, setupFiles: ['scripts/controller-rights-setup.ts'] } },
      {
        extends: true,
        test: {
          name: 'shared',
          include: ['{packages,apps}/*/{src,test,page}/**/*.test.ts'],
          exclude: [...configDefaults.exclude, ...alone],
          // A process that runs file after file imports the packages once: a third of the time of a run went into that.
          isolate: false,
          setupFiles: ['scripts/shared-process-setup.ts', 'scripts/controller-rights-setup.ts'],
        },
      },
    ],
  },
});
