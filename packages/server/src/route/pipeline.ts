/** The steps of every request, from its arrival to the end of its answer. Start here. */
import { randomUUID } from 'node:crypto';
import { badRequest, failure, HEADER, requestTimeout, StatusError, serviceUnavailable } from '@listwatch/api';
import type { Clock } from '@listwatch/storage';
import { type Authenticator, authenticated, bearerToken } from '../access/authenticator.ts';
import { accessAttributes, authorize } from '../access/authorizer.ts';
import { impersonate } from '../access/impersonation.ts';
import { readImpersonation } from '../access/impersonation-headers.ts';
import type { InFlight } from '../access/in-flight.ts';
import type { HttpMetrics } from '../access/request-metrics.ts';
import { websocketToken } from '../access/websocket-token.ts';
import { failureResponse, statusErrorOf } from '../answer/failure-response.ts';
import { acceptsGzip, writeResponse } from '../answer/write-response.ts';
import type { ApiRequest, UserInfo } from '../contract/api-request.ts';
import type { ApiResponse } from '../contract/api-response.ts';
import { type Arrival } from '../contract/arrival.ts';
import { type Authorizer } from '../contract/authorization.ts';
import type { Reply } from '../contract/reply.ts';
import type { Route } from '../contract/route.ts';
import type { BuiltInEndpoints } from './built-in-endpoints.ts';
import { HEALTH_ENDPOINTS } from './health.ts';
import { WireRequest } from './incoming-request.ts';
import { negotiateFailure } from './negotiate.ts';
import { parseRoute } from './parse-route.ts';
import { requestTimeoutMs } from './request-deadline.ts';
import { RequestLifetime } from './request-lifetime.ts';
import { parseTarget, type RequestTarget } from './request-target.ts';

/** What answers the API itself. Failures are thrown as `StatusError`. */
export type RequestHandler = (request: ApiRequest) => Promise<ApiResponse>;

/** A failure that nobody foresaw, and the request that met it. */
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
  readonly builtIns: BuiltInEndpoints;
  readonly handler: RequestHandler;
  readonly metrics: HttpMetrics;
  readonly clock: Clock;
  readonly requestTimeoutMs: number;
  readonly maxBodyBytes: number;
  readonly maxUrlBytes: number;
  readonly onError: ErrorReporter;
}

/** One request on its way. */
interface Call {
  readonly arrival: Arrival;
  readonly target: RequestTarget;
  readonly route: Route;
  readonly life: RequestLifetime;
  readonly reply: Reply;
}

const UNREADABLE: RequestTarget = { path: '/', query: '' };

/** Paths that are answered when nothing else is: whoever looks after a server must see it when it is in trouble. */
const ALWAYS_SERVED: ReadonlySet<string> = new Set([...HEALTH_ENDPOINTS, 'metrics']);

/** Makes the function that answers a request. It never throws, and its promise never rejects. */
export function createPipeline(parts: PipelineParts): (arrival: Arrival, reply: Reply) => Promise<void> {
  return async (arrival, reply) => {
    const target = parseTarget(arrival.target);
    const route = parseRoute(arrival.method, target ?? UNREADABLE, arrival.header('user-agent'));
    const call: Call = { arrival, target: target ?? UNREADABLE, route, life: new RequestLifetime(), reply };
    const auditId = auditIdOf(arrival);
    onEnd(parts.metrics, route, call.life, reply);
    try {
      if (target === undefined) throw badRequest('the request target is neither a path nor a URL');
      await beforeDeadline(parts, call, () => answer(parts, call, auditId));
    } catch (error) {
      await fail(parts, call, auditId, error);
    }
  };
}

/**
 * What is done when the reply is over. A function of its own, so that what it remembers is all that an idle watch keeps of its
 * request: in the pipeline it would hold the headers as well.
 */
function onEnd(metrics: HttpMetrics, route: Route, life: RequestLifetime, reply: Reply): void {
  const started = performance.now();
  reply.onClose(() => {
    life.end(clientGone);
    metrics.observe(route, reply.status, (performance.now() - started) / 1000);
  });
}

/** The steps in their order; each one throws the `StatusError` with which it refuses. */
async function respond(parts: PipelineParts, call: Call): Promise<ApiResponse> {
  const { life, route } = call;
  checkTarget(parts, call);
  const isLimited = !isAlwaysServed(route);
  if (isLimited) checkShutdown(parts);
  const user = await identify(parts, call);
  await authorize(parts.authorizer, accessAttributes(route, user));
  // Only authorized requests take a place: what anybody can send must not use up the limits.
  if (isLimited) life.holdPlace(parts.inFlight.enter(route.kind));
  return parts.builtIns(route) ?? parts.handler(toRequest(parts, call, user));
}

