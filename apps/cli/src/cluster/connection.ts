/** Turns the cluster options of the command into options of `connect`. */

import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { KubeconfigOptions, NodeServerOptions, SocketConnectOptions } from '@listwatch/client';
import { explainFileError } from '../file-error.ts';
import { UsageError } from '../usage-error.ts';
import type { ClusterFlags } from './cluster-flags.ts';

/** A cluster from a kubeconfig, or by its address. */
export type Connection = KubeconfigOptions | NodeServerOptions;

/** Options that are valid only with `--server`. */
const OF_SERVER = {
  token: '--token',
  certificateAuthority: '--certificate-authority',
  clientCertificate: '--client-certificate',
  clientKey: '--client-key',
  tlsServerName: '--tls-server-name',
  insecureSkipTlsVerify: '--insecure-skip-tls-verify',
} as const satisfies Partial<Record<keyof ClusterFlags, string>>;

const MUST_NOT_BE_EMPTY: ReadonlyMap<string, string> = new Map([
  ...Object.entries(OF_SERVER),
  ['kubeconfig', '--kubeconfig'],
  ['context', '--context'],
  ['server', '--server'],
  ['as', '--as'],
  ['asGroup', '--as-group'],
]);

/** Reads the files that options name. Throws a `UsageError` for invalid combinations and unreadable files. */
export function connectionOf(flags: ClusterFlags, folder: string, userAgent: string): Connection {
  const { server, kubeconfig, context } = flags;
  checkNotEmpty(flags);
  const user = { userAgent, ...impersonationOf(flags) };
  if (server !== undefined) {
    if (kubeconfig !== undefined || context !== undefined) {
      throw new UsageError('--server cannot be combined with --kubeconfig or --context');
    }
    return { ...serverOf(flags, server, folder), ...user };
  }
  for (const [name, option] of Object.entries(OF_SERVER)) {
    if (new Map(Object.entries(flags)).get(name) !== undefined) throw new UsageError(`${option} requires --server`);
  }
  const path = kubeconfig === undefined ? undefined : resolve(folder, kubeconfig);
  return { kubeconfig: path, context, ...user };
}

/** An empty value is nearly always a variable of a script that was not set; ignoring it would pick another cluster or user. */
function checkNotEmpty(flags: ClusterFlags): void {
  for (const [name, value] of Object.entries(flags)) {
    const option = MUST_NOT_BE_EMPTY.get(name);
    if (option !== undefined && (value === '' || (Array.isArray(value) && value.includes(''))))
      throw new UsageError(`${option} must not be empty`);
  }
}

function serverOf(flags: ClusterFlags, server: string, folder: string): NodeServerOptions {
  if (!/^https?:\/\/[^/]/u.test(server) || !URL.canParse(server)) {
    throw new UsageError(`--server must be a URL such as https://10.0.0.1:6443, got ${JSON.stringify(server)}`);
  }
  const { clientCertificate, clientKey, token, tlsServerName, insecureSkipTlsVerify } = flags;
  if ((clientCertificate === undefined) !== (clientKey === undefined)) {
    throw new UsageError('--client-certificate and --client-key must be given together');
  }
  const read = (option: string, path: string | undefined): string | undefined => readNamed(option, path, folder);
  return {
    server,
    token,
    tlsServerName,
    insecureSkipTlsVerify,
    caData: read('--certificate-authority', flags.certificateAuthority),
    certData: read('--client-certificate', clientCertificate),
    keyData: read('--client-key', clientKey),
  };
}

function impersonationOf({ as: user, asGroup: groups }: ClusterFlags): Pick<SocketConnectOptions, 'impersonate'> {
  if (user === undefined && groups !== undefined) throw new UsageError('--as-group requires --as');
  return user === undefined ? {} : { impersonate: { user, ...(groups === undefined ? {} : { groups }) } };
}

function readNamed(option: string, path: string | undefined, folder: string): string | undefined {
  if (path === undefined) return undefined;
  try {
    return readFileSync(resolve(folder, path), 'utf8');
  } catch (error) {
    const why = explainFileError(error);
    throw new UsageError(`${option}: cannot read ${JSON.stringify(path)}: ${why}`);
  }
}
