/** The `user` section of a kubeconfig: who we are, and as whom we act. */

import type { Clock } from '@listwatch/api';
import type { Impersonation } from '../transport/layers/impersonate.ts';
import { ConfigError } from './config-error.ts';
import { ExecCredentials } from './exec-credentials.ts';
import { type ExecClusterInfo, execSpec } from './exec-plugin.ts';
import { basicCredentials, bearerCredentials } from './fixed-credentials.ts';
import { OidcCredentials } from './oidc-credentials.ts';
import { pemSource } from './pem.ts';
import { saveOidcTokens } from './save-oidc-tokens.ts';
import { tokenFileCredentials } from './token-file.ts';
import type { UserCredentials } from './user-credentials.ts';
import type { YamlNode } from './yaml-node.ts';

export interface KubeUserOptions {
  readonly name: string;
  readonly node: YamlNode;
  readonly clock: Clock;
  /** That of the cluster, which an OIDC provider is reached through, too. */
  readonly proxy: string | undefined;
  /** What an exec plugin may be told. */
  readonly clusterInfo: () => ExecClusterInfo;
}

/** A token goes before a password, and a tokenFile before a token, as kubectl has it. */
export async function userCredentials(options: KubeUserOptions): Promise<UserCredentials | undefined> {
  const { node, clock, clusterInfo } = options;
  const tokenFile = node.path('tokenFile');
  if (tokenFile !== undefined) return tokenFileCredentials(tokenFile, clock);
  const token = node.text('token');
  if (token !== undefined) return bearerCredentials(token);
  const username = node.text('username');
  if (username !== undefined) return basicCredentials(username, node.text('password') ?? '');
  const exec = node.get('exec');
  if (exec !== undefined) return new ExecCredentials(execSpec(exec, clusterInfo), clock);
  const provider = node.get('auth-provider');
  return provider === undefined ? undefined : oidcCredentials(provider, options);
}

async function oidcCredentials(provider: YamlNode, { name, clock, proxy }: KubeUserOptions): Promise<UserCredentials> {
  const kind = provider.text('name');
  if (kind !== 'oidc') {
    const message = `${provider.place}: the auth-provider ${kind} has been removed from Kubernetes; use its exec plugin`;
    throw new ConfigError('UNSUPPORTED', message);
  }
  const config = provider.get('config');
  if (config === undefined) throw provider.invalid('has no config');
  const required = (key: string): string => {
    const value = config.text(key);
    if (value === undefined) throw config.invalid(`has no ${key}`);
    return value;
  };
  const oidc = {
    issuer: required('idp-issuer-url'),
    clientId: required('client-id'),
    clientSecret: config.text('client-secret') ?? '',
    idToken: config.text('id-token'),
    refreshToken: config.text('refresh-token'),
    ca: await pemSource(config, 'idp-certificate-authority')?.(),
    proxy,
    place: provider.place,
  };
  return new OidcCredentials(oidc, clock, async (tokens) => {
    // A text has no place to write to: the new tokens last as long as this program.
    if (!provider.isText) await saveOidcTokens(provider.file, name, tokens);
  });
}

/** `as`, `as-groups`, `as-uid`, `as-user-extra`. */
export function userImpersonation(node: YamlNode): Impersonation | undefined {
  const user = node.text('as');
  const groups = node.texts('as-groups');
  const uid = node.text('as-uid');
  const extra = node.get('as-user-extra');
  if (user === undefined) {
    if (groups.length > 0 || uid !== undefined || extra !== undefined) throw node.invalid('has as-* fields but no as');
    return undefined;
  }
  const values = extra?.keys().map((key) => [key, extra.texts(key)] as const) ?? [];
  return { user, groups, uid, extra: Object.fromEntries(values) };
}
