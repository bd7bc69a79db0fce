/** One transport over several servers of the same cluster: it moves on when one fails. */

import { type Clock, systemClock } from '@listwatch/api';
import { monotonicMs } from '@listwatch/api/internal';
import { drainBody } from '../exchange/drain.ts';
import { transportClosedError } from '../exchange/pending-requests.ts';
import type { Transport, TransportRequest, TransportResponse } from '../transport.ts';
import { isTransportError, TransportError } from '../transport-error.ts';
import { type FailoverState, serversToProbe, serversToTry, startFailover, stepFailover } from './failover-state.ts';
import { observedBody } from './observed-body.ts';
import type { ServerReport } from './server-report.ts';

export interface FailoverOptions {
  /** Default: the machine's clock. */
  readonly clock?: Clock | undefined;
  /** For jitter. Default: `Math.random`. */
  readonly random?: (() => number) | undefined;
  /** What to call the servers in reports, in the order of the transports. Default: the names of the transports. */
  readonly names?: readonly string[] | undefined;
}

/** A transport over several servers. */
export interface FailoverTransport extends Transport {
  /** The servers in the order of preference, as they are now. */
  readonly servers: readonly ServerReport[];
}

/** A probe that takes longer has failed. */
const PROBE_TIMEOUT_MS = 5_000;

/**
 * Sends every request to the first of `transports` that is up. A request that was not sent goes to the next one, whatever it is.
 * A read also does when the connection broke before an answer, and when a server answers that it cannot serve. A write that may
 * have been carried out is never sent twice. A server that failed is probed with `/readyz` until it answers, and gets requests
 * again then.
 */
export function createFailoverTransport(
  transports: readonly Transport[],
  { clock = systemClock, random = Math.random, names = [] }: FailoverOptions = {},
): FailoverTransport {
  if (transports.length === 0) throw new RangeError('transports must have one at least');
  return new SeveralServers({ transports, names, clock, random });
}

type Attempt =
  | { readonly type: 'answered'; readonly response: TransportResponse }
  | { readonly type: 'refused'; readonly response: TransportResponse }
  | { readonly type: 'failed'; readonly error: unknown };

interface SeveralServersOptions {
  readonly transports: readonly Transport[];
  readonly names: readonly string[];
  readonly clock: Clock;
  readonly random: () => number;
}

class SeveralServers implements FailoverTransport {
  readonly #transports: readonly Transport[];
  readonly #names: readonly string[];
  readonly #movedRequests: number[];
  readonly #failedProbes: number[];
  readonly #clock: Clock;
  readonly #random: () => number;
  readonly #closing = new AbortController();
  #state: FailoverState;

  constructor({ transports, names, clock, random }: SeveralServersOptions) {
    this.#transports = transports;
    this.#names = transports.map(({ name }, index) => names[index] ?? name);
    this.#movedRequests = transports.map(() => 0);
    this.#failedProbes = transports.map(() => 0);
    this.#clock = clock;
    this.#random = random;
    this.#state = startFailover(transports.length);
  }

  get name(): string {
    return this.#transport(serversToTry(this.#state)[0] ?? 0).name;
  }

