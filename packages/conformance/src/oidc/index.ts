/** A real OpenID Connect provider. A door of its own, because it loads a web framework. */

export { OIDC_CLIENT, type OidcAccount, OidcIssuer, type OidcIssuerOptions, OTHER_CLIENT } from './oidc-issuer.ts';
