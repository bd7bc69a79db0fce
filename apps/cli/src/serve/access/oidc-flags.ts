/** The `--oidc-*` flags as the configuration that they stand for. */

import type { JwtConfig } from '@listwatch/server/authentication';
import type { AuthenticationSettings } from './authentication-options.ts';

/** One provider, or none. `ca` is the content of `--oidc-ca-file`. */
export function oidcFlagsConfig(settings: AuthenticationSettings, ca: string | undefined): readonly JwtConfig[] {
  const { oidcIssuerUrl: url, oidcClientId: audience, oidcUsernameClaim: claim, oidcGroupsClaim: groups } = settings;
  if (url === undefined || audience === undefined) return [];
  return [
    {
      issuer: { url, audiences: [audience], ...(ca === undefined ? {} : { certificateAuthority: ca }) },
      claimValidationRules: Object.entries(settings.oidcRequiredClaim).map(([name, requiredValue]) => ({
        claim: name,
        requiredValue,
      })),
      claimMappings: {
        username: { claim, prefix: usernamePrefix(settings, url) },
        ...(groups === undefined ? {} : { groups: { claim: groups, prefix: settings.oidcGroupsPrefix ?? '' } }),
      },
      signingAlgorithms: settings.oidcSigningAlgs,
    },
  ];
}

/** Names of two issuers must not meet; addresses are the same everywhere. */
function usernamePrefix({ oidcUsernamePrefix, oidcUsernameClaim }: AuthenticationSettings, url: string): string {
  if (oidcUsernamePrefix === '-') return '';
  return oidcUsernamePrefix ?? (oidcUsernameClaim === 'email' ? '' : `${url}#`);
}