  get servers(): readonly ServerReport[] {
    const [inUse] = serversToTry(this.#state);
    return this.#names.map((server, index) => ({
      server,
      state: this.#state[index]?.type ?? 'up',
      isInUse: index === inUse,
      movedRequests: this.#movedRequests[index] ?? 0,
      failedProbes: this.#failedProbes[index] ?? 0,
    }));
  }

  async send(request: TransportRequest): Promise<TransportResponse> {
    this.#probeThoseDue();
    const failures: TransportError[] = [];
    let refused: TransportResponse | undefined;
    let before: number | undefined;
    // The order as it is now: a server that comes back meanwhile is for the next request.
    for (const index of serversToTry(this.#state)) {
      if (this.#closing.signal.aborted) throw transportClosedError();
      if (before !== undefined) count(this.#movedRequests, before);
      before = index;
      const attempt = await this.#attempt(index, request);
      if (attempt.type === 'answered') {
        if (refused !== undefined) await drainBody(refused);
        return attempt.response;
      }
      if (attempt.type === 'refused') {
        if (refused !== undefined) await drainBody(refused);
        refused = attempt.response;
        if (!isRead(request)) return refused;
      } else {
        const { error } = attempt;
        if (!isTransportError(error) || request.signal?.aborted === true || !mayGoElsewhere(request, error))
          throw error;
        failures.push(error);
      }
    }
    if (refused !== undefined) return refused;
    throw allFailed(failures);
  }

  close(): Promise<void> {
    this.#closing.abort();
    return Promise.all(this.#transports.map((transport) => transport.close())).then(() => undefined);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #attempt(index: number, request: TransportRequest): Promise<Attempt> {
    try {
      const response = await this.#transport(index).send(request);
      if (isUnable(response)) {
        this.#failed(index);
        return { type: 'refused', response };
      }
      this.#state = stepFailover(this.#state, { type: 'answered', server: index });
      const body = observedBody(response.body, (error) => this.#broke(index, request, error));
      return { type: 'answered', response: { ...response, body } };
    } catch (error) {
      this.#broke(index, request, error);
      return { type: 'failed', error };
    }
  }

  /** A connection that we ended ourselves says nothing about the server. */
  #broke(index: number, { signal }: TransportRequest, error: unknown): void {
    if (signal?.aborted === true || !isTransportError(error)) return;
    if (error.code !== 'CLIENT_CLOSED' && error.code !== 'PROTOCOL') this.#failed(index);
  }

  #failed(server: number): void {
    const [now, random] = [monotonicMs(this.#clock), this.#random()];
    this.#state = stepFailover(this.#state, { type: 'failed', server, now, random });
  }

  /** Probes go beside the requests: none of these waits for a server that may still be dead. */
  #probeThoseDue(): void {
    for (const server of serversToProbe(this.#state, monotonicMs(this.#clock))) {
      this.#state = stepFailover(this.#state, { type: 'probed', server });
      void this.#probe(server);
    }
  }

  async #probe(server: number): Promise<void> {
    try {
      const { signal } = this.#closing;
      const probe = {
        method: 'GET',
        path: '/readyz',
        headers: {},
        headersTimeoutMs: PROBE_TIMEOUT_MS,
        signal,
      } as const;
      const response = await this.#transport(server).send(probe);
      if (response.status < 500) this.#state = stepFailover(this.#state, { type: 'answered', server });
      else this.#probeFailed(server);
      await drainBody(response);
    } catch {
      this.#probeFailed(server);
    }
  }

  #probeFailed(server: number): void {
    count(this.#failedProbes, server);
    this.#failed(server);
  }

  #transport(index: number): Transport {
    const transport = this.#transports[index];
    if (transport === undefined) throw new RangeError(`there is no server ${index}`);
    return transport;
  }
}

function count(counts: number[], server: number): void {
  counts[server] = (counts[server] ?? 0) + 1;
}

/** A WebSocket is asked for by GET, but it may have started a command. */
function isRead({ method, upgrade }: TransportRequest): boolean {
  return method === 'GET' && upgrade === undefined;
}

/** `CONNECT`: nothing was sent. `CLOSED`: it broke before an answer, which only a read may ignore. */
function mayGoElsewhere(request: TransportRequest, error: TransportError): boolean {
  return error.code === 'CONNECT' || (error.code === 'CLOSED' && isRead(request));
}

/** The server is ending or has no storage, or it is behind a version that another one may have (504). */
function isUnable({ status, headers }: TransportResponse): boolean {
  return (status >= 502 && status <= 504) || (status === 500 && headers['retry-after'] !== undefined);
}

function allFailed(failures: readonly TransportError[]): TransportError {
  const last = failures.at(-1);
  const reasons = failures.map(({ message }) => message).join('; ');
  return new TransportError(last?.code ?? 'CONNECT', `no server answered: ${reasons}`, { cause: last });
}
