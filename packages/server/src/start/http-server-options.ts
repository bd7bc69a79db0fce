/** The options of an HTTP server, and their defaults. */

import { backgroundClock } from '@listwatch/api';
import { type Clock } from '@listwatch/storage';
import type { Auditor } from '../access/audit/auditor.ts';
import type { Audit } from '../access/audit/create-audit.ts';
import { type Authenticator, firstAuthenticator } from '../access/authenticator.ts';
import { mastersAuthorizer } from '../access/authorizer.ts';
import type { FlowControl } from '../access/flow/flow-control.ts';
import type { HeldRequests } from '../access/revocation/open-requests.ts';
import type { Authorizer } from '../contract/authorization.ts';
import { Registry } from '../contract/metrics.ts';
import type { RequestGate } from '../contract/request-gate.ts';
import type { DebugState, OpenIdDocuments } from '../route/built-in-endpoints.ts';
import type { HealthCheck } from '../route/health.ts';
import type { ErrorReporter, RequestHandler } from '../route/pipeline.ts';
import type { HttpServerAddress } from './create-http-server.ts';
import type { PrimaryOptions } from './process-server.ts';

/** The server's certificate and the CA of its clients. */
export interface TlsOptions {
  /** PEM, with the chain if there is one. */
  readonly cert: string | Buffer;
  /** PEM. */
  readonly key: string | Buffer;
  /** PEM. Absent: the server does not request client certificates. */
  readonly clientCa?: string | Buffer | undefined;
  /** PEM. The authority of front proxies, which name the user in headers. Its certificates alone identify no user. */
  readonly requestHeaderCa?: string | Buffer | undefined;
}

