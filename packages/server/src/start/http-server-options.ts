/** What can be told to an HTTP server, and what holds when nothing is said. */

import { backgroundClock } from '@listwatch/api';
import { type Clock } from '@listwatch/storage';
import { Registry } from 'prom-client';
import { type Authenticator, firstAuthenticator } from '../access/authenticator.ts';
import { mastersAuthorizer } from '../access/authorizer.ts';
import type { FlowHeaders } from '../access/flow-classifier.ts';
import type { AccessAttributes, Authorizer } from '../contract/authorization.ts';
import type { DebugState, OpenIdDocuments } from '../route/built-in-endpoints.ts';
import type { HealthCheck } from '../route/health.ts';
import type { ErrorReporter, RequestHandler } from '../route/pipeline.ts';

/** The server's own certificate and the authority of its clients. */
export interface TlsOptions {
  /** PEM, with the chain if there is one. */
  readonly cert: string | Buffer;
  /** PEM. */
  readonly key: string | Buffer;
  /** PEM. Absent: clients are not asked for certificates. */
  readonly clientCa?: string | Buffer | undefined;
}

/** Options of `createHttpServer`. Times are in milliseconds. */
export interface HttpServerOptions {
  readonly handler: RequestHandler;
  /** Absent: it cannot listen, and serves only requests from within the process. */
  readonly tls?: TlsOptions | undefined;
  /** Where to listen. Default: `127.0.0.1`. */
  readonly host?: string | undefined;
  /** Default: 0, any free port. */
  readonly port?: number | undefined;
  /** A second listener without TLS, on 127.0.0.1 only; who asks there must still say who they are. Default: none. */
  readonly insecurePort?: number | undefined;
  /** Default: knows nobody, so that everybody is anonymous. */
  readonly authenticator?: Authenticator | undefined;
  /** Default: `mastersAuthorizer()`. */
  readonly authorizer?: Authorizer | undefined;
  /** The headers that tell how a request was classified. Default: none. */
  readonly flowHeaders?: ((attributes: AccessAttributes) => FlowHeaders | undefined) | undefined;
  /** More can be added to the server's `health`. Default: only `ping`, and `shutdown` for readiness. */
  readonly healthChecks?: readonly HealthCheck[] | undefined;
  /** What `/version` answers, JSON as it is sent. Absent: the handler is asked. */
  readonly version?: Buffer | undefined;
  /** What `/debug/cache` shows. Absent: the handler is asked. */
  readonly debugCache?: (() => unknown) | undefined;
  /** What `/debug/overview` and `/debug/history` answer. Absent: the handler is asked. */
  readonly debugState?: DebugState | undefined;
  /** The documents of OpenID Connect. Absent: the handler is asked. */
  readonly openId?: OpenIdDocuments | undefined;
  /** Where metrics are registered, the server's own and those of others. Default: a new registry. */
  readonly registry?: Registry | undefined;
  /** More lines for `/metrics`, in the text format of Prometheus; asked for each time. Default: none. */
  readonly moreMetrics?: (() => string) | undefined;
  /** Hears of failures that are no `StatusError`. Must not throw. Default: nobody hears. */
  readonly onError?: ErrorReporter | undefined;
  /** Default: 400, as kube-apiserver. 0: no limit. */
  readonly maxReadsInFlight?: number | undefined;
  /** Default: 200, as kube-apiserver. 0: no limit. */
  readonly maxMutatingInFlight?: number | undefined;
  /** Default: 0, no limit: an idle watch costs little and refusing one breaks an informer. */
  readonly maxWatches?: number | undefined;
  /** Default: 3 MiB. */
  readonly maxBodyBytes?: number | undefined;
  /** All headers of a request together, with its URL. Default: 128 KiB. */
  readonly maxHeaderBytes?: number | undefined;
  /** Default: 64 KiB. */
  readonly maxUrlBytes?: number | undefined;
  /** Of one HTTP/2 connection. Default: 100, as kube-apiserver. */
  readonly maxConcurrentStreams?: number | undefined;
  /** How long a request other than a watch may take. Default: 60 s. */
  readonly requestTimeoutMs?: number | undefined;
  /** How long a client may take to send its headers. Default: 32 s, as kube-apiserver. */
  readonly headersTimeoutMs?: number | undefined;
  /** How long a client may take to read an answer, plus one second for each 64 KiB of it. Default: 30 s. */
  readonly readTimeoutMs?: number | undefined;
  /** How long a TLS handshake may take. Default: 10 s. */
  readonly handshakeTimeoutMs?: number | undefined;
  /** How long a connection may stay without a request. Default: 90 s, as kube-apiserver. */
  readonly idleTimeoutMs?: number | undefined;
  /** How long a closing server goes on as if nothing were, but for `/readyz`. Default: 0. */
  readonly shutdownDelayMs?: number | undefined;
  /** How long requests may take to finish after that. Default: `requestTimeoutMs`. */
  readonly drainTimeoutMs?: number | undefined;
  /** Default: the machine's clock. */
  readonly clock?: Clock | undefined;
}

