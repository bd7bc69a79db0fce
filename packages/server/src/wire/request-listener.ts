/** The server as a request listener of somebody else's HTTP server. */
import { failure, internalError } from '@listwatch/api';
import { failureResponse, statusErrorOf } from '../answer/failure-response.ts';
import type { UserInfo } from '../contract/api-request.ts';
import type { IncomingRequest } from '../contract/incoming-request.ts';
import { headerText } from './header-text.ts';
import type { Serve } from './http1-endpoint.ts';
import { MountedReply, type NodeRequest, type NodeResponse } from './mounted-reply.ts';
import { inTurn } from './pipelined-turns.ts';
import type { ReadDeadlineConfig } from './read-deadline.ts';

/** Answers a request. Fits `http.createServer`, `http2.createSecureServer`, Express' `app.use` and Fastify's raw objects. */
export type RequestListener<R extends NodeRequest = NodeRequest> = (request: R, response: NodeResponse) => void;

/** How requests reach the listener. */
export interface RequestListenerOptions<R extends NodeRequest = NodeRequest> {
  /**
   * The path that stands before the API in `request.url`, for example `/cluster`; other paths are answered with 404.
   * Default: none. Express takes the path of `app.use` away itself: leave this out there.
   */
  readonly prefix?: string | undefined;
  /**
   * The user, as your program knows it: from a session, for example. Undefined leaves the request to the `authenticator`
   * of the server. Throw a `StatusError`, for example `unauthorized()` of `@listwatch/api`, to refuse the request.
   */
  readonly user?: ((request: R) => Promise<UserInfo | undefined> | UserInfo | undefined) | undefined;
}

/** What the listener needs of the server. */
export interface RequestListenerParts extends ReadDeadlineConfig {
  readonly serve: Serve;
  /** Receives errors of `user` and of wrong mounting. */
  readonly onError: (error: unknown, request: NodeRequest) => void;
}

/** Makes a listener. Throws a `TypeError` for a prefix that no path can begin with. */
export function createRequestListener<R extends NodeRequest>(
  parts: RequestListenerParts,
  { prefix = '', user }: RequestListenerOptions<R> = {},
): RequestListener<R> {
  if (prefix !== '' && !/^\/[^?#]*[^/?#]$/u.test(prefix)) {
    throw new TypeError(`prefix must begin with / and not end with it, for example /cluster, not ${prefix}`);
  }
  return (request, response) => {
    const reply = new MountedReply(request, response, parts);
    const start = (): void => {
      incomingOf(request, prefix, user)
        .then(
          (incoming) => parts.serve(incoming, reply),
          (error: unknown) => refuse(parts, request, reply, error),
        )
        // `onError` or the host's response has thrown. A rejection that nobody handles would end the process.
        .catch(() => reply.cut());
    };
    if (request.httpVersionMajor === 1) inTurn(request.socket, parts.clock, reply, start);
    else start();
  };
}

async function incomingOf<R extends NodeRequest>(
  request: R,
  prefix: string,
  user: RequestListenerOptions<R>['user'],
): Promise<IncomingRequest> {
  const target = withoutPrefix(request.url ?? '', prefix);
  requireUnreadBody(request);
  return {
    method: request.method ?? '',
    target,
    protocol: request.httpVersionMajor === 2 ? 'http/2' : 'http/1.1',
    user: await user?.(request),
    header: (name) => headerText(request.headers[name]),
    rawHeaders: request.rawHeaders,
    body: request,
    peer: () => request.socket.remoteAddress,
    // Which authorities the host trusts for its own purposes says nothing about the users of this server.
    certificate: () => undefined,
  };
}

function withoutPrefix(url: string, prefix: string): string {
  const rest = url.slice(prefix.length);
  if (url.startsWith(prefix) && /^(?:[/?]|$)/u.test(rest)) return rest.startsWith('/') ? rest : `/${rest}`;
  throw failure({ code: 404, reason: 'NotFound', message: `the API is served under ${prefix}` });
}

/** A body that middleware has read cannot be read again; waiting for it would hang until the request times out. */
function requireUnreadBody(request: NodeRequest): void {
  if (!request.readableDidRead || !hasBody(request)) return;
  throw internalError('the body was read before the request reached listwatch; mount its listener before body parsers');
}

function hasBody(request: NodeRequest): boolean {
  if ('stream' in request) return !request.stream.endAfterHeaders;
  const { 'content-length': length = 0, 'transfer-encoding': encoding } = request.headers;
  return encoding !== undefined || Number(length) > 0;
}

function refuse({ onError }: RequestListenerParts, request: NodeRequest, reply: MountedReply, error: unknown): void {
  const told = statusErrorOf(error);
  if (told.httpCode >= 500) onError(error, request);
  // The host may have answered meanwhile, for example after a timeout of its own.
  if (reply.closed || reply.status !== 0) return;
  const { status, headers, body } = failureResponse(told);
  reply.send({ status, headers }, body);
}
