/** The options of `connect` on every platform. */

import type { Clock } from '@listwatch/api';
import { bearerCredentials } from './auth/fixed-credentials.ts';
import type { OptionNames } from './request/option-names.ts';
import type { FeatureOptions } from './transport/layers/assemble.ts';
import type { Credentials } from './transport/layers/auth.ts';
import type { Transport } from './transport/transport.ts';

/** Options of every way to connect. */
export interface ConnectOptions extends FeatureOptions {
  /** Default: that of the context, else `default`. */
  readonly namespace?: string | undefined;
  /** The name of this client in the server's logs. Default: `listwatch`. */
  readonly userAgent?: string | undefined;
  readonly clock?: Clock | undefined;
  /** The largest object that is read: an answer, an item of a list or a frame of a watch. Default: 64 MiB. */
  readonly maxObjectBytes?: number | undefined;
  /** How long a server may take until it begins to answer. Default: 90 000. 0: no limit. */
  readonly headersTimeoutMs?: number | undefined;
}

/** To a server by its address. */
export interface ServerOptions extends ConnectOptions {
  /** `https://host:port`, with the path below which the API stands, if there is one. */
  readonly server: string;
  readonly token?: string | undefined;
  /** Custom authentication, instead of a token. */
  readonly credentials?: Credentials | undefined;
}

/** To several servers of one cluster by their addresses: one is used at a time, and another one when that fails. */
export interface ServerListOptions extends Omit<ServerOptions, 'server'> {
  /** As `server`, each of them. They share the certificate authority and the credentials. */
  readonly servers: readonly string[];
  /** The order of preference; `random` spreads clients over the servers. Default: `random`. */
  readonly serverOrder?: ServerOrder | undefined;
}

/** `listed`: the first of the list that is up; `random`: in an order that is drawn once. */
export type ServerOrder = 'listed' | 'random';

/** Over a custom transport; authentication, retries and the other layers are added to it. */
export interface TransportConnectOptions extends ConnectOptions {
  readonly transport: Transport;
  /** For messages. Default: the transport's name. */
  readonly server?: string | undefined;
  readonly token?: string | undefined;
  readonly credentials?: Credentials | undefined;
}

/** The names of the options on every platform. */
export const CONNECT_NAMES: OptionNames<ServerListOptions & ServerOptions & TransportConnectOptions> = {
  log: true,
  onWarning: true,
  rateLimit: true,
  maxRetries: true,
  impersonate: true,
  namespace: true,
  userAgent: true,
  clock: true,
  maxObjectBytes: true,
  headersTimeoutMs: true,
  server: true,
  servers: true,
  serverOrder: true,
  token: true,
  credentials: true,
  transport: true,
};

/** The credentials of the options. Throws a `TypeError` when there are both a token and credentials. */
export function credentialsOf({
  token,
  credentials,
}: Pick<ServerOptions, 'credentials' | 'token'>): Credentials | undefined {
  if (token !== undefined && credentials !== undefined) throw new TypeError('pass token or credentials, not both');
  return token === undefined ? credentials : bearerCredentials(token);
}

/** The servers in the order of preference. Throws a `TypeError` for an address or an order that is none. */
export function orderedServers(
  { servers, serverOrder = 'random' }: Pick<ServerListOptions, 'serverOrder' | 'servers'>,
  random: () => number = Math.random,
): readonly string[] {
  if (!Array.isArray(servers) || servers.length === 0) throw new TypeError('servers must list one URL at least');
  for (const server of servers) checkServer(server, 'servers');
  const distinct = [...new Set(servers)];
  if (serverOrder === 'listed') return distinct;
  if (serverOrder !== 'random') throw new TypeError(`serverOrder must be listed or random, not ${String(serverOrder)}`);
  return distinct
    .map((server) => ({ server, at: random() }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ server }) => server);
}

/** The name of a cluster of several servers: the same in whatever order, for a checkpoint is kept under it. */
export function clusterName(servers: readonly string[]): string {
  return servers.toSorted().join(',');
}

/** Throws a `TypeError` unless it is an http or https URL. */
export function checkServer(server: string, option: string = 'server'): void {
  if (/^https?:\/\//u.test(server) && URL.canParse(server)) return;
  throw new TypeError(`${option} must be a URL such as https://host:port, not ${server}`);
}
