import { fileURLToPath } from 'node:url';
import { configDefaults, defineConfig } from 'vitest/config';

/**
 * Packages resolve one another's sources through the private condition, so tests need no build. Without `import`, which Vite
 * and Node add where it belongs: vitest passes these to Node, and a `require` would get the ESM half of a package.
 */
const conditions = ['@listwatch/source', 'node'];

/** They use the packages from outside, as users do. */
const outside = ['{examples,bench,scripts,interop/runner}/**/*.test.ts', 'apps/**/*.process.test.ts'];

/** Each of these gets a process of its own, and they run first: the last minutes of a run are filled with short files. */
const alone = [
  // They start programs or a browser, and read what is left in the environment.
  '{packages,apps}/*/{clients,browser}/**/*.test.ts',
  'packages/**/*.process.test.ts',
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
  'packages/server/test/{fuzz,hooked-writes,large-writes,misbehaving-backends,two-servers,watch-load}.test.ts',
  'packages/storage-etcd/src/{conformance,credential-rotation,etcd-engine,faults}.test.ts',
  'packages/storage-lmdb/test/crash.test.ts',
];

const fromRoot = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const fastCheck = { find: 'fast-check', replacement: fromRoot('scripts/seeded-fast-check.mjs') };
const sources = {
  resolve: { conditions, alias: [fastCheck] },
  ssr: { resolve: { conditions, externalConditions: conditions } },
};

/** Under `npm test`, which has just built, `outside` loads what is built: 0.4 s of CPU for each file instead of 3. */
const built = {
  resolve: {
    conditions: ['node'],
    // The one package that is never built: its doors are folders of its sources.
    alias: [
      fastCheck,
      { find: /^@listwatch\/conformance\/(.*)$/, replacement: fromRoot('packages/conformance/src/$1/index.ts') },
    ],
  },
  ssr: { resolve: { conditions: ['node'], externalConditions: ['node'] } },
};

/** Options of every project; a project that extends the others would get their conditions, too. */
const common = {
  // CommonJS dependencies look to tests exactly as they look to Node.
  deps: { interopDefault: false },
  testTimeout: 30_000,
  hookTimeout: 60_000,
  // A condition that takes long on a busy machine is no failure.
  expect: { poll: { timeout: 20_000 } },
  // Tests that run side by side wait for most of their time.
  maxConcurrency: 20,
};
const rights = 'scripts/controller-rights-setup.ts';

export default defineConfig({
  test: {
    // A second run takes what the first one has transformed from node_modules: 4 s instead of 15 for one file.
    experimental: { fsModuleCache: true },
    // Two cores, which two workers leave idle for a third of the time: many tests wait for programs, timeouts and the disk.
    maxWorkers: 3,
    projects: [
      process.env['TEST_BUILD'] === '1'
        ? {
            ...built,
            test: {
              ...common,
              name: 'outside',
              include: outside,
              setupFiles: [rights],
              server: { deps: { external: [/\/dist\//] } },
            },
          }
        : { ...sources, test: { ...common, name: 'outside', include: outside, setupFiles: [rights] } },
      { ...sources, test: { ...common, name: 'alone', include: alone, setupFiles: [rights] } },
      {
        ...sources,
        test: {
          ...common,
          name: 'shared',
          include: ['{packages,apps}/*/{src,test,page}/**/*.test.ts'],
          exclude: [...configDefaults.exclude, ...outside, ...alone],
          // A process that runs file after file imports the packages once: a third of the time of a run went into that.
          isolate: false,
          setupFiles: ['scripts/shared-process-setup.ts', rights],
        },
      },
    ],
  },
});
