/** From the options that say which cluster to what `connect` takes. */

import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { KubeconfigOptions, NodeServerOptions, SocketConnectOptions } from '@listwatch/client';
import { explainFileError } from '../file-error.ts';
import { UsageError } from '../usage-error.ts';
import type { WatchFlags } from './watch-flags.ts';

/** By a kubeconfig or by an address. */
export type Connection = KubeconfigOptions | NodeServerOptions;

/** Options that say something about `--server` and nothing without it. */
const OF_SERVER = {
  token: '--token',
  certificateAuthority: '--certificate-authority',
  clientCertificate: '--client-certificate',
  clientKey: '--client-key',
  tlsServerName: '--tls-server-name',
  insecureSkipTlsVerify: '--insecure-skip-tls-verify',
} as const satisfies Partial<Record<keyof WatchFlags, string>>;

/** Reads the files that options name. Throws a `UsageError` for options that do not go together and files that cannot be read. */
export function connectionOf(flags: WatchFlags, folder: string): Connection {
  const { server, kubeconfig, context } = flags;
  const user = { userAgent: 'listwatch-watch', ...impersonationOf(flags) };
  if (server !== undefined) {
    if (kubeconfig !== undefined || context !== undefined) {
      throw new UsageError('--server must not go with --kubeconfig or --context: an address needs none');
    }
    return { ...serverOf(flags, server, folder), ...user };
  }
  for (const [name, option] of Object.entries(OF_SERVER)) {
    if (new Map(Object.entries(flags)).get(name) !== undefined) throw new UsageError(`${option} must go with --server`);
  }
  const path = kubeconfig === undefined ? undefined : resolve(folder, kubeconfig);
  return { kubeconfig: path, context, ...user };
}

function serverOf(flags: WatchFlags, server: string, folder: string): NodeServerOptions {
  if (!/^https?:\/\/[^/]/u.test(server) || !URL.canParse(server)) {
    throw new UsageError(`--server must be an address such as https://10.0.0.1:6443, got ${JSON.stringify(server)}`);
  }
  const { clientCertificate, clientKey, token, tlsServerName, insecureSkipTlsVerify } = flags;
  if ((clientCertificate === undefined) !== (clientKey === undefined)) {
    throw new UsageError('--client-certificate must go with --client-key');
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

function impersonationOf({ as: user, asGroup: groups }: WatchFlags): Pick<SocketConnectOptions, 'impersonate'> {
  if (user === undefined && groups !== undefined) throw new UsageError('--as-group must go with --as');
  return user === undefined ? {} : { impersonate: { user, ...(groups === undefined ? {} : { groups }) } };
}

function readNamed(option: string, path: string | undefined, folder: string): string | undefined {
  if (path === undefined) return undefined;
  try {
    return readFileSync(resolve(folder, path), 'utf8');
  } catch (error) {
    const why = explainFileError(error);
    throw new UsageError(`${option} must be a file that can be read, got ${JSON.stringify(path)}: ${why}`);
  }
}
