/** One request on its way to the upstream, and its answer on the way back. */

import type { ClientRequest } from 'node:http';
import { badRequest, type Clock, StatusError } from '@listwatch/api';
import type { HttpAnswer, IncomingRequest, Reply } from '@listwatch/server/internal';
import { copyBody } from './copy-body.ts';
import { isWatchTarget } from './is-watch-target.ts';
import { interimPasser, passAnswer } from './pass-answer.ts';
import { passFailure, strangeUpgrade } from './pass-failure.ts';
import type { PassPlace, PassPlaces } from './pass-places.ts';
import { passedRequestHeaders } from './passed-headers.ts';
import type { UpstreamPool } from './upstream-pool.ts';
import { upstreamTarget } from './upstream-target.ts';

export interface PassParts {
  readonly pool: UpstreamPool;
  readonly places: PassPlaces;
  readonly clock: Clock;
  /** The path of the upstream, without a slash at its end. */
  readonly prefix: string;
  readonly connectionHeaders: (incoming: IncomingRequest) => readonly string[];
  readonly knowsConnection: boolean;
  readonly headersTimeoutMs: number;
  readonly stallTimeoutMs: number;
  readonly tunnelIdleMs: number;
}

/** Protocols that are passed. `h2c` is not: requests inside such a tunnel would keep the headers that are dropped here. */
const TUNNEL_PROTOCOLS = /^(?:websocket|spdy\/3\.1)$/iu;

/** Resolves when the answer has ended. Rejects with a `StatusError` while nothing was answered; later the answer is cut. */
export async function forwardRequest(
  parts: PassParts,
  incoming: IncomingRequest,
  reply: Reply,
  signal: AbortSignal,
): Promise<void> {
  signal.throwIfAborted();
  const path = upstreamTarget(incoming.target, parts.prefix);
  if (path === undefined || incoming.method === 'CONNECT') {
    throw badRequest('the request target is neither a path nor a URL');
  }
  const upgrade = upgradeOf(incoming);
  const place = parts.places.enter(upgrade !== undefined);
  const attempt = new Attempt(parts.clock, [signal, place.signal]);
  reply.onClose(() => attempt.abort(new DOMException('The client has gone', 'AbortError')));
  try {
    attempt.limit(parts.headersTimeoutMs);
    const answer = await parts.pool.send({
      method: incoming.method,
      path,
      headers: requestHeaders(parts, incoming, upgrade),
      signal: attempt.signal,
      send: hasBody(incoming) && upgrade === undefined ? (sent) => sendUp(parts, incoming, sent) : undefined,
      upgrades: upgrade !== undefined,
      onInterim: interimPasser(reply),
    });
    attempt.limit(0);
    await answered(parts, { incoming, reply, upgrade, place, signal: attempt.signal }, answer);
  } catch (error) {
    if (!reply.closed) parts.places.failed += 1;
    if (reply.status !== 0) return reply.cut();
    if (error instanceof StatusError) throw error;
    if (attempt.signal.aborted && !attempt.isLate) throw attempt.signal.reason;
    throw passFailure(error, incoming.method === 'GET' && isWatchTarget(path));
  } finally {
    attempt.end();
    place.leave();
  }
}

interface Passing {
  readonly incoming: IncomingRequest;
  readonly reply: Reply;
  readonly upgrade: string | undefined;
  readonly place: PassPlace;
  readonly signal: AbortSignal;
}

function answered(parts: PassParts, passing: Passing, answer: HttpAnswer): Promise<void> {
  const { incoming, reply, upgrade, place, signal } = passing;
  const { message, upgrade: tunnel } = answer;
  if (tunnel === undefined) return passAnswer(parts, incoming, reply, answer);
  const { socket, first } = tunnel;
  try {
    const isAsked = upgrade !== undefined && message.headers.upgrade?.toLowerCase() === upgrade.toLowerCase();
    if (!isAsked || reply.tunnel === undefined) throw strangeUpgrade();
    place.becomeTunnel();
  } catch (error) {
    socket.on('error', () => {}).destroy();
    throw error;
  }
  const cut = (): void => void socket.destroy();
  socket.setTimeout(parts.tunnelIdleMs, cut);
  // Node's client has let go of the connection.
  signal.addEventListener('abort', cut, { once: true });
  reply.tunnel({ type: 'tunnel', headers: message.rawHeaders, socket, first });
  return closed(reply);
}