/** Options that may stay open. */
type Open = 'debugCache' | 'debugState' | 'flowHeaders' | 'insecurePort' | 'moreMetrics' | 'openId' | 'tls' | 'version';

/** The options with nothing left open that has a default. */
export type HttpServerConfig = {
  readonly [K in Exclude<keyof HttpServerOptions, Open>]-?: Exclude<HttpServerOptions[K], undefined>;
} & Pick<HttpServerOptions, Open>;

const PORT_MAX = 65_535;

/** Fills in what was not said. Throws a `TypeError` or a `RangeError` that names the option. */
export function httpServerConfig(options: HttpServerOptions): HttpServerConfig {
  if (typeof options.handler !== 'function') throw new TypeError('handler must be a function');
  if (options.tls !== undefined && !(options.tls.cert && options.tls.key))
    throw new TypeError('tls needs a cert and a key');
  const requestTimeoutMs = options.requestTimeoutMs ?? 60_000;
  const config: HttpServerConfig = {
    handler: options.handler,
    tls: options.tls,
    host: options.host ?? '127.0.0.1',
    port: options.port ?? 0,
    insecurePort: options.insecurePort,
    authenticator: options.authenticator ?? firstAuthenticator([]),
    authorizer: options.authorizer ?? mastersAuthorizer(),
    flowHeaders: options.flowHeaders,
    healthChecks: options.healthChecks ?? [],
    version: options.version,
    debugCache: options.debugCache,
    debugState: options.debugState,
    openId: options.openId,
    registry: options.registry ?? new Registry(),
    moreMetrics: options.moreMetrics,
    onError: options.onError ?? (() => {}),
    maxReadsInFlight: options.maxReadsInFlight ?? 400,
    maxMutatingInFlight: options.maxMutatingInFlight ?? 200,
    maxWatches: options.maxWatches ?? 0,
    maxBodyBytes: options.maxBodyBytes ?? 3 * 1024 * 1024,
    maxHeaderBytes: options.maxHeaderBytes ?? 128 * 1024,
    maxUrlBytes: options.maxUrlBytes ?? 64 * 1024,
    maxConcurrentStreams: options.maxConcurrentStreams ?? 100,
    requestTimeoutMs,
    headersTimeoutMs: options.headersTimeoutMs ?? 32_000,
    readTimeoutMs: options.readTimeoutMs ?? 30_000,
    handshakeTimeoutMs: options.handshakeTimeoutMs ?? 10_000,
    idleTimeoutMs: options.idleTimeoutMs ?? 90_000,
    shutdownDelayMs: options.shutdownDelayMs ?? 0,
    drainTimeoutMs: options.drainTimeoutMs ?? requestTimeoutMs,
    clock: options.clock ?? backgroundClock,
  };
  checkNumbers(config);
  return Object.freeze(config);
}

/** Options whose 0 has a meaning. */
const MAY_BE_ZERO: ReadonlySet<string> = new Set([
  'drainTimeoutMs',
  'insecurePort',
  'maxMutatingInFlight',
  'maxReadsInFlight',
  'maxWatches',
  'port',
  'shutdownDelayMs',
]);

function checkNumbers(config: HttpServerConfig): void {
  for (const [name, value] of Object.entries(config)) {
    if (!/(?:Bytes|InFlight|Ms|Streams|Watches|[pP]ort)$/u.test(name) || value === undefined) continue;
    const least = MAY_BE_ZERO.has(name) ? 0 : 1;
    const most = /port$/iu.test(name) ? PORT_MAX : Number.MAX_SAFE_INTEGER;
    if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < least || value > most) {
      throw new RangeError(`${name} must be a whole number from ${least} to ${most}, not ${JSON.stringify(value)}`);
    }
  }
}
