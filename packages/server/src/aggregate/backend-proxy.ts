/** Passes a request on to the backend of an APIService, and its answer back. */

import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { StatusError, serviceUnavailable } from '@listwatch/api';
import type { Clock } from '@listwatch/storage';
import { textResponse } from '../answer/text-response.ts';
import type { ApiRequest, RequestSource } from '../contract/api-request.ts';
import type { ApiResponse, BytesResponse } from '../contract/api-response.ts';
import { type HttpAnswer, sendBody } from '../forward/http-exchange.ts';
import type { RemoteApiService } from './api-service-view.ts';
import { anyAddress, type BackendAddress } from './backend-address.ts';
import { BackendError } from './backend-error.ts';
import type { BackendFinder } from './backend-finder.ts';
import type { BackendPool } from './backend-pool.ts';
import { answerHeaders, type ProxiedHead, proxiedHeaders } from './proxied-headers.ts';
import { proxiedQuery } from './proxied-query.ts';

/** `/apis/GROUP/VERSION` itself: a client that looks around should not wait for a backend that hangs. */
const DISCOVERY_MS = 5000;
/** Subresources that last as long as their client likes. */
const LONG_SUBRESOURCES: ReadonlySet<string> = new Set(['attach', 'exec', 'log', 'portforward', 'proxy']);

export interface BackendProxyParts {
  readonly clock: Clock;
  readonly finder: Pick<BackendFinder, 'find'>;
  readonly poolOf: (service: RemoteApiService) => BackendPool | undefined;
  /** Aborted when the server ends: watches would else hold it up. */
  readonly closing: AbortSignal;
  readonly namesUser: ProxiedHead['namesUser'];
}

/** Answers a request. Never rejects because of the backend: what is wrong with it is an answer in plain text, as in kube-apiserver. */
export async function proxyToBackend(
  parts: BackendProxyParts,
  service: RemoteApiService,
  request: ApiRequest,
): Promise<ApiResponse> {
  const { source } = request;
  const pool = parts.poolOf(service);
  const address = service.isAvailable ? addressOf(parts.finder, service) : undefined;
  if (pool === undefined || address === undefined || source === undefined) return plain(503, 'service unavailable');
  const leave = pool.enter();
  const attempt = new AbortController();
  const giveUp = (): void => attempt.abort(request.signal.reason);
  const isLasting = isLong(request);
  const ends = isLasting ? [request.signal, parts.closing] : [request.signal];
  for (const signal of ends) signal.addEventListener('abort', giveUp, { once: true });
  const cancel = isDiscovery(request)
    ? parts.clock.after(DISCOVERY_MS, () => attempt.abort(new DOMException('timed out', 'TimeoutError')))
    : undefined;
  const end = (): void => {
    leave();
    cancel?.();
    for (const signal of ends) signal.removeEventListener('abort', giveUp);
  };
  try {
    // The backend has places of its own: one that is slow must not use up those of this server.
    if (isLasting) request.liftLimits();
    else source.leavePlace();
    const answer = await pool.send(address, backendRequest(parts, request, source, address, attempt.signal));
    return passOn(answer, request, end);
  } catch (error) {
    end();
    if (request.signal.aborted) throw error;
    if (attempt.signal.aborted) return plain(503, 'error trying to reach service: context deadline exceeded');
    if (!(error instanceof BackendError)) throw error;
    if (error.why === 'configuration') return plain(500, error.message);
    return plain(503, `error trying to reach service: ${error.message}`);
  }
}

function addressOf(finder: BackendProxyParts['finder'], { service }: RemoteApiService): BackendAddress | undefined {
  const place = finder.find(service);
  return place.type === 'problem' ? undefined : anyAddress(place.addresses);
}

function backendRequest(
  { namesUser }: Pick<BackendProxyParts, 'namesUser'>,
  request: ApiRequest,
  { auditId, peer, stream }: RequestSource,
  { host, port }: BackendAddress,
  signal: AbortSignal,
): Parameters<BackendPool['send']>[1] {
  const { method, path, user, upgrade, rawHeaders } = request;
  const query = proxiedQuery(request.query);
  const body = upgrade === undefined && hasBody(request, stream) ? stream : undefined;
  return {
    method,
    path: query === '' ? path : `${path}?${query}`,
    headers: proxiedHeaders(rawHeaders, {
      user,
      auditId,
      peer,
      path,
      host: `${host.includes(':') ? `[${host}]` : host}:${port}`,
      upgrade,
      contentLength: body && request.header('content-length'),
      namesUser,
    }),
    signal,
    send: body && ((sent) => sendBody(body, sent)),
    upgrades: upgrade !== undefined,
  };
}

/** HTTP/2 need not say that there is a body: its stream knows. */
function hasBody(request: ApiRequest, stream: Readable): boolean {
  const length = request.header('content-length');
  if (length !== undefined) return Number(length) > 0;
  if ('endAfterHeaders' in stream) return stream.endAfterHeaders !== true;
  if (request.protocol === 'loopback') return !stream.readableEnded && !['GET', 'HEAD'].includes(request.method);
  return request.header('transfer-encoding') !== undefined;
}

function passOn({ message, upgrade }: HttpAnswer, request: ApiRequest, end: () => void): ApiResponse {
  const { statusCode: status = 502 } = message;
  if (upgrade !== undefined) {
    upgrade.socket.once('close', end);
    return { type: 'tunnel', headers: message.rawHeaders, socket: upgrade.socket, first: upgrade.first };
  }
  const isRedirect = status >= 300 && status < 400 && message.headers.location !== undefined;
  const isRefusedUpgrade = request.upgrade !== undefined && status < 400;
  if (isRedirect || isRefusedUpgrade) {
    message.destroy();
    end();
    return isRefusedUpgrade
      ? plain(503, `invalid upgrade response: status code ${status}`)
      : plain(502, 'the backend attempted to redirect this request, which is not permitted');
  }
  message.once('close', end);
  return { type: 'stream', isLive: true, status, ...answerHeaders(message), chunks: chunksOf(message) };
}

async function* chunksOf(message: IncomingMessage): AsyncGenerator<Buffer, undefined> {
  try {
    for await (const chunk of message) yield chunk;
    return undefined;
  } catch (cause) {
    // Not a failure of this server: the answer is cut, as the backend has cut its own.
    throw new StatusError(serviceUnavailable('the backend has cut its answer').status, { cause });
  } finally {
    // A connection whose answer was not read to its end cannot be used again.
    if (!message.readableEnded) message.destroy();
  }
}

function isLong({ route, upgrade }: ApiRequest): boolean {
  const isLongPath = route.path.type === 'resource' && LONG_SUBRESOURCES.has(route.path.subresource);
  return upgrade !== undefined || route.kind === 'watch' || isLongPath;
}

function isDiscovery({ route }: ApiRequest): boolean {
  return route.path.type === 'discovery' && route.path.scope === 'version';
}

function plain(status: number, text: string): BytesResponse {
  return textResponse(status, `${text}\n`);
}