async function answer(parts: PipelineParts, call: Call, auditId: string): Promise<void> {
  const { arrival, life, reply } = call;
  const response = await respond(parts, call);
  if (response.type === 'bytes') life.finishWork();
  if (reply.closed || reply.status !== 0) return discard(response);
  if (response.type === 'watch') life.cancelDeadline();
  await writeResponse(reply, response, {
    headers: commonHeaders(auditId),
    gzip: acceptsGzip(arrival.header('accept-encoding')),
    isHead: arrival.method === 'HEAD',
    onProduced: () => {
      life.leavePlace();
      // From here on the client has its time to read; a streamed answer is still being made while it is read.
      if (response.type === 'bytes') life.cancelDeadline();
    },
  });
}

async function beforeDeadline(parts: PipelineParts, call: Call, work: () => Promise<void>): Promise<void> {
  const ms = requestTimeoutMs(call.route, parts.requestTimeoutMs);
  if (ms === undefined) return work();
  await Promise.race([work(), call.life.deadline(parts.clock, ms, requestTimeout)]);
}

async function fail(parts: PipelineParts, call: Call, auditId: string, error: unknown): Promise<void> {
  const { arrival, route, life, reply } = call;
  const told = statusErrorOf(error);
  if (told !== error && !life.over) {
    parts.onError(error, { method: arrival.method, target: arrival.target, auditId });
  }
  if (reply.closed) return;
  // Half an answer cannot be taken back; a cut connection at least does not look like a whole one.
  if (reply.status !== 0) return reply.cut();
  const response = failureResponse(told, negotiateFailure(arrival.header('accept'), route.pretty));
  const closing = parts.isDraining() && arrival.protocol === 'http/1.1' ? { connection: 'close' } : {};
  const headers = { ...commonHeaders(auditId), ...closing };
  life.leavePlace();
  await writeResponse(reply, response, {
    headers,
    gzip: false,
    isHead: arrival.method === 'HEAD',
    onProduced: () => life.cancelDeadline(),
  });
}

function checkTarget({ maxUrlBytes }: PipelineParts, { arrival, route }: Call): void {
  if (arrival.target.length > maxUrlBytes) {
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
async function identify({ authenticator, authorizer }: PipelineParts, { arrival, route }: Call): Promise<UserInfo> {
  const user = await authenticate(authenticator, arrival);
  const wanted = readImpersonation(arrival.rawHeaders);
  return wanted === undefined ? user : impersonate(authorizer, accessAttributes(route, user), wanted);
}

async function authenticate(authenticator: Authenticator, arrival: Arrival): Promise<UserInfo> {
  if (arrival.user !== undefined) return authenticated(arrival.user);
  const token =
    bearerToken(arrival.header('authorization')) ??
    (arrival.protocol === 'websocket' ? websocketToken(arrival.header('sec-websocket-protocol')) : undefined);
  const user = await authenticator.authenticate({ token, certificate: arrival.certificate() });
  if (user === undefined) throw new TypeError('the authenticator knows no user and refuses none');
  return user;
}

function toRequest(
  { maxBodyBytes }: PipelineParts,
  { arrival, target, route, life }: Call,
  user: UserInfo,
): ApiRequest {
  return new WireRequest({ arrival, target, route, user, life, maxBodyBytes });
}

function clientGone(): Error {
  return new DOMException('The client has gone', 'AbortError');
}

/** An answer that came too late gives back what it holds. */
async function discard(response: ApiResponse): Promise<void> {
  if (response.type !== 'stream') return;
  const { chunks } = response;
  if (Symbol.asyncIterator in chunks) await chunks[Symbol.asyncIterator]().return?.();
  else chunks[Symbol.iterator]().return?.();
}

function commonHeaders(auditId: string): Readonly<Record<string, string>> {
  return { [HEADER.auditId.toLowerCase()]: auditId, 'cache-control': 'no-cache, private' };
}

function auditIdOf(arrival: Arrival): string {
  const given = arrival.header(HEADER.auditId.toLowerCase()) ?? '';
  return /^[\x21-\x7e]{1,64}$/u.test(given) ? given : randomUUID();
}
