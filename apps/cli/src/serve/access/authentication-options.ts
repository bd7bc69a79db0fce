/** The options of `listwatch serve` about who a user is, beside certificates and the token file. */

import type { OptionSpec } from '../option-spec.ts';
import { duration, keyValues, listOfTexts, nonEmpty, oneOfWords, trueOrFalse } from '../value-kind.ts';

/** Their values; undefined where nobody said anything and that has a meaning. */
export interface AuthenticationSettings {
  readonly anonymousAuth: boolean | undefined;
  readonly enableBootstrapTokenAuth: boolean;
  readonly endWatchesOnRevocation: boolean;
  readonly authenticationConfig: string | undefined;
  readonly oidcIssuerUrl: string | undefined;
  readonly oidcClientId: string | undefined;
  readonly oidcCaFile: string | undefined;
  readonly oidcUsernameClaim: string;
  /** Undefined: the issuer and `#`, unless the claim is email. */
  readonly oidcUsernamePrefix: string | undefined;
  readonly oidcGroupsClaim: string | undefined;
  readonly oidcGroupsPrefix: string | undefined;
  readonly oidcSigningAlgs: readonly string[];
  readonly oidcRequiredClaim: Readonly<Record<string, string>>;
  readonly authenticationTokenWebhookConfigFile: string | undefined;
  readonly authenticationTokenWebhookVersion: 'v1' | 'v1beta1';
  readonly authenticationTokenWebhookCacheTtl: number;
  readonly requestheaderClientCaFile: string | undefined;
  readonly requestheaderAllowedNames: readonly string[];
  readonly requestheaderUsernameHeaders: readonly string[];
  readonly requestheaderUidHeaders: readonly string[];
  readonly requestheaderGroupHeaders: readonly string[];
  readonly requestheaderExtraHeadersPrefix: readonly string[];
  readonly proxyClientCertFile: string | undefined;
  readonly proxyClientKeyFile: string | undefined;
}

type AuthenticationOptionSpecs = {
  readonly [K in keyof AuthenticationSettings]: OptionSpec<AuthenticationSettings[K]>;
};

const OIDC = 'OpenID Connect';
const PROXY = 'Front proxy and webhook';

