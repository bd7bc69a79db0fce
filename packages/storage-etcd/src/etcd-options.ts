/** What the user of the etcd engine can set, checked once and resolved to a frozen config. */

import { backgroundClock, systemClock } from '@listwatch/api';
import type { Clock, Duration, HistoryOptions, StorageError } from '@listwatch/storage';
import { checkPrefix, durationMs, resolveHistory } from '@listwatch/storage/internal';
import type { EtcdReach } from './etcd-reach.ts';
import { checkTls } from './tls-source.ts';

/** TLS towards etcd: PEM as text or bytes. Used with `https://` endpoints. */
export interface EtcdTlsOptions {
  /** The authorities that may have signed etcd's certificate. Default: those that Node trusts. */
  readonly ca?: string | Uint8Array | undefined;
  /** The engine's own certificate, for an etcd that asks for one. Needs `key`. */
  readonly cert?: string | Uint8Array | undefined;
  /** The private key of `cert`. */
  readonly key?: string | Uint8Array | undefined;
  /** The name to expect in etcd's certificate. Default: the host of the endpoint. */
  readonly serverName?: string | undefined;
}

/** A user of etcd's own authentication. */
export interface EtcdAuthOptions {
  readonly username: string;
  readonly password: string;
}

/** HTTP/2 pings that notice a connection which is open but silent. */
export interface EtcdKeepAliveOptions {
  /** Ping a connection in use this often. etcd hangs up on clients below its own minimum of 5 s. Default 10 s. */
  readonly interval?: Duration | undefined;
  /** Give the connection up when a ping is not answered within this time. Default 5 s. */
  readonly timeout?: Duration | undefined;
}

/** Options of `createEtcdEngine`. */
export interface EtcdEngineOptions {
  /** Where the members of the cluster listen: `http://host:port` or `https://host:port`, all of one kind. */
  readonly endpoints: readonly string[];
  /**
   * Put before every key as it is, for example `/registry/`. Stores with different roots share a cluster and its one revision.
   * Default: nothing, and then the keys of everyone else, `compact_rev_key` among them, appear in this store as well.
   */
  readonly root?: string | undefined;
  /**
   * A function is asked for each new connection, so that certificates can be replaced while the engine runs; connections
   * that are open stay. It must not block. `tlsFromFiles` makes one.
   */
  readonly tls?: EtcdTlsOptions | (() => EtcdTlsOptions) | undefined;
  /**
   * A function is asked for each login: at the start, and when etcd refuses the token. A new password that etcd refuses is
   * followed by the last one that it accepted, so the file may be replaced before the user. `authFromFiles` makes one.
   */
  readonly auth?: EtcdAuthOptions | (() => EtcdAuthOptions) | undefined;
  /**
   * Called when the function of `tls` or `auth` throws or returns what cannot be used, once for each reason: the engine uses
   * the last good value then. Also when etcd refuses a password that it accepted before. Default: nothing happens.
   */
  readonly onCredentialsError?: ((error: StorageError) => void) | undefined;
  /**
   * How much of the past to keep: `age` drives the compaction. Default 5 minutes, as kube-apiserver: the cluster is
   * shared, its space is limited, and a process must live for two ages before it compacts. etcd cannot honour `bytes`:
   * giving it is an error.
   */
  readonly history?: HistoryOptions | undefined;
  /**
   * Who compacts. `coordinated` (the default): the engines that share the cluster take turns by the scheme of
   * kube-apiserver, on its key `compact_rev_key`, once per `history.age`, so that between one and two ages remain; an
   * engine must run for two ages to take its first turn. `off`: you do, for example with etcd's `--auto-compaction-retention`.
   */
  readonly compaction?: 'coordinated' | 'off' | undefined;
  /**
   * Declares that the cluster answers requests for watch progress in order with the events. Default true;
   * `answersProgressInOrder` asks the members. Set it to false for etcd before 3.4.25 and 3.5.0 to 3.5.7, where the answer can overtake events and would lose them; up to
   * 3.4.30 and 3.5.12 the answer may never come, which is why Kubernetes asks for 3.4.31 or 3.5.13.
   */
  readonly progressRequests?: boolean | undefined;
  /**
   * How many expiring keys may share a lease, and so a revision when they expire. Default 1000, as in Kubernetes; with
   * 1 every key is deleted at its own revision.
   */
  readonly leaseMaxKeys?: number | undefined;
  readonly keepAlive?: EtcdKeepAliveOptions | undefined;
  /** How long an operation may take, retries and failover included. Default 10 s. */
  readonly requestTimeout?: Duration | undefined;
  /** Told when no member serves any more, when one does again, and when another one is used. For a log. */
  readonly onReach?: ((reach: EtcdReach) => void) | undefined;
  /** Default: the machine's clock. */
  readonly clock?: Clock | undefined;
}

/** The resolved options. */
export interface EtcdConfig {
  readonly endpoints: readonly Readonly<{ url: string; target: string; secure: boolean }>[];
  readonly root: string;
  readonly tls: () => EtcdTlsOptions;
  readonly auth: (() => EtcdAuthOptions) | undefined;
  /** Whether `auth` can return another password than before. */
  readonly authCanChange: boolean;
  readonly onCredentialsError: (error: StorageError) => void;
  readonly historyAgeMs: number;
  readonly compaction: 'coordinated' | 'off';
  readonly progressRequests: boolean;
  readonly leaseMaxKeys: number;
  readonly keepAliveIntervalMs: number;
  readonly keepAliveTimeoutMs: number;
  readonly requestTimeoutMs: number;
  readonly onReach: ((reach: EtcdReach) => void) | undefined;
  /** For the housekeeping, which keeps no process alive. */
  readonly clock: Clock;
  /** For waits of callers: Node would exit, without an error, while a call or a watch waits to try again. */
  readonly waitClock: Clock;
}

