/** Options about authentication that contradict one another, or mean nothing alone. */

import { UsageError } from '../../usage-error.ts';
import { optionName } from '../option-spec.ts';
import type { AuthenticationSettings } from './authentication-options.ts';

/** `given` are the names of the settings that somebody has set. Throws a `UsageError`. */
export function checkAuthenticationFlags(settings: AuthenticationSettings, given: readonly string[]): void {
  const oidc = given.find((name) => name.startsWith('oidc'));
  if (oidc !== undefined && settings.authenticationConfig !== undefined) {
    throw new UsageError(
      `--${optionName(oidc)} must not be given with --authentication-config: name the provider in that file`,
    );
  }
  if (oidc !== undefined && settings.oidcIssuerUrl === undefined) {
    throw new UsageError(`--oidc-issuer-url must be given with --${optionName(oidc)}, got only --${optionName(oidc)}`);
  }
  const { proxyClientCertFile, proxyClientKeyFile } = settings;
  if ((proxyClientCertFile === undefined) !== (proxyClientKeyFile === undefined)) {
    throw new UsageError('--proxy-client-cert-file and --proxy-client-key-file must be given together');
  }
  const proxy = given.find((name) => name.startsWith('requestheader'));
  if (proxy !== undefined && settings.requestheaderClientCaFile === undefined) {
    throw new UsageError(
      `--requestheader-client-ca-file must be given with --${optionName(proxy)}: without it, headers name nobody`,
    );
  }
}
