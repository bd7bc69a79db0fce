/** The kubeconfig with which kubectl and other clients reach the server. */

import { X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import { dump, load } from 'js-yaml';
import type { CertificatePair } from '../pki/pki-folder.ts';
import { isUnspecified } from '../pki/serving-names.ts';
import { StartError } from '../start-error.ts';
import { readIfExists } from './private-file.ts';

/** The name of the cluster and the context. */
export const CONTEXT_NAME = 'listwatch';
const USER_NAME = 'listwatch-admin';

/** What a kubeconfig is made of. */
export interface KubeconfigParts {
  /** Where the server listens. */
  readonly url: string;
  /** PEM: what signed the serving certificate, or that certificate with its chain. */
  readonly authority: string;
  /** PEM: the certificate that the server shows. */
  readonly serving: string;
  /** The client certificate of the user. */
  readonly client: CertificatePair;
}

/** The text of a kubeconfig, with everything in it, so that it can be copied. */
export function kubeconfigText({ url, authority, serving, client }: KubeconfigParts): string {
  const server = reachableUrl(url);
  return dump(
    {
      apiVersion: 'v1',
      kind: 'Config',
      clusters: [
        {
          name: CONTEXT_NAME,
          cluster: { server, 'certificate-authority-data': base64(authority), ...expectedName(server, serving) },
        },
      ],
      users: [
        {
          name: USER_NAME,
          user: { 'client-certificate-data': base64(client.cert), 'client-key-data': base64(client.key) },
        },
      ],
      contexts: [{ name: CONTEXT_NAME, context: { cluster: CONTEXT_NAME, user: USER_NAME } }],
      'current-context': CONTEXT_NAME,
    },
    { lineWidth: -1 },
  );
}

/** Throws a `StartError` when the file has something in it that is not ours: many keep all their clusters in one file. */
export function checkReplaceable(path: string): void {
  const text = readIfExists(path);
  if (text === undefined || text.trim() === '' || isOurs(text)) return;
  throw new StartError(`${path} is not a kubeconfig of listwatch alone and is left as it is; name another file`);
}

function isOurs(text: string): boolean {
  try {
    const content = load(text, { maxAliases: 0 });
    if (typeof content !== 'object' || content === null) return false;
    const { clusters, contexts, users }: { clusters?: unknown; contexts?: unknown; users?: unknown } = content;
    return has(clusters, CONTEXT_NAME) && has(contexts, CONTEXT_NAME) && has(users, USER_NAME);
  } catch {
    return false;
  }
}

/** Is this a list of one entry of this name? */
function has(list: unknown, name: string): boolean {
  if (!Array.isArray(list) || list.length !== 1) return false;
  const entry: unknown = list[0];
  return typeof entry === 'object' && entry !== null && 'name' in entry && entry.name === name;
}

/** A server that listens everywhere is reached, from here, on the loopback address. */
function reachableUrl(text: string): string {
  const url = new URL(text);
  const host = url.hostname.replaceAll(/[[\]]/gu, '');
  if (isUnspecified(host)) url.hostname = host.includes(':') ? '[::1]' : '127.0.0.1';
  return url.origin;
}

/** A certificate of one's own may not name the address: then clients are told which name to look for. */
function expectedName(server: string, serving: string): { readonly 'tls-server-name'?: string } {
  const host = new URL(server).hostname.replaceAll(/[[\]]/gu, '');
  const certificate = new X509Certificate(serving);
  const named = isIP(host) === 0 ? certificate.checkHost(host) : certificate.checkIP(host);
  if (named !== undefined) return {};
  const name = /DNS:([^,\s*]+)(?:,|$)/u.exec(certificate.subjectAltName ?? '')?.[1];
  return name === undefined ? {} : { 'tls-server-name': name };
}

function base64(text: string): string {
  return Buffer.from(text, 'utf8').toString('base64');
}
