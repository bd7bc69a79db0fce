/** The kubeconfig of a webhook: its cluster is the webhook, its user is this server. */

import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { type KubeContext, loadKubeconfig } from '@listwatch/client';
import type { TokenWebhookOptions } from '@listwatch/server';
import { explainFileError } from '../../file-error.ts';
import { UsageError } from '../../usage-error.ts';

type Reached = Pick<TokenWebhookOptions, 'ca' | 'cert' | 'key' | 'serverName' | 'token' | 'url'>;
type Node = KubeContext['cluster'];

/** Reads it. Throws a `UsageError` that names the option. */
export async function readWebhookKubeconfig(path: string, option: string): Promise<Reached> {
  try {
    const loaded = await loadKubeconfig({ path });
    if (loaded === undefined) throw new Error('there is no such file');
    const { cluster, user } = loaded.context();
    const url = cluster.text('server');
    if (url === undefined) throw new Error('its cluster has no server');
    const node = user?.node;
    return {
      url,
      ca: pem(cluster, 'certificate-authority'),
      cert: node && pem(node, 'client-certificate'),
      key: node && pem(node, 'client-key'),
      token: node?.text('token') ?? (node && file(node, 'tokenFile')?.trim()),
      serverName: cluster.text('tls-server-name'),
    };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new UsageError(`--${option} must be a kubeconfig, got ${JSON.stringify(path)}: ${reason}`);
  }
}

function pem(node: Node, field: string): string | undefined {
  const data = node.text(`${field}-data`);
  return data === undefined ? file(node, field) : Buffer.from(data, 'base64').toString('latin1');
}

function file(node: Node, field: string): string | undefined {
  const path = node.text(field);
  if (path === undefined) return undefined;
  try {
    return readFileSync(resolve(dirname(node.file), path), 'utf8');
  } catch (error) {
    throw new Error(`its ${field} ${path}: ${explainFileError(error)}`, { cause: error });
  }
}
