/** Authentication, put together from its options. Start here. */

import type { Clock } from '@listwatch/storage';
import type { Registry } from 'prom-client';
import type { UserInfo } from '../../contract/api-request.ts';
import type { SecretLookup } from '../../contract/secret-lookup.ts';
import { type Authenticator, tokenAuthenticator } from '../authenticator.ts';
import { serviceAccountAuthenticator, type TokenChecker } from '../service-account-authenticator.ts';
import { registerTokenMetrics, type TokenSources } from './authentication-metrics.ts';
import { type AnonymousAccess, AuthenticatorChain } from './authenticator-chain.ts';
import { bootstrapTokenAuthenticator } from './bootstrap-token-authenticator.ts';
import { certificateAuthenticator } from './certificate-authenticator.ts';
import { CertificateLifetimes } from './certificate-lifetimes.ts';
import { frontProxyAuthenticator, type RequestHeaderOptions } from './front-proxy-authenticator.ts';
import { TokenWebhookAuthenticator, type TokenWebhookOptions } from './token-webhook-authenticator.ts';
import { revokedCertificates, userTokenAuthenticator } from './user-token.ts';

/** Who may use a server. Service accounts may, in any case. */
export interface AuthenticationOptions {
  /** Trusts the headers of front proxies, whose certificates `tls.requestHeaderCa` signed. Default: no. */
  readonly requestHeader?: RequestHeaderOptions | undefined;
  /** Client certificates that `tls.clientCa` signed. Default: false. */
  readonly certificates?: boolean | undefined;
  /** Users by their bearer tokens, see `parseTokenFile`. Default: none. */
  readonly tokens?: ReadonlyMap<string, UserInfo> | undefined;
  /** The P-256 key, PEM, of the tokens of `listwatch user add`. Default: there are none. */
  readonly userTokenKey?: string | undefined;
  /** Tokens in Secrets of the type `bootstrap.kubernetes.io/token`. Default: false. */
  readonly bootstrapTokens?: boolean | undefined;
  /** Tokens of OIDC providers: `JwtAuthenticators` of `@listwatch/server/authentication`. The server does not close it. */
  readonly jwt?: (Authenticator & TokenSources & JwtChanges) | undefined;
  /** Asks a webhook about all other tokens. Default: none. */
  readonly webhook?: TokenWebhookOptions | undefined;
  /** Requests without credentials. Default: true. */
  readonly anonymous?: AnonymousAccess | undefined;
  /** Hears why a request was refused with 401: the client does not learn it. It must not throw. Default: nobody hears. */
  readonly onRefused?: ((problem: string) => void) | undefined;
}

/** A configuration of OIDC providers that can change. */
export interface JwtChanges {
  /** `listener` hears of the issuers whose tokens may be refused now. Absent: open watches do not hear of changes. */
  listen?(listener: (issuers: readonly string[]) => void): () => void;
}

/** What authentication needs of the server. */
export interface AuthenticationParts {
  /** The authenticator that the program brings, if any. */
  readonly given: Authenticator | undefined;
  readonly checker: TokenChecker;
  readonly secrets: SecretLookup;
  readonly clock: Clock;
  /** The audiences of this server. */
  readonly audiences: readonly string[];
}

/** The authentication of a server. */
export interface Authentication {
  readonly chain: AuthenticatorChain;
  register(registry: Registry): void;
  close(): void;
}

/** In the order of kube-apiserver. Throws a `TypeError` for an option that is wrong. */
export function createAuthentication(options: AuthenticationOptions, parts: AuthenticationParts): Authentication {
  const { requestHeader, certificates = false, tokens, userTokenKey, bootstrapTokens = false, jwt } = options;
  const { given, checker, secrets, clock, audiences } = parts;
  const webhook =
    options.webhook === undefined ? undefined : new TokenWebhookAuthenticator(options.webhook, audiences, clock);
  const lifetimes = new CertificateLifetimes(clock);
  const chain = new AuthenticatorChain({
    identity: present(
      requestHeader && frontProxyAuthenticator(requestHeader),
      certificates &&
        certificateAuthenticator({
          isRevoked: revokedCertificates(secrets),
          onCertificate: (expires) => lifetimes.observe(expires),
        }),
    ),
    tokens: present(
      tokens && tokenAuthenticator(tokens),
      serviceAccountAuthenticator(checker),
      userTokenKey !== undefined && userTokenAuthenticator(userTokenKey, { secrets, clock }),
      bootstrapTokens && bootstrapTokenAuthenticator(secrets, clock),
      jwt,
      webhook,
    ),
    given,
    anonymous: options.anonymous,
    onRefused: options.onRefused,
  });
  return {
    chain,
    register(registry) {
      chain.counts.register(registry);
      lifetimes.register(registry);
      registerTokenMetrics(registry, { jwt, webhook });
    },
    close: () => webhook?.close(),
  };
}

function present(...authenticators: readonly (Authenticator | false | undefined)[]): readonly Authenticator[] {
  return authenticators.filter((authenticator) => authenticator !== undefined && authenticator !== false);
}
