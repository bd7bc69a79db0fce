/** The options of an API server, and the server itself. */

import type { Clock, StorageEngine } from '@listwatch/storage';
import type { AuditOptions } from '../access/audit/audit-options.ts';
import type { AuthenticationOptions } from '../access/authentication/create-authentication.ts';
import type { AuthorizationModes } from '../access/authorization-mode.ts';
import type { ServiceAccountOptions } from '../access/service-account-tokens.ts';
import type { AggregationOptions } from '../aggregate/aggregation-options.ts';
import type { CacheLimits } from '../cache/cache-budgets.ts';
import type { OwnedResources } from '../cache/owned-kinds.ts';
import type { InProcessWebhooks } from '../contract/in-process-webhooks.ts';
import type { KubeletOptions } from '../forward/forward-options.ts';
import type { LoopbackOptions, LoopbackRequest, LoopbackResponse } from '../wire/loopback/loopback.ts';
import type { NodeRequest } from '../wire/mounted-reply.ts';
import type { RequestListener, RequestListenerOptions } from '../wire/request-listener.ts';
import type { OptionalAdmissionPlugin } from '../write/admission/optional-plugins.ts';
import type { HttpServerOptions } from './http-server-options.ts';

/** Options of `createApiServer`: the storage engine, and all options of `createHttpServer`. */
export interface ApiServerOptions
  extends Omit<
    HttpServerOptions,
    | 'auditor'
    | 'clock'
    | 'debugAudit'
    | 'debugCache'
    | 'debugWebhooks'
    | 'debugState'
    | 'flowControl'
    | 'gate'
    | 'handler'
    | 'healthChecks'
    | 'onDrain'
    | 'openId'
    | 'openRequests'
    | 'listensAt'
    | 'primary'
    | 'registry'
    | 'version'
  > {
  /** The storage engine. The server does not close it. */
  readonly engine: StorageEngine;
  /**
   * The minimum number of changes that stay in memory, by resource: `pods`, and with its group where it has one,
   * `deployments.apps`. Default: 100, growing as needed.
   */
  readonly watchCacheSizes?: Readonly<Record<string, number>> | undefined;
  /** The same for all other resources. */
  readonly defaultWatchCacheSize?: number | undefined;
  /** Memory limits of the caches beside the current objects. Default: see {@link CacheLimits}. */
  readonly cacheLimits?: CacheLimits | undefined;
  /** A watch without `timeoutSeconds` ends after this time to twice this time. Default: 1800 s. */
  readonly minRequestTimeoutMs?: number | undefined;
  /**
   * Who may do what: `RBAC` by the roles and bindings in the store, `Node` for kubelets, `AlwaysAllow` for a server that only trusted
   * programs reach, several in their order, with authorizers of your own between them, or a `ConfiguredAuthorization` of
   * `@listwatch/server/authorization`. Members of `system:masters` may do everything. Ignored with an `authorizer`. Default: `RBAC`.
   */
  readonly authorization?: AuthorizationModes | undefined;
  /**
   * Fairness among users by FlowSchemas and PriorityLevelConfigurations; `maxReadsInFlight` and `maxMutatingInFlight` are added
   * to the number of all seats. Without it each is a limit of its own. Default: true.
   */
  readonly enablePriorityAndFairness?: boolean | undefined;
  /**
   * Who may use the server, in the order of kube-apiserver. An `authenticator` of your own knows more users. Default: service
   * accounts and anonymous users.
   */
  readonly authentication?: AuthenticationOptions | undefined;
  /**
   * Ends open watches, and streams of exec, attach, port-forward, logs and proxies, within a second when their user could not open
   * them again: a binding, role, service account, token or certificate was revoked or has expired. Kubernetes lets them go on. Default: false.
   */
  readonly endWatchesOnRevocation?: boolean | undefined;
  /** Admission plugins that are off by default: `NodeRestriction` lets a kubelet write only what is its own. Default: none. */
  readonly admissionPlugins?: readonly OptionalAdmissionPlugin[] | undefined;
  /** How service account tokens are signed and recognized. Default: see {@link ServiceAccountOptions}. */
  readonly serviceAccounts?: ServiceAccountOptions | undefined;
  /**
   * How kubelets, Pods and Services are reached, for logs, exec, attach, port-forward and proxies. Default: not at all; these are
   * answered as if nothing could be reached.
   */
  readonly kubelets?: KubeletOptions | undefined;
  /**
   * What Services get their addresses from: one range, or one of IPv4 and one of IPv6 for dual-stack Services, the primary one first.
   * It makes the ServiceCIDR `kubernetes` of a new store; later that decides. Default: `10.96.0.0/12`.
   */
  readonly serviceClusterIpRanges?: readonly string[] | undefined;
  /** How the backends of APIServices are reached. Default: not at all; they are not available. */
  readonly aggregation?: AggregationOptions | undefined;
  /** What is recorded of requests, and where. Default: nothing is. */
  readonly audit?: AuditOptions | undefined;
  /** How long Events live after they were last written, at least 1 s. Default: 3 600 000, one hour (kube-apiserver). */
  readonly eventTtlMs?: number | undefined;
  /**
   * Writes of more bytes, in the body and in the store, are worked on in a worker thread, so that other requests need not wait.
   * Default: 8192. `Infinity`: never.
   */
  readonly largeWriteBytes?: number | undefined;
  /** Webhooks that are called without a socket; asked before each call. Default: none. */
  readonly inProcessWebhooks?: InProcessWebhooks | undefined;
  /** Default: the machine's clock. */
  readonly clock?: Clock | undefined;
}

/** A server that answers as kube-apiserver does. */
export interface ApiServer extends AsyncDisposable {
  /** Fills the caches, so that `handle` works. Opens no port and needs no TLS. Safe to call twice. */
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
   * Drops all changes from memory, as a restart does. Requests for older versions are then answered from the store, or with
   * 410 where it has been compacted. Running watches go on.
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
