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

/** Over a custom transport; authentication, retries and the other layers are added to it. */
export interface TransportConnectOptions extends ConnectOptions {
  readonly transport: Transport;
  /** For messages. Default: the transport's name. */
  readonly server?: string | undefined;
  readonly token?: string | undefined;
  readonly credentials?: Credentials | undefined;
}

/** The names of the options on every platform. */
export const CONNECT_NAMES: OptionNames<ServerOptions & TransportConnectOptions> = {
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

/** Throws a `TypeError` unless it is an http or https URL. */
export function checkServer(server: string): void {
  if (/^https?:\/\//u.test(server) && URL.canParse(server)) return;
  throw new TypeError(`server must be a URL such as https://host:port, not ${server}`);
}
