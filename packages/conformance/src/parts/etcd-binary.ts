/** Where the real etcd is, and what to do when there is none. */

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** An etcd that can be started. */
export interface EtcdBinary {
  readonly path: string;
  /** For example `3.4.23`. */
  readonly version: string;
}

let found: Promise<EtcdBinary | undefined> | undefined;

/**
 * Whether etcd tests can run here: `ETCD_BIN`, or `etcd` on the path. Where it is missing, CI (`CI=true`) installs
 * Debian's package or fails; elsewhere one line says that the tests are skipped and how to get it.
 */
export async function etcdAvailable(): Promise<boolean> {
  found ??= findEtcd();
  return (await found) !== undefined;
}

/** The etcd to start; throws where there is none. */
export async function requireEtcd(): Promise<EtcdBinary> {
  found ??= findEtcd();
  const binary = await found;
  if (binary === undefined) throw new Error('there is no etcd here: apt-get install etcd-server, or set ETCD_BIN');
  return binary;
}

async function findEtcd(): Promise<EtcdBinary | undefined> {
  const path = process.env['ETCD_BIN'] ?? 'etcd';
  const present = await probe(path);
  if (present !== undefined) return present;
  if (process.env['CI'] === 'true') {
    await run('apt-get', ['update']);
    await run('apt-get', ['install', '-y', 'etcd-server'], {
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    });
    const installed = await probe(path);
    if (installed === undefined) throw new Error(`CI must run the etcd tests, but ${path} does not start`);
    return installed;
  }
  process.stderr.write(
    `etcd tests are skipped: ${path} does not start. Install it (apt-get install etcd-server) or set ETCD_BIN.\n`,
  );
  return undefined;
}

async function probe(path: string): Promise<EtcdBinary | undefined> {
  try {
    const { stdout } = await run(path, ['--version'], { env: cleanEnvironment() });
    const version = /etcd Version: (\S+)/.exec(stdout)?.[1];
    return version === undefined ? undefined : { path, version };
  } catch {
    return undefined;
  }
}

/** The environment without etcd's own variables: Debian's service sets some, and they would change our children. */
export function cleanEnvironment(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => !name.startsWith('ETCD_'));
  // etcd before 3.5 refuses to start on arm64 without this.
  return { ...Object.fromEntries(kept), ...(process.arch === 'arm64' ? { ETCD_UNSUPPORTED_ARCH: 'arm64' } : {}) };
}
