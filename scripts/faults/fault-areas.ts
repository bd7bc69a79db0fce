/** A part of the code whose tests are examined, and where they are. */
export interface FaultArea {
  readonly name: string;
  /** Folders, from the root. */
  readonly sources: readonly string[];
  /** Areas of one group have the same tests, which are run once to see what they reach. */
  readonly group: keyof typeof GROUP_TESTS;
}

/** Where the tests of a group are: files whose path begins so. */
export const GROUP_TESTS = {
  storage: ['packages/storage', 'packages/storage-lmdb', 'packages/storage-etcd'],
  server: [
    'packages/schema/src',
    'packages/server/src/cache',
    'packages/server/src/crd',
    'packages/server/src/read',
    'packages/server/src/watch',
    'packages/server/src/write',
    'packages/server/test',
  ],
  runtime: ['packages/client/src/watch', 'packages/client/test', 'packages/runtime'],
} as const;

export const FAULT_AREAS: readonly FaultArea[] = [
  {
    name: 'storage',
    sources: ['packages/storage/src', 'packages/storage-lmdb/src', 'packages/storage-etcd/src'],
    group: 'storage',
  },
  { name: 'queue', sources: ['packages/runtime/src/queue'], group: 'runtime' },
  {
    name: 'watcher',
    sources: ['packages/client/src/watch', 'packages/runtime/src/watcher', 'packages/runtime/src/reflector'],
    group: 'runtime',
  },
  { name: 'cache', sources: ['packages/server/src/cache'], group: 'server' },
  { name: 'watch', sources: ['packages/server/src/watch'], group: 'server' },
  { name: 'apply', sources: ['packages/schema/src/apply'], group: 'server' },
  { name: 'write', sources: ['packages/server/src/write'], group: 'server' },
];

/**
 * Tests that are no help here: they start programs, which do not have the fault, compare with a program that may be missing, are about
 * something else, or take so long that one fault would cost minutes. A fault that only they notice counts as not found.
 */
export const LEFT_OUT_TESTS: readonly RegExp[] = [
  /\.process\.test\.ts$/u,
  /side-by-side[^/]*\.test\.ts$/u,
  /\/(?:clients|browser)\//u,
  /packages\/storage-lmdb\/test\/crash\.test\.ts$/u,
  /packages\/storage-etcd\/src\/(?:credential-rotation|faults|full-quota|restored-cluster|secure)\.test\.ts$/u,
  /packages\/runtime\/(?:test|src)\/(?:.*\/)?(?:elected|etcd|event|leader|manager|restored|webhook)[^/]*\.test\.ts$/u,
  /packages\/runtime\/test\/(?:conformance|mutated-answers)\.test\.ts$/u,
  /packages\/server\/test\/(?:aggregat|audit|fuzz|held-memory|large-writes|loaded|lost-worker|openapi)[^/]*\.test\.ts$/u,
  /packages\/server\/test\/(?:protobuf|request-listener|revoked|server-state|strangers|two-servers|watch-load)[^/]*\.test\.ts$/u,
];
