/** How a cluster knows the webhooks of a program. */

/** Where the API server reaches them, and under which names. */
export interface WebhookInstallation {
  /** Of the ValidatingWebhookConfiguration and the MutatingWebhookConfiguration; of the Secret with the certificate, too. */
  readonly name: string;
  /** The Service in front of the program. */
  readonly service?: WebhookService | undefined;
  /** Instead of a Service: an address that the API server reaches, such as `https://127.0.0.1:9443`. */
  readonly url?: string | undefined;
}

export interface WebhookService {
  readonly namespace: string;
  readonly name: string;
  /** Of the Service. Default: 443. */
  readonly port?: number | undefined;
}

/** An installation, checked. */
export type ResolvedInstallation =
  | { readonly name: string; readonly type: 'service'; readonly service: WebhookService & { readonly port: number } }
  | { readonly name: string; readonly type: 'url'; readonly url: URL };

/** Throws a TypeError that names the option. */
export function resolveInstallation({ name, service, url }: WebhookInstallation): ResolvedInstallation {
  if (typeof name !== 'string' || !/^[a-z0-9]([-.a-z0-9]{0,251}[a-z0-9])?$/u.test(name))
    throw new TypeError(`name must be the name of a webhook configuration, not ${JSON.stringify(name)}`);
  if ((service === undefined) === (url === undefined)) throw new TypeError('give either service or url');
  if (service !== undefined) {
    for (const part of ['namespace', 'name'] as const)
      if (typeof service[part] !== 'string' || service[part] === '') throw new TypeError(`service needs a ${part}`);
    return { name, type: 'service', service: { ...service, port: service.port ?? 443 } };
  }
  const parsed = URL.canParse(url ?? '') ? new URL(url ?? '') : undefined;
  if (parsed?.protocol !== 'https:' || parsed.search !== '' || parsed.hash !== '' || parsed.username !== '')
    throw new TypeError(`url must be https://host[:port][/path], not ${JSON.stringify(url)}`);
  return { name, type: 'url', url: parsed };
}

/** `clientConfig` of a webhook at this path, without a caBundle. */
export function clientConfigOf(installation: ResolvedInstallation, path: string): ClientConfig {
  if (installation.type === 'url') {
    const { origin, pathname } = installation.url;
    return { url: `${origin}${pathname.replace(/\/$/u, '')}${path}` };
  }
  return { service: { ...installation.service, path } };
}

export interface ClientConfig {
  readonly url?: string;
  readonly service?: {
    readonly namespace: string;
    readonly name: string;
    readonly path?: string;
    readonly port?: number;
  };
  /** PEM in base64. */
  readonly caBundle?: string;
}

/** The names that the API server looks for in the certificate. */
export function certificateNames(installation: ResolvedInstallation): {
  readonly dnsNames: readonly string[];
  readonly ipAddresses: readonly string[];
} {
  if (installation.type === 'service') {
    const { namespace, name } = installation.service;
    const dnsNames = [`${name}.${namespace}.svc`, `${name}.${namespace}.svc.cluster.local`, `${name}.${namespace}`];
    return { dnsNames, ipAddresses: [] };
  }
  const host = installation.url.hostname.replace(/^\[|\]$/gu, '');
  const isAddress = /^[\d.]+$/u.test(host) || host.includes(':');
  return isAddress ? { dnsNames: [], ipAddresses: [host] } : { dnsNames: [host], ipAddresses: [] };
}
