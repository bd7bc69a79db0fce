/** The programs and rights that some tests need and npm cannot install. Start at {@link needs}. */

import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestOptions } from 'vitest';
import { isLongRun } from './long-run.ts';

interface RealPart {
  /** The program's path, or any text for a part that is not a program; undefined when the part is missing. */
  readonly find: () => string | undefined;
  /** How to get it, as the summary of `npm test` prints it. */
  readonly get: string;
  /** The programs that a test may start when it needs this part. */
  readonly programs: readonly string[];
}

/** Each part, described once. The summary of `npm test` prints the names as they stand here. */
const REAL_PARTS = {
  etcd: {
    find: () => runs(process.env['ETCD_BIN'] ?? 'etcd', '--version'),
    programs: ['etcd'],
    get: 'apt-get install etcd-server, or set ETCD_BIN',
  },
  etcdctl: {
    find: () => process.env['ETCDCTL_BIN'] || undefined,
    programs: ['etcdctl'],
    get: 'npm run test:real, which builds it with Go, or set ETCDCTL_BIN',
  },
  etcdutl: {
    find: () => process.env['ETCDUTL_BIN'] || undefined,
    programs: ['etcdutl'],
    get: 'npm run test:real, which builds it with Go, or set ETCDUTL_BIN (3.5.10 or newer)',
  },
  kubectl: {
    find: () => runs('kubectl', 'version', '--client'),
    programs: ['kubectl'],
    get: 'apt-get install kubernetes-client, or put kubectl on the PATH',
  },
  Chromium: {
    find: () => [process.env['CHROMIUM_BIN'] ?? '/usr/bin/chromium'].find((path) => existsSync(path)),
    programs: ['chromium'],
    get: 'apt-get install chromium, or set CHROMIUM_BIN',
  },
  strace: {
    find: () => runs('strace', '-f', '-o', '/dev/null', 'true'),
    programs: ['strace'],
    get: 'apt-get install strace, on Linux, with the right to trace',
  },
  openssl: {
    find: () => runs('openssl', 'version'),
    programs: ['openssl'],
    get: 'apt-get install openssl',
  },
  git: {
    find: () => runs('git', '--version'),
    programs: ['git'],
    get: 'apt-get install git',
  },
  tmpfs: {
    find: canMount,
    programs: ['mount', 'umount'],
    get: 'run the tests as root on Linux: one mounts a small disk to fill it',
  },
  'kube-apiserver': {
    find: () => process.env['KUBE_APISERVER_BIN'] || undefined,
    programs: ['kube-apiserver'],
    get: 'npm run test:real, which builds it with Go, or set KUBE_APISERVER_BIN',
  },
  'kube-controller-manager': {
    find: () => process.env['KUBE_CONTROLLER_MANAGER_BIN'] || undefined,
    programs: ['kube-controller-manager'],
    get: 'npm run test:real, which builds it with Go, or set KUBE_CONTROLLER_MANAGER_BIN',
  },
  'kube-scheduler': {
    find: () => process.env['KUBE_SCHEDULER_BIN'] || undefined,
    programs: ['kube-scheduler'],
    get: 'npm run test:real, which builds it with Go, or set KUBE_SCHEDULER_BIN',
  },
  'sample-apiserver': {
    find: () => process.env['SAMPLE_APISERVER_BIN'] || undefined,
    programs: ['sample-apiserver'],
    get: 'npm run test:real, which builds it with Go, or set SAMPLE_APISERVER_BIN',
  },
  'e2e-specs': {
    // Some of them run kubectl.
    find: () => {
      const program = process.env['E2E_SPECS_BIN'] || undefined;
      return program !== undefined && runs('kubectl', 'version', '--client') ? program : undefined;
    },
    programs: ['e2e-specs'],
    get: 'npm run test:real, which builds them with Go, or set E2E_SPECS_BIN; with kubectl on the PATH',
  },
  'sample-controller': {
    find: () => process.env['SAMPLE_CONTROLLER_BIN'] || undefined,
    programs: ['sample-controller'],
    get: 'npm run test:real, which builds it with Go, or set SAMPLE_CONTROLLER_BIN',
  },
  'controller-runtime': {
    find: () => process.env['CONTROLLER_RUNTIME_BIN'] || undefined,
    programs: ['controller-runtime'],
    get: 'npm run test:real, which builds interop/controller-runtime with Go, or set CONTROLLER_RUNTIME_BIN',
  },
  'cert-manager-webhook': {
    find: () => (process.env['CERT_MANAGER_CRDS'] ? process.env['CERT_MANAGER_WEBHOOK_BIN'] : undefined) || undefined,
    programs: ['cert-manager-webhook'],
    get: 'npm run test:real, which builds it with Go, or set CERT_MANAGER_WEBHOOK_BIN and CERT_MANAGER_CRDS',
  },
  gatekeeper: {
    // Its manifests come from the same module.
    find: () => (process.env['GATEKEEPER_MANIFEST'] ? process.env['GATEKEEPER_BIN'] : undefined) || undefined,
    programs: ['gatekeeper'],
    get: 'npm run test:real, which builds it with Go, or set GATEKEEPER_BIN and GATEKEEPER_MANIFEST',
  },
  'kubelet-streams': {
    find: () => process.env['KUBELET_STREAMS_BIN'] || undefined,
    programs: ['kubelet-streams'],
    get: 'npm run test:real, which builds interop/kubelet-streams with Go, or set KUBELET_STREAMS_BIN',
  },
  time: {
    find: () => (isLongRun ? 'enough' : undefined),
    programs: [],
    get: 'npm run test:long, which takes half an hour',
  },
  Go: {
    // Building client-go takes minutes the first time, so Go alone is not enough: the script asks for it.
    find: () => (process.env['PROTOBUF_GO'] === '1' ? runs('go', 'version') : undefined),
    programs: ['go'],
    get: 'npm run test:protobuf or test:kinds, with Go on the PATH',
  },
} as const satisfies Readonly<Record<string, RealPart>>;

