/** Which etcd the tests start, and with which environment. */

import { execFileSync } from 'node:child_process';
import { findRealPart, requireRealPart } from './real-part.ts';

/** An etcd that can be started. */
export interface EtcdBinary {
  readonly path: string;
  /** For example `3.4.23`. */
  readonly version: string;
}

/** The etcd to start; throws an error that says how to get one when there is none. */
export function requireEtcd(): EtcdBinary {
  const path = requireRealPart('etcd');
  const text = execFileSync(path, ['--version'], { env: cleanEnvironment(), encoding: 'utf8' });
  const version = /etcd Version: (\S+)/u.exec(text)?.[1];
  if (version === undefined) throw new Error(`${path} --version prints no version: ${text}`);
  return { path, version };
}

/** For titles of tests: `etcd 3.4.23`, or `etcd` where there is none and the tests are skipped. */
export function etcdTitle(): string {
  return findRealPart('etcd') === undefined ? 'etcd' : `etcd ${requireEtcd().version}`;
}

/** The environment without etcd's own variables: Debian's service sets some, and they would change our children. */
export function cleanEnvironment(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => !name.startsWith('ETCD_'));
  // etcd before 3.5 refuses to start on arm64 without this.
  return { ...Object.fromEntries(kept), ...(process.arch === 'arm64' ? { ETCD_UNSUPPORTED_ARCH: 'arm64' } : {}) };
}
