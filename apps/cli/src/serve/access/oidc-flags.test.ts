import { expect, it } from 'vitest';
import type { ServeSettings } from '../serve-options.ts';
import { resolveSettings } from '../serve-settings.ts';
import { oidcFlagsConfig } from './oidc-flags.ts';

const settings = (flags: object): ServeSettings =>
  resolveSettings({ flags: { oidcIssuerUrl: 'https://idp', oidcClientId: 'kube', ...flags }, env: {} }).settings;

it('the flags stand for one provider', () => {
  const flags = {
    oidcGroupsClaim: 'groups',
    oidcGroupsPrefix: 'oidc:',
    oidcRequiredClaim: 'hd=a',
    oidcSigningAlgs: 'ES256',
  };
  expect(oidcFlagsConfig(settings(flags), 'PEM')).toEqual([
    {
      issuer: { url: 'https://idp', audiences: ['kube'], certificateAuthority: 'PEM' },
      claimValidationRules: [{ claim: 'hd', requiredValue: 'a' }],
      claimMappings: {
        username: { claim: 'sub', prefix: 'https://idp#' },
        groups: { claim: 'groups', prefix: 'oidc:' },
      },
      signingAlgorithms: ['ES256'],
    },
  ]);
  expect(oidcFlagsConfig(resolveSettings({ flags: {}, env: {} }).settings, undefined)).toEqual([]);
});

it.each([
  [{}, 'https://idp#'],
  [{ oidcUsernameClaim: 'email' }, ''],
  [{ oidcUsernamePrefix: '-' }, ''],
  [{ oidcUsernameClaim: 'email', oidcUsernamePrefix: 'm:' }, 'm:'],
])('user names of %j begin with %j', (flags, prefix) => {
  expect(oidcFlagsConfig(settings(flags), undefined)[0]?.claimMappings.username.prefix).toBe(prefix);
});
