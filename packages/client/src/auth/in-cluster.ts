/** The service account that a pod runs as. */

import { access } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '@listwatch/api';
import type { ClusterAccess } from './cluster-access.ts';
import { ConfigError } from './config-error.ts';
import { readConfigText } from './read-config-file.ts';
import { tokenFileCredentials } from './token-file.ts';

const FOLDER = '/var/run/secrets/kubernetes.io/serviceaccount';

export interface InClusterOptions {
  readonly clock: Clock;
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
  /** Where the kubelet puts the account's files. */
  readonly folder?: string | undefined;
}

/** Undefined when this is no pod; throws when it is one whose account's files cannot be read. */
export async function inClusterAccess(options: InClusterOptions): Promise<ClusterAccess | undefined> {
  const { clock, env = process.env, folder = FOLDER } = options;
  const { KUBERNETES_SERVICE_HOST: host = '', KUBERNETES_SERVICE_PORT: port = '' } = env;
  if (host === '' || port === '') return undefined;
  const token = join(folder, 'token');
  await access(token).catch((cause: unknown) => {
    const message = `this is a pod, but ${token} is not there: does it run with automountServiceAccountToken: false?`;
    throw new ConfigError('FILE_UNREADABLE', message, { cause });
  });
  return {
    servers: [`https://${host.includes(':') ? `[${host}]` : host}:${port}`],
    namespace: (await readConfigText(join(folder, 'namespace'), 'the namespace file')).trim() || undefined,
    tls: async () => ({ ca: await readConfigText(join(folder, 'ca.crt'), 'the certificate authority') }),
    proxy: undefined,
    compression: undefined,
    credentials: tokenFileCredentials(token, clock),
    impersonate: undefined,
  };
}
