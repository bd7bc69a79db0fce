/** The API server that everything passes through to which is not answered here. Start at `createUpstream`. */

import { backgroundClock, type Clock } from '@listwatch/api';
import type { IncomingRequest, Reply } from '@listwatch/server/internal';
import { forwardRequest, type PassParts } from './forward-request.ts';
import { PassPlaces } from './pass-places.ts';
import { UpstreamPool } from './upstream-pool.ts';

/** How the certificate of the upstream is checked. There is nothing here to show it: who passes must not be taken for the relay. */
export interface UpstreamTls {
  /** PEM. Default: the authorities of Node. */
  readonly ca?: string | undefined;
  /** The name in its certificate. Default: the host of the URL. */
  readonly servername?: string | undefined;
  /** Default: true. */
  readonly rejectUnauthorized?: boolean | undefined;
}

export interface UpstreamOptions {
  /** `https://host:port`, perhaps with a path, which then stands before every target. */
  readonly server: string;
  /** Asked for each request, so that it can change; the same object means no change. */
  readonly tls?: (() => Promise<UpstreamTls>) | undefined;
  /** A Unix socket to connect to instead of the host. */
  readonly socketPath?: string | undefined;
  /** Headers about the connection of the client: names and values in turn. Those of the client with these names are dropped. */
  readonly connectionHeaders?: ((incoming: IncomingRequest) => readonly string[]) | undefined;
  /**
   * Is the upstream told of the connection by `connectionHeaders`? Then headers that name a user or a client pass as they came, for
   * it judges them itself. Default: false.
   */
  readonly knowsConnection?: boolean | undefined;
  readonly clock?: Clock | undefined;
  /** Requests that pass at one time, without tunnels; more get a 429. Default: 2000. */
  readonly maxPassed?: number | undefined;
  /** Tunnels at one time: exec, attach, port-forward, WebSockets. Default: 1000. */
  readonly maxTunnels?: number | undefined;
  /** How long a connection may take. Default: 10 s. */
  readonly connectTimeoutMs?: number | undefined;
  /** How long the upstream may take to begin its answer. Default 0: no limit; a followed log may be silent for long. */
  readonly headersTimeoutMs?: number | undefined;
  /** How long one side may take nothing of what waits for it. Default: 10 min. */
  readonly stallTimeoutMs?: number | undefined;
  /** How long a tunnel may be silent. Default: 4 h, as at a kubelet. */
  readonly tunnelIdleMs?: number | undefined;
}

/** A request that passes. */
export interface PassedRequest {
  /** Aborting it ends the exchange. */
  readonly signal: AbortSignal;
}

/** Numbers for metrics. */
export interface UpstreamCounts {
  /** Requests that are passing, without tunnels. */
  readonly open: number;
  readonly tunnels: number;
  readonly passed: number;
  /** Refused because too many were passing. */
  readonly refused: number;
  /** Not answered by the upstream, or not to the end. */
  readonly failed: number;
  readonly bytesUp: number;
  readonly bytesDown: number;
}

export interface UpstreamServer {
  /**
   * Sends a request on and its answer back, and resolves when that has ended. Rejects with a `StatusError` while nothing was answered;
   * later the answer is cut.
   */
  pass(incoming: IncomingRequest, reply: Reply, request: PassedRequest): Promise<void>;
  readonly counts: UpstreamCounts;
  /** Ends what passes, and takes no more. */
  close(): void;
}

/** Throws a `TypeError` for a URL that is none. Connects when it is used. */
export function createUpstream(options: UpstreamOptions): UpstreamServer {
  const {
    server,
    tls,
    socketPath,
    connectionHeaders = () => [],
    knowsConnection = false,
    clock = backgroundClock,
    maxPassed = 2000,
    maxTunnels = 1000,
    connectTimeoutMs = 10_000,
    headersTimeoutMs = 0,
    stallTimeoutMs = 600_000,
    tunnelIdleMs = 4 * 3600_000,
  } = options;
  const url = serverUrl(server);
  const pool = new UpstreamPool({ url, tls, socketPath, connectTimeoutMs });
  const places = new PassPlaces({ maxPassed, maxTunnels });
  const parts: PassParts = {
    pool,
    places,
    clock,
    prefix: url.pathname.replace(/\/+$/u, ''),
    connectionHeaders,
    knowsConnection,
    headersTimeoutMs,
    stallTimeoutMs,
    tunnelIdleMs,
  };
  return {
    pass: (incoming, reply, { signal }) => forwardRequest(parts, incoming, reply, signal),
    get counts() {
      return places.counts;
    },
    close() {
      places.close();
      pool.close();
    },
  };
}

function serverUrl(server: string): URL {
  const url = new URL(server);
  const isHttp = url.protocol === 'https:' || url.protocol === 'http:';
  if (!isHttp || url.search !== '' || url.hash !== '' || url.username !== '') {
    throw new TypeError(`server must be a URL like https://host:6443, not ${server}`);
  }
  return url;
}
