/** The steps of every request, from its incoming to the end of its answer. Start here. */
import { randomUUID } from 'node:crypto';
import { badRequest, failure, HEADER, requestTimeout, StatusError, serviceUnavailable } from '@listwatch/api';
import type { Clock } from '@listwatch/storage';
import { type Authenticator, authenticated, bearerToken } from '../access/authenticator.ts';
import { accessAttributes, authorize } from '../access/authorizer.ts';
import type { FlowHeaders } from '../access/flow-classifier.ts';
import { impersonate } from '../access/impersonation.ts';
import { readImpersonation } from '../access/impersonation-headers.ts';
import type { InFlight } from '../access/in-flight.ts';
import type { RequestMetrics } from '../access/request-metrics.ts';
import { websocketToken } from '../access/websocket-token.ts';
import { failureResponse, statusErrorOf } from '../answer/failure-response.ts';
import { acceptsGzip, writeResponse } from '../answer/write-response.ts';
import type { ApiRequest, UserInfo } from '../contract/api-request.ts';
import type { ApiResponse } from '../contract/api-response.ts';
import type { AccessAttributes, Authorizer } from '../contract/authorization.ts';
import type { IncomingRequest } from '../contract/incoming-request.ts';
import type { Reply } from '../contract/reply.ts';
import type { Route } from '../contract/route.ts';
import { AuthorizedRequest } from './authorized-request.ts';
import type { BuiltInEndpoints } from './built-in-endpoints.ts';
import { HEALTH_ENDPOINTS } from './health.ts';
import { negotiateFailure } from './negotiate.ts';
import { parseRoute } from './parse-route.ts';
import { requestTimeoutMs } from './request-deadline.ts';
import { RequestLifetime } from './request-lifetime.ts';
import { parseTarget, type RequestTarget } from './request-target.ts';

/** Answers the API. Throws failures as `StatusError`. */
export type RequestHandler = (request: ApiRequest) => Promise<ApiResponse>;

/** Reports a failure that is no `StatusError`, with the request that met it. */
export type ErrorReporter = (
  error: unknown,
  request: { readonly method: string; readonly target: string; readonly auditId: string },
) => void;

/** The steps that a request goes through. */
export interface PipelineParts {
  /** Are new requests still taken? */
  readonly isDraining: () => boolean;
  readonly inFlight: InFlight;
  readonly authenticator: Authenticator;
  readonly authorizer: Authorizer;
  /** Headers that tell how flow control classified the request. */
  readonly flowHeaders?: ((attributes: AccessAttributes) => FlowHeaders | undefined) | undefined;
  readonly builtIns: BuiltInEndpoints;
  readonly handler: RequestHandler;
  readonly metrics: RequestMetrics;
  readonly clock: Clock;
  readonly requestTimeoutMs: number;
  readonly maxBodyBytes: number;
  readonly maxUrlBytes: number;
  readonly onError: ErrorReporter;
}

/** One request in the pipeline. */
interface Call {
  readonly incoming: IncomingRequest;
  readonly target: RequestTarget;
  readonly route: Route;
  readonly life: RequestLifetime;
  readonly reply: Reply;
  /** Known as soon as the user is. */
  flow?: FlowHeaders | undefined;
}

const UNREADABLE: RequestTarget = { path: '/', query: '' };

/** Paths without limits, also during shutdown: operators need them most when the server is in trouble. */
const ALWAYS_SERVED: ReadonlySet<string> = new Set([...HEALTH_ENDPOINTS, 'metrics']);

/** Makes the function that answers a request. It never throws, and its promise never rejects. */
export function createPipeline(parts: PipelineParts): (incoming: IncomingRequest, reply: Reply) => Promise<void> {
  return async (incoming, reply) => {
    try {
      await serve(parts, incoming, reply);
    } catch (error) {
      // Not even the failure could be answered. A rejection that nobody handles would end the process.
      cutReply(reply);
      report(parts, incoming, '', error);
    }
  };
}

async function serve(parts: PipelineParts, incoming: IncomingRequest, reply: Reply): Promise<void> {
  const target = parseTarget(incoming.target);
  const route = parseRoute(incoming.method, target ?? UNREADABLE, incoming.header('user-agent'));
  const call: Call = { incoming, target: target ?? UNREADABLE, route, life: new RequestLifetime(), reply };
  const auditId = auditIdOf(incoming);
  onEnd(parts.metrics, route, call.life, reply);
  try {
    if (target === undefined) throw badRequest('the request target is neither a path nor a URL');
    await beforeDeadline(parts, call, () => answer(parts, call, auditId));
  } catch (error) {
    await fail(parts, call, auditId, error);
  }
}

function cutReply(reply: Reply): void {
  try {
    reply.cut();
  } catch {
    // The connection is gone, or its deadline ends it.
  }
}

/** Reports a failure. The reporter belongs to the user of the server; its own failure has no one left to report to. */
function report(
  { onError }: PipelineParts,
  { method, target }: IncomingRequest,
  auditId: string,
  error: unknown,
): void {
  try {
    onError(error, { method, target, auditId });
  } catch {
    // See above.
  }
}

/**
 * Ends the request with its reply. A function of its own, because its closure is all that an idle watch keeps of the
 * request; inside the pipeline it would keep the headers too.
 */
function onEnd(metrics: RequestMetrics, route: Route, life: RequestLifetime, reply: Reply): void {
  const started = performance.now();
  reply.onClose(() => {
    life.end(clientGone);
    metrics.observe(route, reply.status, (performance.now() - started) / 1000);
  });
}

