/** The steps of every request, from its incoming to the end of its answer. Start here. */
import { randomUUID } from 'node:crypto';
import { badRequest, failure, HEADER, requestTimeout, StatusError, serviceUnavailable } from '@listwatch/api';
import type { Clock } from '@listwatch/storage';
import type { AuditRecord } from '../access/audit/audit-record.ts';
import type { Auditor } from '../access/audit/auditor.ts';
import { type Authenticator, hasSpacedToken } from '../access/authenticator.ts';
import { accessAttributes, authorize } from '../access/authorizer.ts';
import type { FlowControl } from '../access/flow/flow-control.ts';
import { FlowSink } from '../access/flow/flow-sink.ts';
import type { FlowRefusal, FlowTicket } from '../access/flow/flow-ticket.ts';
import type { Impersonator } from '../access/impersonator.ts';
import type { InFlight } from '../access/in-flight.ts';
import type { RequestMetrics } from '../access/request-metrics.ts';
import { failureResponse, statusErrorOf } from '../answer/failure-response.ts';
import { failedRequestPage, textResponse } from '../answer/text-response.ts';
import { warningHeader } from '../answer/warning-header.ts';
import { acceptsGzip, writeResponse } from '../answer/write-response.ts';
import type { ApiRequest, UserInfo } from '../contract/api-request.ts';
import type { ApiResponse, TunnelResponse, WatchResponse } from '../contract/api-response.ts';
import type { Authorizer } from '../contract/authorization.ts';
import type { IncomingRequest } from '../contract/incoming-request.ts';
import type { Reply } from '../contract/reply.ts';
import { PassRequest, type RequestGate } from '../contract/request-gate.ts';
import type { Route } from '../contract/route.ts';
import { AuthorizedRequest } from './authorized-request.ts';
import type { BuiltInEndpoints } from './built-in-endpoints.ts';
import { HEALTH_ENDPOINTS } from './health.ts';
import { negotiateFailure } from './negotiate.ts';
import { parseRoute } from './parse-route.ts';
import { queueWaitMs, requestTimeoutMs } from './request-deadline.ts';
import { RequestLifetime } from './request-lifetime.ts';
import { parseTarget, type RequestTarget } from './request-target.ts';
import { actingUser, authenticatedUser, type UserRequest } from './request-user.ts';

/** Answers the API. Throws failures as `StatusError`. */
export type RequestHandler = (request: ApiRequest) => Promise<ApiResponse>;

/** Reports a failure that is no `StatusError`, with the request that met it. */
export type ErrorReporter = (
  error: unknown,
  request: { readonly method: string; readonly target: string; readonly auditId: string },
) => void;

/** Keeps requests while they are open, and ends those whose users have lost what they need. */
export interface RequestKeeper {
  /** How often something was lost. */
  readonly losses: number;
  /** Until the function is called. `since`: `losses` before the request was decided. */
  keep(request: UserRequest & RequestUsers, end: () => void, since: number): () => void;
}

/** The steps that a request goes through. */
export interface PipelineParts {
  /** Are new requests still taken? */
  readonly isDraining: () => boolean;
  readonly inFlight: InFlight;
  readonly authenticator: Authenticator;
  readonly authorizer: Authorizer;
  readonly impersonator: Impersonator;
  /** Absent: requests take places in flight instead of seats. */
  readonly flowControl?: FlowControl | undefined;
  /** Absent: a request is decided once, when it comes. */
  readonly openRequests?: RequestKeeper | undefined;
  /** Absent: nothing is recorded. */
  readonly auditor?: Auditor | undefined;
  /** Absent: this server answers every request. */
  readonly gate?: RequestGate | undefined;
  readonly builtIns: BuiltInEndpoints;
  readonly handler: RequestHandler;
  readonly metrics: RequestMetrics;
  readonly clock: Clock;
  readonly requestTimeoutMs: number;
  readonly maxBodyBytes: number;
  readonly maxUrlBytes: number;
  readonly onError: ErrorReporter;
}

