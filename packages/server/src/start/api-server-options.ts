/** The options of an API server, and the server itself. */

import type { Clock, StorageEngine } from '@listwatch/storage';
import type { ServiceAccountOptions } from '../access/service-account-tokens.ts';
import type { CacheLimits } from '../cache/cache-budgets.ts';
import type { OwnedResources } from '../cache/owned-kinds.ts';
import type { LoopbackOptions, LoopbackRequest, LoopbackResponse } from '../wire/loopback.ts';
import type { NodeRequest } from '../wire/mounted-reply.ts';
import type { RequestListener, RequestListenerOptions } from '../wire/request-listener.ts';
import type { HttpServerOptions } from './http-server-options.ts';

/** Options of `createApiServer`: where objects are kept, and everything that `createHttpServer` takes. */
export interface ApiServerOptions
  extends Omit<
    HttpServerOptions,
    | 'clock'
    | 'debugCache'
    | 'debugState'
    | 'flowHeaders'
    | 'handler'
    | 'healthChecks'
    | 'openId'
    | 'registry'
    | 'version'
  > {
  /** Where objects are kept. The server does not close it. */
  readonly engine: StorageEngine;
  /**
   * How many changes of a kind stay in memory at least, by resource: `pods`, and with its group where it has one,
   * `deployments.apps`. Default: 100, growing as needed.
   */
  readonly watchCacheSizes?: Readonly<Record<string, number>> | undefined;
  /** The same for the kinds that are not named. */
  readonly defaultWatchCacheSize?: number | undefined;
  /** Memory that the caches may use beside the current objects. Default: see {@link CacheLimits}. */
  readonly cacheLimits?: CacheLimits | undefined;
  /** A watch that names no time ends after this long, or up to twice as long. Default: 1800 s. */
  readonly minRequestTimeoutMs?: number | undefined;
  /** How service account tokens are signed and recognized. Default: see {@link ServiceAccountOptions}. */
  readonly serviceAccounts?: ServiceAccountOptions | undefined;
  /** How long Events live after they were last written, at least 1 s. Default: 3 600 000, one hour (kube-apiserver). */
  readonly eventTtlMs?: number | undefined;
  /** Default: the machine's clock. */
  readonly clock?: Clock | undefined;
}

/** A server that answers as kube-apiserver does. */
export interface ApiServer extends AsyncDisposable {
  /** Fills the caches, so that `handle` is answered; no port, and no TLS needed. Safe to call twice. */
  start(): Promise<void>;
  /** Starts and listens; rejects when the port is taken or the store cannot be read, a `TypeError` without `tls`. */
  listen(): Promise<void>;
  /**
   * Answers a request from within the process: same users, same limits, same verbs, no socket. Rejects with a
   * `LoopbackError` where a connection would have broken, or with the signal's own reason.
   */
  handle(request: LoopbackRequest, options?: LoopbackOptions): Promise<LoopbackResponse>;
  /**
   * Answers requests that your own HTTP server has accepted: `http.createServer(listener)`, `app.use('/cluster', listener)`
   * of Express, or the raw objects of Fastify. Call `start` first. TLS and ports are those of your server; watches over
   * WebSocket need the server's own port.
   */
  requestListener<R extends NodeRequest = NodeRequest>(options?: RequestListenerOptions<R>): RequestListener<R>;
  /**
   * Forgets the changes that are kept in memory, all up to now, as a server does in time or when it is restarted. What is
   * asked of the past then comes from the store, or is 410 where that has been compacted. Watches that run go on.
   */
  forgetChanges(): Promise<void>;
  /**
   * The resources with at least one object that has owner references or a finalizer of the garbage collector. A collector
   * in the same process watches these and no others.
   */
  readonly ownedKinds: OwnedResources;
  /** `https://127.0.0.1:6443`, once it listens; `''` before. */
  readonly url: string;
  /** `http://127.0.0.1:8080` when there is a listener without TLS. */
  readonly insecureUrl: string | undefined;
  /** Ends gracefully: no new requests, watches end, the rest finishes. A second call ends at once. */
  close(): Promise<void>;
}