/** The steps in order; each throws a `StatusError` when it refuses the request. */
async function respond(parts: PipelineParts, call: Call): Promise<ApiResponse> {
  const { life, route } = call;
  checkTarget(parts, call);
  const isLimited = !isAlwaysServed(route);
  if (isLimited) checkShutdown(parts);
  const user = await identify(parts, call);
  const attributes = accessAttributes(route, user);
  call.flow = parts.flowHeaders?.(attributes);
  await authorize(parts.authorizer, attributes);
  // Only authorized requests take a place: what anybody can send must not use up the limits.
  if (isLimited) life.holdPlace(parts.inFlight.enter(route.kind));
  return parts.builtIns(route) ?? parts.handler(toRequest(parts, call, user));
}

async function answer(parts: PipelineParts, call: Call, auditId: string): Promise<void> {
  const { incoming, life, reply } = call;
  const response = await respond(parts, call);
  if (response.type === 'bytes') life.finishWork();
  if (reply.closed || reply.status !== 0) return discard(response);
  if (response.type === 'watch') life.cancelDeadline();
  await writeResponse(reply, response, {
    headers: commonHeaders(auditId, call),
    gzip: acceptsGzip(incoming.header('accept-encoding')),
    isHead: incoming.method === 'HEAD',
    onProduced: () => {
      life.leavePlace();
      // From here on the client has its time to read; a streamed answer is still being made while it is read.
      if (response.type === 'bytes') life.cancelDeadline();
    },
  });
}

async function beforeDeadline(parts: PipelineParts, call: Call, work: () => Promise<void>): Promise<void> {
  const ms = requestTimeoutMs(call.route, parts.requestTimeoutMs);
  await Promise.race([work(), call.life.deadline(parts.clock, ms, requestTimeout)]);
}

async function fail(parts: PipelineParts, call: Call, auditId: string, error: unknown): Promise<void> {
  const { incoming, route, life, reply } = call;
  const told = statusErrorOf(error);
  if (told !== error && !life.over) report(parts, incoming, auditId, error);
  if (reply.closed) return;
  // A part of the answer is out. A cut connection at least does not look like a complete answer.
  if (reply.status !== 0) return reply.cut();
  const response = failureResponse(told, negotiateFailure(incoming.header('accept'), route.pretty));
  const closing = parts.isDraining() && incoming.protocol === 'http/1.1' ? { connection: 'close' } : {};
  const headers = { ...commonHeaders(auditId, call), ...closing };
  life.leavePlace();
  await writeResponse(reply, response, {
    headers,
    gzip: false,
    isHead: incoming.method === 'HEAD',
    onProduced: () => life.cancelDeadline(),
  });
}

function checkTarget({ maxUrlBytes }: PipelineParts, { incoming, route }: Call): void {
  if (incoming.target.length > maxUrlBytes) {
    throw failure({ code: 414, reason: '', message: `the request URL is longer than ${maxUrlBytes} bytes` });
  }
  if (route.path.type === 'malformed') throw badRequest(route.path.message);
}

function checkShutdown({ isDraining }: PipelineParts): void {
  if (isDraining()) {
    throw new StatusError(serviceUnavailable('apiserver is shutting down').status, { retryAfterMs: 1000 });
  }
}

function isAlwaysServed({ path }: Route): boolean {
  return path.type === 'other' && ALWAYS_SERVED.has(path.parts[0] ?? '');
}

/** The user that the request acts as. */
async function identify({ authenticator, authorizer }: PipelineParts, { incoming, route }: Call): Promise<UserInfo> {
  const user = await authenticate(authenticator, incoming);
  const wanted = readImpersonation(incoming.rawHeaders);
  return wanted === undefined ? user : impersonate(authorizer, accessAttributes(route, user), wanted);
}

async function authenticate(authenticator: Authenticator, incoming: IncomingRequest): Promise<UserInfo> {
  if (incoming.user !== undefined) return authenticated(incoming.user);
  const token =
    bearerToken(incoming.header('authorization')) ??
    (incoming.protocol === 'websocket' ? websocketToken(incoming.header('sec-websocket-protocol')) : undefined);
  const user = await authenticator.authenticate({ token, certificate: incoming.certificate() });
  if (user === undefined) throw new TypeError('the authenticator returned no user and did not throw');
  return user;
}

function toRequest(
  { maxBodyBytes }: PipelineParts,
  { incoming, target, route, life }: Call,
  user: UserInfo,
): ApiRequest {
  return new AuthorizedRequest({ incoming, target, route, user, life, maxBodyBytes });
}

function clientGone(): Error {
  return new DOMException('The client has gone', 'AbortError');
}

/** Releases what an answer holds that came too late to be sent. */
async function discard(response: ApiResponse): Promise<void> {
  if (response.type !== 'stream') return;
  const { chunks } = response;
  if (Symbol.asyncIterator in chunks) await chunks[Symbol.asyncIterator]().return?.();
  else chunks[Symbol.iterator]().return?.();
}

function commonHeaders(auditId: string, { flow }: Call): Readonly<Record<string, string>> {
  return { [HEADER.auditId.toLowerCase()]: auditId, 'cache-control': 'no-cache, private', ...flow };
}

function auditIdOf(incoming: IncomingRequest): string {
  const given = incoming.header(HEADER.auditId.toLowerCase()) ?? '';
  return /^[\x21-\x7e]{1,64}$/u.test(given) ? given : randomUUID();
}
