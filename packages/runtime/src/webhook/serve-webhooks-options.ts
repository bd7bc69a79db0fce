/** What the server of webhooks can be told. */

import { checkOptionNames, type OptionNames } from '@listwatch/client/internal';
import type { CertificateTiming } from './certificate/certificate-step.ts';
import type { CertificateFiles } from './certificate/file-certificate.ts';
import { type ResolvedInstallation, resolveInstallation, type WebhookInstallation } from './installation.ts';
import { secretNameOf } from './webhook-rights.ts';

/** A certificate that the program makes, keeps in a Secret and renews. */
export interface OwnCertificate {
  /** Default: `<name>-webhook-certificate` in the namespace of the Service, or that of the cluster's context. */
  readonly secret?: { readonly namespace?: string | undefined; readonly name?: string | undefined } | undefined;
  /** How long a certificate is valid; the next one comes when a third of it is left. Default: 90 days. */
  readonly lifetimeMs?: number | undefined;
  /** How long the API servers have known a new authority before its certificate is served. Default: 60 000. */
  readonly overlapMs?: number | undefined;
}

/** Options of {@link serveWebhooks}. */
export interface ServeWebhooksOptions extends WebhookInstallation {
  /** Default: every address of the machine. */
  readonly host?: string | undefined;
  /** Default: 9443. 0: any free port; `WebhookServing.port` has it. */
  readonly port?: number | undefined;
  /** Default: one of its own. `files`: those that somebody else renews, such as cert-manager; they are read again every 10 s. */
  readonly certificate?: OwnCertificate | { readonly files: CertificateFiles } | undefined;
  /**
   * How long calls are still taken after a stop, while `/readyz` fails: the API server learns only then that this replica goes.
   * Default: 3000.
   */
  readonly drainMs?: number | undefined;
}

/** The options, checked and filled in. */
export interface ServeWebhooksConfig {
  readonly installation: ResolvedInstallation;
  readonly host: string | undefined;
  readonly port: number;
  readonly drainMs: number;
  readonly certificate:
    | { readonly type: 'files'; readonly files: CertificateFiles }
    | {
        readonly type: 'own';
        readonly secret: { readonly namespace: string | undefined; readonly name: string };
        readonly timing: CertificateTiming;
      };
}

const NAMES: OptionNames<ServeWebhooksOptions> = {
  name: true,
  service: true,
  url: true,
  host: true,
  port: true,
  certificate: true,
  drainMs: true,
};
const CERTIFICATE_NAMES: OptionNames<OwnCertificate & { readonly files?: CertificateFiles }> = {
  secret: true,
  lifetimeMs: true,
  overlapMs: true,
  files: true,
};

const DAY_MS = 86_400_000;

/** Throws a TypeError or a RangeError that names the option. */
export function resolveServeOptions(options: ServeWebhooksOptions): ServeWebhooksConfig {
  checkOptionNames('serveWebhooks', options, NAMES);
  const { host, port = 9443, drainMs = 3000, certificate = {} } = options;
  if (!(Number.isInteger(port) && port >= 0 && port <= 65_535))
    throw new RangeError(`port must be a whole number from 0 to 65535, not ${port}`);
  if (!(drainMs >= 0)) throw new RangeError(`drainMs must be 0 or more, not ${drainMs}`);
  checkOptionNames('certificate of serveWebhooks', certificate, CERTIFICATE_NAMES);
  const installation = resolveInstallation(options);
  return { installation, host, port, drainMs, certificate: certificateOf(installation, certificate) };
}

function certificateOf(
  installation: ResolvedInstallation,
  certificate: NonNullable<ServeWebhooksOptions['certificate']>,
): ServeWebhooksConfig['certificate'] {
  if ('files' in certificate) {
    const { files } = certificate;
    for (const name of ['cert', 'key'] as const)
      if (typeof files?.[name] !== 'string') throw new TypeError(`certificate.files needs the path ${name}`);
    return { type: 'files', files };
  }
  const { secret = {}, lifetimeMs = 90 * DAY_MS, overlapMs = 60_000 } = certificate;
  if (!(lifetimeMs >= 1000)) throw new RangeError(`certificate.lifetimeMs must be 1000 or more, not ${lifetimeMs}`);
  // What is left when the next one is made must be enough for the API servers to learn of it.
  if (!(overlapMs >= 0 && overlapMs < lifetimeMs / 3))
    throw new RangeError(`certificate.overlapMs must be less than a third of lifetimeMs, not ${overlapMs}`);
  const own = installation.type === 'service' ? installation.service.namespace : undefined;
  const { namespace = own, name = secretNameOf(installation.name) } = secret;
  return { type: 'own', secret: { namespace, name }, timing: { lifetimeMs, overlapMs } };
}