/** Options of `createHttpServer`. Times are in milliseconds. */
export interface HttpServerOptions {
  readonly handler: RequestHandler;
  /** Absent: the server cannot listen, and answers in-process requests only. */
  readonly tls?: TlsOptions | undefined;
  /** Where to listen. Default: `127.0.0.1`. */
  readonly host?: string | undefined;
  /** Default: 0, any free port. */
  readonly port?: number | undefined;
  /** The port of a second listener without TLS, on 127.0.0.1 only. Clients still authenticate. Default: none. */
  readonly insecurePort?: number | undefined;
  /** Default: every request is anonymous. */
  readonly authenticator?: Authenticator | undefined;
  /** Default: `mastersAuthorizer()`. */
  readonly authorizer?: Authorizer | undefined;
  /** Fairness among users. With it `maxReadsInFlight` and `maxMutatingInFlight` are not used. Default: none. */
  readonly flowControl?: FlowControl | undefined;
  /** Ends watches when their users have lost what they need. Default: nobody does. */
  readonly openRequests?: HeldRequests | undefined;
  /** Records requests. Default: nothing is recorded. */
  readonly auditor?: Auditor | undefined;
  /** Passes requests on to another server. Default: this one answers them all. */
  readonly gate?: RequestGate | undefined;
  /** Health checks; more can be added to the server's `health`. Default: only `ping`, and `shutdown` for readiness. */
  readonly healthChecks?: readonly HealthCheck[] | undefined;
  /** What `/version` answers, JSON as it is sent. Absent: the handler is asked. */
  readonly version?: Buffer | undefined;
  /** What `/debug/cache` shows. Absent: the handler is asked. */
  readonly debugCache?: (() => unknown) | undefined;
  /** What `/debug/overview` and `/debug/history` answer. Absent: the handler is asked. */
  readonly debugState?: DebugState | undefined;
  /** What `/debug/audit` answers. Absent: the handler is asked. */
  readonly debugAudit?: Audit['trail'];
  /** What `/debug/webhooks` answers. Default: 404. */
  readonly debugWebhooks?: (() => unknown) | undefined;
  /** The documents of OpenID Connect. Absent: the handler is asked. */
  readonly openId?: OpenIdDocuments | undefined;
  /** Where metrics are registered, the server's own and those of others. Default: a new registry. */
  readonly registry?: Registry | undefined;
  /** Where another process listens for this server. Default: nowhere. */
  readonly listensAt?: (() => HttpServerAddress | undefined) | undefined;
  /** The readers of this server. Default: it has none. */
  readonly primary?: PrimaryOptions | undefined;
  /** More lines for `/metrics`, in the text format of Prometheus; asked for each time. Default: none. */
  readonly moreMetrics?: (() => string) | undefined;
  /** Called when the server begins to drain: what it holds open for its clients must end. Default: nothing. */
  readonly onDrain?: (() => void) | undefined;
  /** Called with failures that are no `StatusError`. Must not throw. Default: failures are not reported. */
  readonly onError?: ErrorReporter | undefined;
  /** Default: 400, as kube-apiserver. 0: no limit. */
  readonly maxReadsInFlight?: number | undefined;
  /** Default: 200, as kube-apiserver. 0: no limit. */
  readonly maxMutatingInFlight?: number | undefined;
  /** Default: 0, no limit: an idle watch costs little and refusing one breaks an informer. */
  readonly maxWatches?: number | undefined;
  /** Default: 3 MiB. */
  readonly maxBodyBytes?: number | undefined;
  /** Limit of all headers and the URL of a request together. Default: 128 KiB. */
  readonly maxHeaderBytes?: number | undefined;
  /** Default: 64 KiB. */
  readonly maxUrlBytes?: number | undefined;
  /** Limit for one HTTP/2 connection. Default: 100, as kube-apiserver. */
  readonly maxConcurrentStreams?: number | undefined;
  /** How long a request other than a watch may take. Default: 60 s. */
  readonly requestTimeoutMs?: number | undefined;
  /** How long a client may take to send its headers. Default: 32 s, as kube-apiserver. */
  readonly headersTimeoutMs?: number | undefined;
  /** How long a client may take to read an answer, plus one second for each 64 KiB of it. Default: 30 s. */
  readonly readTimeoutMs?: number | undefined;
  /** How long a TLS handshake may take. Default: 10 s. */
  readonly handshakeTimeoutMs?: number | undefined;
  /** How long a connection may be idle. Default: 90 s, as kube-apiserver. */
  readonly idleTimeoutMs?: number | undefined;
  /** How long a closing server still accepts requests while `/readyz` fails. Default: 0. */
  readonly shutdownDelayMs?: number | undefined;
  /** How long running requests may take to finish after the shutdown delay. Default: `requestTimeoutMs`. */
  readonly drainTimeoutMs?: number | undefined;
  /** Default: the machine's clock. */
  readonly clock?: Clock | undefined;
}

/** Options that may stay open. */
type Open =
  | 'auditor'
  | 'debugAudit'
  | 'debugCache'
  | 'debugWebhooks'
  | 'debugState'
  | 'flowControl'
  | 'gate'
  | 'insecurePort'
  | 'listensAt'
  | 'moreMetrics'
  | 'openId'
  | 'openRequests'
  | 'primary'
  | 'tls'
  | 'version';

/** The options with their defaults filled in. */
export type HttpServerConfig = {
  readonly [K in Exclude<keyof HttpServerOptions, Open>]-?: Exclude<HttpServerOptions[K], undefined>;
} & Pick<HttpServerOptions, Open>;

const PORT_MAX = 65_535;

/** Fills in the defaults. Throws a `TypeError` or a `RangeError` that names the option. */
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
    flowControl: options.flowControl,
    openRequests: options.openRequests,
    auditor: options.auditor,
    gate: options.gate,
    healthChecks: options.healthChecks ?? [],
    version: options.version,
    debugCache: options.debugCache,
    debugState: options.debugState,
    debugAudit: options.debugAudit,
    debugWebhooks: options.debugWebhooks,
    openId: options.openId,
    registry: options.registry ?? new Registry(),
    listensAt: options.listensAt,
    primary: options.primary,
    moreMetrics: options.moreMetrics,
    onDrain: options.onDrain ?? (() => {}),
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