/** The name of a part. */
export type RealPartName = keyof typeof REAL_PARTS;

declare module 'vitest' {
  interface TaskMeta {
    /** The part for want of which a test was skipped; `scripts/test.mjs` reads it from the report. */
    missingPart?: { readonly name: string; readonly get: string };
  }
}

const found = new Map<RealPartName, string | undefined>();

/** The path of a part, looked for once in each process; undefined when it is missing. */
export function findRealPart(name: RealPartName): string | undefined {
  if (!found.has(name)) found.set(name, REAL_PARTS[name].find());
  return found.get(name);
}

/** The name of the part that brings a program; undefined for a program that no part brings. */
export function partOfProgram(program: string): string | undefined {
  const parts: readonly [string, RealPart][] = Object.entries(REAL_PARTS);
  return parts.find(([, { programs }]) => programs.includes(program))?.[0];
}

/** The path of a part; throws an error that says how to get it when it is missing. */
export function requireRealPart(name: RealPartName): string {
  const path = findRealPart(name);
  if (path === undefined) throw new Error(`this needs ${name}: ${REAL_PARTS[name].get}`);
  return path;
}

/**
 * Options of a test or a group of tests that need a part: they are skipped where it is missing, and the summary of
 * `npm test` counts them under its name.
 */
export function needs(name: RealPartName): TestOptions {
  if (findRealPart(name) !== undefined) return {};
  return { skip: true, meta: { missingPart: { name, get: REAL_PARTS[name].get } } };
}

function runs(program: string, ...args: readonly string[]): string | undefined {
  return spawnSync(program, args, { stdio: 'ignore' }).status === 0 ? program : undefined;
}

function canMount(): string | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'listwatch-mount-'));
  try {
    if (runs('mount', '-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', folder) === undefined) return undefined;
    return runs('umount', folder);
  } finally {
    rmdirSync(folder);
  }
}