/** The protocol that the client changes to, when it is one that is passed. */
function upgradeOf(incoming: IncomingRequest): string | undefined {
  const asked = incoming.header('upgrade') ?? '';
  return incoming.canUpgrade === true && TUNNEL_PROTOCOLS.test(asked) ? asked : undefined;
}

function requestHeaders(
  { pool, connectionHeaders, knowsConnection }: PassParts,
  incoming: IncomingRequest,
  upgrade: string | undefined,
): readonly string[] {
  return passedRequestHeaders(incoming.rawHeaders, {
    host: pool.host,
    peer: knowsConnection ? undefined : incoming.peer?.(),
    keepsIdentity: knowsConnection,
    upgrade,
    isChunked: upgrade === undefined && hasBody(incoming) && incoming.header('content-length') === undefined,
    connection: connectionHeaders(incoming),
  });
}

/** HTTP/2 need not say that there is a body: its stream knows. */
function hasBody(incoming: IncomingRequest): boolean {
  const { body, protocol } = incoming;
  if (protocol === 'http/2' && 'endAfterHeaders' in body) return body.endAfterHeaders !== true;
  if (protocol === 'loopback') return !body.readableEnded;
  const length = incoming.header('content-length');
  return length === undefined ? incoming.header('transfer-encoding') !== undefined : Number(length) > 0;
}

function sendUp({ clock, stallTimeoutMs, places }: PassParts, { body }: IncomingRequest, sent: ClientRequest): void {
  copyBody(body, sent, {
    clock,
    stallMs: stallTimeoutMs,
    onStall: () => sent.destroy(new DOMException('timed out', 'TimeoutError')),
    onBytes: (bytes) => {
      places.bytesUp += bytes;
    },
  });
  body.on('error', () => sent.destroy());
  const end = (): void => void sent.end();
  // A client that stops in the middle must not look as if it had sent everything.
  const close = (): void => {
    if (!body.readableEnded && !sent.writableFinished) sent.destroy();
  };
  // An empty body may end, and a client may go, before the request could be made: no event tells of it then.
  if (body.readableEnded) return end();
  if (body.destroyed) return close();
  body.once('end', end).once('close', close);
}

function closed(reply: Reply): Promise<void> {
  return new Promise((resolve) => {
    reply.onClose(resolve);
  });
}

/** What ends an exchange early. */
class Attempt {
  readonly #abort = new AbortController();
  readonly #clock: Clock;
  readonly #ends: readonly AbortSignal[];
  readonly #giveUp = (event: Event): void => {
    const { target } = event;
    this.abort(target instanceof AbortSignal ? target.reason : undefined);
  };
  #cancel: (() => void) | undefined;
  /** Did the upstream take too long? */
  isLate = false;

  constructor(clock: Clock, ends: readonly AbortSignal[]) {
    this.#clock = clock;
    this.#ends = ends;
    for (const signal of ends) signal.addEventListener('abort', this.#giveUp, { once: true });
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  abort(reason: unknown): void {
    this.#abort.abort(reason);
  }

  /** Replaces the limit before it; 0 is none. */
  limit(ms: number): void {
    this.#cancel?.();
    this.#cancel = undefined;
    if (ms === 0) return;
    this.#cancel = this.#clock.after(ms, () => {
      this.isLate = true;
      this.abort(new DOMException('timed out', 'TimeoutError'));
    });
  }

  end(): void {
    this.limit(0);
    for (const signal of this.#ends) signal.removeEventListener('abort', this.#giveUp);
  }
}