/** The defaults that are not explained at their option. */
const DEFAULTS = Object.freeze({
  /** As kube-apiserver: at most 1000 objects per lease. */
  leaseMaxKeys: 1000,
  /** kube-apiserver pings every 30 s and waits 10 s; a watch that hangs for 40 s is too long for a live cache. */
  keepAliveInterval: '10s',
  keepAliveTimeout: '5s',
  requestTimeout: '10s',
} as const);

const DEFAULT_HISTORY_AGE = '5m';

/** Throws a `TypeError` or `RangeError` that names the option and what was received. */
export function resolveEtcdOptions(options: EtcdEngineOptions): EtcdConfig {
  const { history = {}, keepAlive = {}, tls = {}, auth, root = '', compaction = 'coordinated' } = options;
  if (history.bytes !== undefined) {
    throw new TypeError(`history.bytes cannot be honoured by etcd (capabilities.historyBytes), got ${history.bytes}`);
  }
  if (compaction !== 'coordinated' && compaction !== 'off') {
    throw new TypeError(`compaction must be 'coordinated' or 'off', got ${JSON.stringify(compaction)}`);
  }
  checkPrefix(root);
  const currentTls = typeof tls === 'function' ? tls : fixed(tls, checkTls);
  const currentAuth = typeof auth === 'object' ? fixed(auth, checkAuth) : auth;
  const { onCredentialsError = ignore } = options;
  for (const [name, given] of Object.entries({ tls: currentTls, auth: currentAuth ?? ignore, onCredentialsError })) {
    if (typeof given !== 'function') throw new TypeError(`${name} must be a function, got ${JSON.stringify(given)}`);
  }
  const leaseMaxKeys = options.leaseMaxKeys ?? DEFAULTS.leaseMaxKeys;
  if (!(Number.isSafeInteger(leaseMaxKeys) && leaseMaxKeys >= 1)) {
    throw new RangeError(`leaseMaxKeys must be a whole number of 1 or more, got ${leaseMaxKeys}`);
  }
  return Object.freeze({
    endpoints: resolveEndpoints(options.endpoints),
    root,
    tls: currentTls,
    auth: currentAuth,
    authCanChange: typeof auth === 'function',
    onCredentialsError,
    historyAgeMs: resolveHistory({ age: history.age ?? DEFAULT_HISTORY_AGE }).ageMs,
    compaction,
    progressRequests: options.progressRequests ?? true,
    leaseMaxKeys,
    keepAliveIntervalMs: positive(keepAlive.interval ?? DEFAULTS.keepAliveInterval, 'keepAlive.interval'),
    keepAliveTimeoutMs: positive(keepAlive.timeout ?? DEFAULTS.keepAliveTimeout, 'keepAlive.timeout'),
    requestTimeoutMs: positive(options.requestTimeout ?? DEFAULTS.requestTimeout, 'requestTimeout'),
    onReach: options.onReach,
    clock: options.clock ?? backgroundClock,
    waitClock: options.clock ?? systemClock,
  });
}

function resolveEndpoints(endpoints: readonly string[]): EtcdConfig['endpoints'] {
  if (!Array.isArray(endpoints) || endpoints.length === 0) {
    throw new TypeError(`endpoints must be a list of at least one URL, got ${JSON.stringify(endpoints)}`);
  }
  const resolved = endpoints.map(resolveEndpoint);
  if (resolved.some(({ secure }) => secure !== resolved[0]?.secure)) {
    throw new TypeError(`endpoints must be all http or all https, got ${endpoints.join(', ')}`);
  }
  return Object.freeze(resolved);
}

function resolveEndpoint(endpoint: string): EtcdConfig['endpoints'][number] {
  let url: URL;
  try {
    url = new URL(endpoint);
  } catch {
    throw new TypeError(`an endpoint must be http://host:port or https://host:port, got ${JSON.stringify(endpoint)}`);
  }
  const secure = url.protocol === 'https:';
  const extra = url.username + url.password + url.pathname.slice(1) + url.search + url.hash;
  if ((url.protocol !== 'http:' && !secure) || url.hostname === '' || extra !== '') {
    throw new TypeError(`an endpoint must be http://host:port or https://host:port, got ${JSON.stringify(endpoint)}`);
  }
  // URL leaves out the port that is the default of the protocol; etcd's own default is another one.
  const port = url.port || (secure ? '443' : '80');
  return Object.freeze({ url: `${url.protocol}//${url.hostname}:${port}`, target: `${url.hostname}:${port}`, secure });
}

function fixed<T>(value: T, check: (value: T) => void): () => T {
  check(value);
  return () => value;
}

function ignore(): void {}

/** Throws a `TypeError` for a user without a name or without a password. */
export function checkAuth(auth: EtcdAuthOptions): void {
  if (typeof auth.username !== 'string' || auth.username === '' || typeof auth.password !== 'string') {
    throw new TypeError(`auth needs a username and a password, got username ${JSON.stringify(auth.username)}`);
  }
}

/** gRPC hands these to Node's timers as they are, and those fire at once for anything longer. */
const LONGEST_TIMER_MS = 24 * 24 * 60 * 60 * 1000;

function positive(duration: Duration, option: string): number {
  const ms = durationMs(duration, option);
  if (ms <= 0 || ms > LONGEST_TIMER_MS) {
    throw new RangeError(`${option} must be longer than 0 and at most 24 days, got ${JSON.stringify(duration)}`);
  }
  return ms;
}
