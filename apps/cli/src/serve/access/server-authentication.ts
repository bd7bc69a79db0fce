/** From the options and files about authentication to what the server takes. */

import { backgroundClock } from '@listwatch/api';
import type { AnonymousAccess, AuthenticationOptions } from '@listwatch/server';
import type { AnonymousConfig, JwtAuthenticators, JwtConfig } from '@listwatch/server/authentication';
import type { Logger } from 'pino';
import { FRONT_PROXY_NAME } from '../../pki/pki-folder.ts';
import { UsageError } from '../../usage-error.ts';
import type { ServeSettings } from '../serve-options.ts';
import type { CredentialFiles } from './credential-files.ts';
import { oidcFlagsConfig } from './oidc-flags.ts';
import { serverIdOf } from './server-id.ts';
import { readWebhookKubeconfig } from './webhook-kubeconfig.ts';

/** What it needs besides the settings. */
export interface AuthenticationContext {
  readonly files: CredentialFiles;
  /** PEM. */
  readonly userTokenKey: string;
  readonly log: Logger;
}

/** The options of the server. */
export interface ServerAuthentication {
  readonly options: AuthenticationOptions;
  /** Follows the configuration file no longer, and leaves the providers. */
  close(): Promise<void>;
}

const DEFAULT_ISSUER = 'https://kubernetes.default.svc';

/** Throws a `UsageError` for a file or a flag that is wrong. */
export async function openAuthentication(
  settings: ServeSettings,
  { files, userTokenKey, log }: AuthenticationContext,
): Promise<ServerAuthentication> {
  const tokens = await openJwt(settings, files, log);
  const webhook = settings.authenticationTokenWebhookConfigFile;
  return {
    options: {
      requestHeader: requestHeaderOptions(settings, files),
      certificates: true,
      tokens: files.tokens,
      userTokenKey,
      bootstrapTokens: settings.enableBootstrapTokenAuth,
      jwt: tokens?.jwt,
      webhook:
        webhook === undefined
          ? undefined
          : {
              ...(await readWebhookKubeconfig(webhook, 'authentication-token-webhook-config-file')),
              version: settings.authenticationTokenWebhookVersion,
              cacheTtlMs: settings.authenticationTokenWebhookCacheTtl,
            },
      anonymous: isOpenToAll(settings, log) ? false : anonymousAccess(settings, tokens?.anonymous),
      onRefused: (problem) => log.debug({ problem }, 'refused a request with 401'),
    },
    close: async () => tokens?.close(),
  };
}

interface OpenJwt {
  readonly jwt: JwtAuthenticators;
  readonly anonymous: AnonymousConfig | undefined;
  close(): Promise<void>;
}

/** Loaded only when there is a provider: expressions are a large part of the program. */
async function openJwt(settings: ServeSettings, files: CredentialFiles, log: Logger): Promise<OpenJwt | undefined> {
  const { authenticationConfig: path, serviceAccountIssuer } = settings;
  const flags = oidcFlagsConfig(settings, files.oidcCa);
  if (path === undefined && flags.length === 0) return undefined;
  const server = await import('@listwatch/server/authentication');
  const disallowedIssuers = serviceAccountIssuer.length > 0 ? serviceAccountIssuer : [DEFAULT_ISSUER];
  const reloads = path === undefined ? undefined : new server.ReloadCounts(serverIdOf(settings), backgroundClock);
  const make = (configs: readonly JwtConfig[]): JwtAuthenticators =>
    new server.JwtAuthenticators(configs, {
      clock: backgroundClock,
      reloads,
      onStatus: (issuer, problem) => tellStatus(log, issuer, problem),
    });
  if (path !== undefined && reloads !== undefined) {
    const { AuthenticationConfigFile } = await import('./authentication-config-file.ts');
    return AuthenticationConfigFile.open({ path, disallowedIssuers, log, reloads }, make);
  }
  checkFlags(settings, () => server.checkAuthenticationConfiguration({ jwt: flags }, { disallowedIssuers }));
  const unknown = settings.oidcSigningAlgs.find((name) => !server.SIGNING_ALGORITHMS.includes(name));
  if (unknown !== undefined) {
    throw new UsageError(
      `--oidc-signing-algs must be of ${server.SIGNING_ALGORITHMS.join(', ')}, got ${JSON.stringify(unknown)}`,
    );
  }
  const jwt = make(flags);
  return { jwt, anonymous: undefined, close: async () => jwt.close() };
}

function checkFlags({ oidcIssuerUrl }: ServeSettings, check: () => void): void {
  try {
    check();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new UsageError(`--oidc-issuer-url ${oidcIssuerUrl}: ${reason}`);
  }
}

function tellStatus(log: Logger, issuer: string, problem: string | undefined): void {
  if (problem === undefined) log.info({ issuer }, 'the OIDC provider answers again');
  else
    log.warn(
      { issuer, problem },
      'the keys of the OIDC provider cannot be fetched; tokens of unknown keys are refused',
    );
}

/** As kube-apiserver: whoever finds the address could do everything otherwise. */
function isOpenToAll({ authorizationMode, anonymousAuth }: ServeSettings, log: Logger): boolean {
  if (!authorizationMode.includes('AlwaysAllow')) return false;
  if (anonymousAuth === true) log.warn('--anonymous-auth is off: --authorization-mode has AlwaysAllow');
  return true;
}

function anonymousAccess(
  { anonymousAuth, authenticationConfig }: ServeSettings,
  config: AnonymousConfig | undefined,
): AnonymousAccess | undefined {
  if (config === undefined) return anonymousAuth;
  if (anonymousAuth !== undefined) {
    throw new UsageError(`--anonymous-auth must not be given when ${authenticationConfig} has the field anonymous`);
  }
  const { enabled, conditions = [] } = config;
  return enabled && conditions.length > 0 ? { paths: conditions.map(({ path }) => path) } : enabled;
}

/** Without an authority of one's own, the proxies are those that this server's authority signed: its own certificate for backends. */
function requestHeaderOptions(
  settings: ServeSettings,
  { requestHeaderCa }: CredentialFiles,
): NonNullable<AuthenticationOptions['requestHeader']> {
  return {
    allowedNames: requestHeaderCa === undefined ? [FRONT_PROXY_NAME] : settings.requestheaderAllowedNames,
    usernameHeaders: settings.requestheaderUsernameHeaders,
    uidHeaders: settings.requestheaderUidHeaders,
    groupHeaders: settings.requestheaderGroupHeaders,
    extraHeaderPrefixes: settings.requestheaderExtraHeadersPrefix,
  };
}
