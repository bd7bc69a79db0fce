/** Where a call of a webhook goes: read from its configuration. Pure. */

import type { CompiledWebhook, WebhookPlace } from './compiled-webhook.ts';
import { WebhookFailure } from './webhook-failure.ts';

/** The parts of the URL. */
export interface WebhookTarget {
  /** As errors show it. */
  readonly url: string;
  readonly host: string;
  readonly port: number;
  /** With the query. */
  readonly path: string;
  readonly authority: string;
}

/**
 * The target of a call that may take `seconds`. Throws a `WebhookFailure` for a URL that cannot be read: validation
 * accepts hosts and ports that the class URL refuses, and a TypeError would refuse writes whatever the failure policy.
 */
export function webhookTarget(
  { name, place }: Pick<CompiledWebhook, 'name' | 'place'>,
  seconds: number,
): WebhookTarget {
  const query = `?timeout=${seconds}s`;
  if (place.service !== undefined) return serviceTarget(place.service, query);
  const given = place.url ?? '';
  const url = parsedUrl(given);
  if (url === undefined) {
    const text = JSON.stringify;
    throw WebhookFailure.noClient(
      `failed calling webhook ${text(name)}: Unparsable URL: parse ${text(given)}: invalid host or port`,
    );
  }
  const path = `${plainPath(url.pathname)}${query}`;
  const host = url.hostname.replace(/^\[|\]$/gu, '');
  return { url: `https://${url.host}${path}`, host, port: Number(url.port || 443), path, authority: url.host };
}

function serviceTarget(service: NonNullable<WebhookPlace['service']>, query: string): WebhookTarget {
  const { name, namespace, port } = service;
  const host = `${name}.${namespace}.svc`;
  const path = `${plainPath(service.path)}${query}`;
  const authority = port === 443 ? host : `${host}:${port}`;
  return { url: `https://${host}:${port}${path}`, host, port, path, authority };
}

function parsedUrl(url: string): URL | undefined {
  return URL.canParse(url) ? new URL(url) : undefined;
}

/** Without a slash at its end, as Go's client sends it. */
function plainPath(path: string): string {
  const plain = path.replace(/^\/*/u, '/').replace(/\/+$/u, '');
  return plain === '' ? '/' : plain;
}

/** The PEM of the bundle; undefined: the authorities of the system. */
export function bundleOf({ caBundle }: WebhookPlace): string | undefined {
  if (caBundle === '') return undefined;
  const pem = Buffer.from(caBundle, 'base64').toString('latin1');
  if (/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/u.test(pem)) return pem;
  throw WebhookFailure.noClient('unable to load root certificates: unable to parse bytes as PEM block');
}