/** Who sent a request, and who it acts as. */
interface RequestUsers {
  readonly requestor: UserInfo;
  readonly user: UserInfo;
}

/** One request in the pipeline. */
interface Call {
  readonly incoming: IncomingRequest;
  readonly target: RequestTarget;
  readonly route: Route;
  readonly life: RequestLifetime;
  readonly reply: Reply;
  readonly audit: AuditRecord | undefined;
  /** `RequestKeeper.losses` when the request came. */
  readonly losses: number;
  /** Known as soon as the user is. */
  ticket?: FlowTicket | undefined;
  /** The ticket, while it counts: a request that was refused, or that is always served, asks for no turns. */
  seat?: FlowTicket | undefined;
  /** Who sent it, and who it acts as, once it is allowed. */
  users?: RequestUsers;
}

/** kube-apiserver's words. */
const SPACED_TOKEN = 'the provided Authorization header contains extra space before the bearer token, and is ignored';

const MASTERS_GROUP = 'system:masters';
const UNREADABLE: RequestTarget = { path: '/', query: '' };

/** Over HTTP/2 a body need not be announced. */
const WITH_BODY: ReadonlySet<string> = new Set(['PATCH', 'POST', 'PUT']);

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
  const auditId = auditIdOf(incoming);
  const passing = target && parts.gate?.passes(incoming, route);
  const auditor = passing === undefined ? parts.auditor : undefined;
  const audit = auditor?.begin({ incoming, route, requestURI: incoming.target, auditId });
  const losses = parts.openRequests?.losses ?? 0;
  const life = new RequestLifetime();
  const call: Call = { incoming, target: target ?? UNREADABLE, route, life, reply, audit, losses };
  onEnd(parts.metrics, route, call.life, reply);
  if (audit !== undefined) reply.onClose(() => audit.closed(reply.status));
  try {
    if (passing !== undefined) return await passOn(parts, call, auditId, passing);
    if (target === undefined) throw badRequest('the request target is neither a path nor a URL');
    await beforeDeadline(parts, call, () => answer(parts, call, auditId));
  } catch (error) {
    if (error instanceof PassRequest && parts.gate !== undefined && reply.status === 0) {
      audit?.passed(error.reason);
      await passOn(parts, call, auditId, error.reason).catch((cause: unknown) => fail(parts, call, auditId, cause));
    } else await fail(parts, call, auditId, error);
  }
}