/** As kube-apiserver. */
export const AUTHENTICATION_OPTIONS: AuthenticationOptionSpecs = {
  anonymousAuth: {
    group: 'Authentication and TLS',
    value: 'BOOL',
    help: 'true or false: requests without credentials are those of system:anonymous',
    kind: trueOrFalse(),
    fallback: undefined,
    fallbackText: 'true',
  },
  enableBootstrapTokenAuth: {
    group: 'Authentication and TLS',
    value: 'BOOL',
    help: 'true or false: accept the tokens of Secrets of the type bootstrap.kubernetes.io/token in kube-system',
    kind: trueOrFalse(),
    fallback: false,
    fallbackText: 'false',
  },
  endWatchesOnRevocation: {
    group: 'Authentication and TLS',
    value: 'BOOL',
    help: 'true or false: end open watches and streams within a second when their user could not open them again',
    kind: trueOrFalse(),
    fallback: false,
    fallbackText: 'false',
  },
  authenticationConfig: {
    group: OIDC,
    value: 'FILE',
    help: 'AuthenticationConfiguration: several providers, rules in CEL, anonymous by path; changes count without a restart',
    kind: nonEmpty('a file'),
    fallback: undefined,
  },
  oidcIssuerUrl: {
    group: OIDC,
    value: 'URL',
    help: 'the provider whose tokens are accepted, https; needs --oidc-client-id',
    kind: nonEmpty('a URL of https'),
    fallback: undefined,
  },
  oidcClientId: {
    group: OIDC,
    value: 'ID',
    help: 'the audience that its tokens must have',
    kind: nonEmpty('an id'),
    fallback: undefined,
  },
  oidcCaFile: {
    group: OIDC,
    value: 'FILE',
    help: "authority that signed the provider's certificate, PEM",
    kind: nonEmpty('a file'),
    fallback: undefined,
    fallbackText: "Node's own list",
  },
  oidcUsernameClaim: {
    group: OIDC,
    value: 'CLAIM',
    help: 'the claim that is the user name',
    kind: nonEmpty('a claim'),
    fallback: 'sub',
  },
  oidcUsernamePrefix: {
    group: OIDC,
    value: 'PREFIX',
    help: 'what user names begin with; - for nothing',
    kind: nonEmpty('a prefix'),
    fallback: undefined,
    fallbackText: 'the issuer and #; nothing for the claim email',
  },
  oidcGroupsClaim: {
    group: OIDC,
    value: 'CLAIM',
    help: 'the claim with the groups: a text or a list',
    kind: nonEmpty('a claim'),
    fallback: undefined,
    fallbackText: 'no groups',
  },
  oidcGroupsPrefix: {
    group: OIDC,
    value: 'PREFIX',
    help: 'what groups begin with',
    kind: nonEmpty('a prefix'),
    fallback: undefined,
  },
  oidcSigningAlgs: {
    group: OIDC,
    value: 'ALGS',
    help: 'algorithms of signatures, separated by commas',
    kind: listOfTexts('algorithms such as RS256 or ES256'),
    fallback: ['RS256'],
    fallbackText: 'RS256',
  },
  oidcRequiredClaim: {
    group: OIDC,
    value: 'CLAIMS',
    help: 'claims that a token must have with these values: name=value, separated by commas',
    kind: keyValues(),
    fallback: {},
  },
  authenticationTokenWebhookConfigFile: {
    group: PROXY,
    value: 'FILE',
    help: 'kubeconfig of a webhook that is asked about unknown tokens, by TokenReviews',
    kind: nonEmpty('a file'),
    fallback: undefined,
  },
  authenticationTokenWebhookVersion: {
    group: PROXY,
    value: 'VERSION',
    help: 'version of these TokenReviews: v1 or v1beta1',
    kind: oneOfWords<'v1' | 'v1beta1'>('v1', 'v1beta1'),
    fallback: 'v1beta1',
  },
  authenticationTokenWebhookCacheTtl: {
    group: PROXY,
    value: 'TIME',
    help: 'how long its answers count',
    kind: duration(),
    fallback: 120_000,
    fallbackText: '2m',
  },
  requestheaderClientCaFile: {
    group: PROXY,
    value: 'FILE',
    help: 'authority of front proxies, PEM: they name the user in headers',
    kind: nonEmpty('a file'),
    fallback: undefined,
  },
  requestheaderAllowedNames: {
    group: PROXY,
    value: 'NAMES',
    help: 'common names of the proxies, separated by commas',
    kind: listOfTexts('names'),
    fallback: [],
    fallbackText: 'any',
  },
  requestheaderUsernameHeaders: {
    group: PROXY,
    value: 'NAMES',
    help: 'headers with the user name: the first that is sent counts',
    kind: listOfTexts('headers'),
    fallback: ['X-Remote-User'],
    fallbackText: 'X-Remote-User',
  },
  requestheaderUidHeaders: {
    group: PROXY,
    value: 'NAMES',
    help: 'headers with the uid',
    kind: listOfTexts('headers'),
    fallback: [],
  },
  requestheaderGroupHeaders: {
    group: PROXY,
    value: 'NAMES',
    help: 'headers with groups',
    kind: listOfTexts('headers'),
    fallback: ['X-Remote-Group'],
    fallbackText: 'X-Remote-Group',
  },
  requestheaderExtraHeadersPrefix: {
    group: PROXY,
    value: 'NAMES',
    help: 'what headers with extras begin with',
    kind: listOfTexts('prefixes'),
    fallback: ['X-Remote-Extra-'],
    fallbackText: 'X-Remote-Extra-',
  },
  proxyClientCertFile: {
    group: PROXY,
    value: 'FILE',
    help: 'certificate that is shown to the backends of APIServices, PEM; read again when it changes',
    kind: nonEmpty('a file'),
    fallback: undefined,
    fallbackText: 'pki/front-proxy-client.crt in the data folder',
  },
  proxyClientKeyFile: {
    group: PROXY,
    value: 'FILE',
    help: 'its private key, PEM',
    kind: nonEmpty('a file'),
    fallback: undefined,
  },
};
