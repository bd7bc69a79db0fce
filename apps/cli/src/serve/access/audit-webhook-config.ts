/** The kubeconfig of a webhook: the cluster is the webhook, the user is how it knows this server. */

import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { isRecord, type JsonRecord, listOf, recordOf, textOf } from '@listwatch/api/values';
import type { AuditWebhookTarget } from '@listwatch/server';

/** What is wrong with the file. */
export class WebhookConfigError extends Error {
  override readonly name = 'WebhookConfigError';
}

/** Reads the current context. Relative paths begin at the folder of the file. Throws a `WebhookConfigError`. */
export function readWebhookConfig(document: unknown, path: string): AuditWebhookTarget {
  if (!isRecord(document)) throw new WebhookConfigError('it holds no object');
  const current = textOf(document['current-context']);
  const contexts = listOf(document['contexts']);
  const context = recordOf(named(contexts, current, 'context', 'current-context') ?? recordOf(contexts[0])['context']);
  const cluster = recordOf(named(listOf(document['clusters']), textOf(context['cluster']), 'cluster', 'context'));
  const user = recordOf(named(listOf(document['users']), textOf(context['user']), 'user', 'context'));
  const url = textOf(cluster['server']);
  if (!/^https?:\/\/[^/]/u.test(url)) throw new WebhookConfigError(`the server must be a URL, not ${url || 'missing'}`);
  const folder = dirname(path);
  const ca = pem(cluster, 'certificate-authority', folder);
  const cert = pem(user, 'client-certificate', folder);
  const key = pem(user, 'client-key', folder);
  const tlsServerName = textOf(cluster['tls-server-name']);
  return {
    url,
    ...(ca === undefined ? {} : { ca }),
    ...(cert === undefined ? {} : { cert }),
    ...(key === undefined ? {} : { key }),
    ...(tlsServerName === '' ? {} : { tlsServerName }),
    insecureSkipTlsVerify: cluster['insecure-skip-tls-verify'] === true,
    authorization: authorizationOf(user, folder),
  };
}

function named(entries: readonly unknown[], name: string, kind: string, where: string): unknown {
  if (name === '') return undefined;
  const found = entries.map(recordOf).find((entry) => entry['name'] === name);
  if (found === undefined)
    throw new WebhookConfigError(`the ${kind} ${JSON.stringify(name)} of the ${where} is missing`);
  return found[kind];
}

/** The text of `NAME-data`, or of the file of `NAME`. */
function pem(record: JsonRecord, name: string, folder: string): string | undefined {
  const data = textOf(record[`${name}-data`]);
  if (data !== '') return Buffer.from(data, 'base64').toString();
  const file = textOf(record[name]);
  return file === '' ? undefined : read(resolve(folder, file));
}

function authorizationOf(user: JsonRecord, folder: string): (() => string) | undefined {
  const token = textOf(user['token']);
  const tokenFile = textOf(user['tokenFile']);
  // Tokens in files are renewed by others: the file is read for every call.
  if (tokenFile !== '') {
    const path = resolve(folder, tokenFile);
    read(path);
    return () => `Bearer ${read(path).trim()}`;
  }
  if (token !== '') return () => `Bearer ${token}`;
  const name = textOf(user['username']);
  if (name === '') return undefined;
  const basic = Buffer.from(`${name}:${textOf(user['password'])}`).toString('base64');
  return () => `Basic ${basic}`;
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new WebhookConfigError(`${path} cannot be read`, { cause: error });
  }
}
