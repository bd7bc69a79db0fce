/** Tokens of OIDC providers: an own door, because it loads the Common Expression Language. Start at `JwtAuthenticators`. */

export {
  type ConfigurationCheckOptions,
  checkAuthenticationConfiguration,
} from './access/jwt/configuration-problems.ts';
export { parseAuthenticationConfiguration } from './access/jwt/configuration-shape.ts';
export { JwtAuthenticators, type JwtAuthenticatorsParts } from './access/jwt/jwt-authenticators.ts';
export type {
  AnonymousConfig,
  AuthenticationConfiguration,
  ClaimMappings,
  ClaimSource,
  ClaimValidationRule,
  JwtConfig,
  PrefixedClaim,
  UserValidationRule,
} from './access/jwt/jwt-config.ts';
export { SIGNING_ALGORITHMS } from './access/jwt/jwt-signature.ts';
export { ReloadCounts, type ReloadedConfig, type ReloadStatus } from './access/reload-counts.ts';