/** Another server answers, with its own limits, and judges access itself. Its answer is sent as it is: no header is added. */
async function passOn(parts: PipelineParts, call: Call, auditId: string, reason: string): Promise<void> {
  const { incoming, life, reply } = call;
  checkShutdown(parts);
  life.liftLimits();
  if (!reply.closed) await parts.gate?.pass(incoming, reply, { signal: life.signal, auditId, reason });
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
async function respond(parts: PipelineParts, call: Call, auditId: string): Promise<ApiResponse> {
  const { life, route } = call;
  checkTarget(parts, call);
  const isLimited = !isAlwaysServed(route);
  if (isLimited) checkShutdown(parts);
  const requestor = await authenticatedUser(parts.authenticator, call);
  const stored = call.audit?.authenticated(requestor);
  if (stored !== undefined && !(await stored)) return unrecorded(parts, call);
  const user = await actingUser(parts.impersonator, call, requestor, (acting, mode) =>
    call.audit?.impersonated(acting, mode),
  );
  const attributes = accessAttributes(route, user);
  call.ticket = parts.flowControl?.ticket(attributes, bodyBytes(parts, call.incoming), route.kind === 'watch');
  if (call.ticket !== undefined && isLimited) {
    const refusal = await seated(parts, call, call.ticket);
    if (refusal !== undefined) return refused(parts, call, refusal);
    call.seat = call.ticket;
  }
  try {
    await authorize(call.audit === undefined ? parts.authorizer : recorded(parts.authorizer, call.audit), attributes);
  } catch (error) {
    if (error instanceof StatusError) throw error;
    return undecided(parts, call, auditId, error);
  }
  if (parts.openRequests !== undefined) call.users = { requestor, user };
  // Only authorized requests take a place: what anybody can send must not use up the limits. Seats are taken before, for each user
  // has a flow of its own.
  if (isLimited) life.holdPlace(parts.inFlight.enter(route.kind, user.groups.includes(MASTERS_GROUP)));
  return parts.builtIns(route) ?? parts.handler(toRequest(parts, call, user, auditId));
}

async function answer(parts: PipelineParts, call: Call, auditId: string): Promise<void> {
  const { incoming, life, reply } = call;
  const response = await respond(parts, call, auditId);
  if (response.type === 'bytes') life.finishWork();
  const turn = call.seat?.turn();
  if (turn !== undefined) await turn;
  if (reply.closed || reply.status !== 0) return discard(response);
  if (response.type === 'watch') life.cancelDeadline();
  const shown = call.audit === undefined ? response : await call.audit.answering(response);
  if (call.audit !== undefined && reply.closed) return discard(shown);
  if (parts.openRequests !== undefined && isLongRunning(shown)) keep(call, parts.openRequests, shown);
  if (shown.type === 'tunnel') return openTunnel(call, shown);
  const { seat } = call;
  await writeResponse(reply, shown.type === 'watch' ? seatedWatch(call, shown) : shown, {
    headers: commonHeaders(auditId, call),
    gzip: acceptsGzip(incoming.header('accept-encoding')),
    isHead: incoming.method === 'HEAD',
    turn: seat && (() => seat.turn()),
    onProduced: () => {
      life.leavePlace();
      // A list that is being sent holds a chunk and a snapshot.
      if (shown.type !== 'stream' || shown.isLive === true) life.leaveSeat();
      // From here on the client has its time to read; a streamed answer is still being made while it is read.
      if (response.type === 'bytes') life.cancelDeadline();
    },
    // There is nothing left to abort, and to abort costs as much as a small request.
    onMade: () => life.finishWork(),
  });
  // The server began to end after this request was let in: the watches that it ended then did not have this one yet.
  if (shown.type === 'watch' && parts.isDraining()) reply.endWatch();
}

/** Does its answer go on until one side ends it? */
function isLongRunning(response: ApiResponse): boolean {
  return response.type === 'watch' || response.type === 'tunnel' || (response.type === 'stream' && !!response.isLive);
}

function keep({ incoming, route, users, losses, reply }: Call, keeper: RequestKeeper, { type }: ApiResponse): void {
  if (users === undefined) return;
  const end = (): void => (type === 'stream' ? reply.cut() : reply.endWatch());
  reply.onClose(keeper.keep({ ...users, incoming, route }, end, losses));
}

function openTunnel({ reply, life }: Call, response: TunnelResponse): void {
  life.cancelDeadline();
  life.leavePlace();
  life.leaveSeat();
  if (reply.tunnel !== undefined) return reply.tunnel(response);
  response.socket.destroy();
  throw badRequest('Upgrade request required');
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
  life.leaveSeat();
  if (call.audit !== undefined) await call.audit.failing(told, response, told === error ? undefined : causeOf(error));
  await writeResponse(reply, response, {
    headers,
    gzip: false,
    isHead: incoming.method === 'HEAD',
    onProduced: () => life.cancelDeadline(),
  });
}

/** Waits for seats, and for the first turn of the event loop. Gives the refusal of a request that gets none. */
async function seated(
  { requestTimeoutMs: maxMs }: PipelineParts,
  { route, life }: Call,
  ticket: FlowTicket,
): Promise<FlowRefusal | undefined> {
  const entered = ticket.enter({ waitMs: queueWaitMs(route, maxMs), onGone: (listener) => life.listen(listener) });
  const refusal = entered instanceof Promise ? await entered : entered;
  if (refusal !== undefined) return refusal;
  life.holdSeat(() => ticket.leave());
  const turn = ticket.firstTurn();
  if (turn !== undefined) await turn;
  life.throwIfOver();
  return undefined;
}

/** The 429 in the words of kube-apiserver, which sends no Status here. */
function refused({ metrics }: PipelineParts, { reply, route }: Call, { retryAfterSeconds }: FlowRefusal): ApiResponse {
  metrics.terminated(route, 429);
  reply.slowDown?.();
  const refusal = textResponse(429, 'Too many requests, please try again later.\n');
  return { ...refusal, headers: { ...refusal.headers, 'retry-after': String(retryAfterSeconds) } };
}

/** A watch gives its seat back when it has begun. */
function seatedWatch({ life, seat }: Call, response: WatchResponse): WatchResponse {
  if (seat === undefined) return response;
  if (response.hasInitial !== true) {
    return {
      ...response,
      start: (sink) => {
        response.start(sink);
        life.leaveSeat();
      },
    };
  }
  const parts = { turn: () => seat.turn(), onBegun: () => life.leaveSeat() };
  return { ...response, start: (sink) => response.start(new FlowSink(sink, parts)) };
}

/** The size of a body as the client tells it. One that it does not tell may be as large as any. */
function bodyBytes({ maxBodyBytes }: PipelineParts, incoming: IncomingRequest): number {
  const told = incoming.header('content-length');
  if (told !== undefined) return Number(told) || 0;
  const mayComeInPieces =
    incoming.protocol === 'http/2'
      ? WITH_BODY.has(incoming.method)
      : incoming.header('transfer-encoding') !== undefined;
  return mayComeInPieces ? maxBodyBytes : 0;
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

/** The authorizer, whose decision is put on record. */
function recorded(authorizer: Authorizer, audit: AuditRecord): Authorizer {
  return {
    async authorize(attributes) {
      try {
        const decision = await authorizer.authorize(attributes);
        audit.decided(decision);
        return decision;
      } catch (error) {
        audit.decided(undefined);
        throw error;
      }
    },
  };
}

/** The server was told to refuse what it cannot record. */
function unrecorded({ auditor }: PipelineParts, { incoming }: Call): ApiResponse {
  auditor?.rejected();
  return failedRequestPage(incoming.target, 'failed to store audit event');
}

/** The authorizer failed: nobody knows whether the user may do this. In the words of kube-apiserver, which sends no Status here. */
function undecided(parts: PipelineParts, { incoming, life }: Call, auditId: string, error: unknown): ApiResponse {
  if (!life.over) report(parts, incoming, auditId, error);
  const reason = error instanceof Error ? error.message : String(error);
  return failedRequestPage(incoming.target, reason);
}

function toRequest(
  { maxBodyBytes }: PipelineParts,
  { incoming, target, route, life, audit, seat }: Call,
  user: UserInfo,
  auditId: string,
): ApiRequest {
  return new AuthorizedRequest({
    incoming,
    target,
    route,
    user,
    life,
    maxBodyBytes,
    auditId,
    ticket: seat,
    audit: audit?.notes,
  });
}

function causeOf(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : 'a value that is no error was thrown';
}

function clientGone(): Error {
  return new DOMException('The client has gone', 'AbortError');
}

/** Releases what an answer holds that came too late to be sent. */
async function discard(response: ApiResponse): Promise<void> {
  if (response.type === 'tunnel') response.socket.destroy();
  if (response.type !== 'stream') return;
  const { chunks } = response;
  if (Symbol.asyncIterator in chunks) await chunks[Symbol.asyncIterator]().return?.();
  else chunks[Symbol.iterator]().return?.();
}

function commonHeaders(auditId: string, { ticket, incoming }: Call): Readonly<Record<string, string>> {
  const warning = hasSpacedToken(incoming.header('authorization')) ? warningHeader([SPACED_TOKEN]) : undefined;
  return {
    [HEADER.auditId.toLowerCase()]: auditId,
    'cache-control': 'no-cache, private',
    ...ticket?.headers,
    ...warning,
  };
}

function auditIdOf(incoming: IncomingRequest): string {
  const given = incoming.header(HEADER.auditId.toLowerCase()) ?? '';
  return /^[\x20-\x7e]{1,256}$/u.test(given) ? given : randomUUID();
}
