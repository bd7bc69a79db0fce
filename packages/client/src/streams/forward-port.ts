/** A local port whose connections go to a pod. Node only. */

import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { type AbortOptions, type CancelTimer, type Clock, isBadRequest, isNotFound, sleep } from '@listwatch/api';
import { linkSignal } from '../link-signal.ts';
import { checkOptionNames, type OptionNames } from '../request/option-names.ts';
import { transportClosedError } from '../transport/exchange/pending-requests.ts';
import { isTransportError } from '../transport/transport-error.ts';
import type { StreamCluster } from './open-messages.ts';
import { type ChoosingCluster, choosePod, type PodSource } from './pod-choice.ts';
import { checkPort, connectPort, type PortConnection } from './port-connection.ts';
import { isStreamError } from './stream-error.ts';

/** Options of `forwardPort`. */
export interface ForwardPortOptions extends AbortOptions {
  /** The port in the pod; of a Service, its own port. */
  readonly port: number;
  /** Default: 0, any free one. */
  readonly localPort?: number | undefined;
  /** Where to listen. Default: 127.0.0.1. Everybody who can reach it can use it, without a login. */
  readonly host?: string | undefined;
  /** More are refused. Default: 256. */
  readonly maxConnections?: number | undefined;
  /** How long a local connection waits for a pod: it may be on its way to another node. Default: 30 000. */
  readonly patienceMs?: number | undefined;
  /** Told of each local connection that could not be forwarded, or not even accepted. Default: nobody is. */
  readonly onError?: ((error: unknown) => void) | undefined;
}

/** A port that is forwarded until `close`, the end of `await using` or the signal. */
export interface ForwardedPort extends AsyncDisposable {
  readonly host: string;
  readonly port: number;
  /** Connections that are open now. */
  readonly connections: number;
  close(): Promise<void>;
}

const FORWARD_NAMES: OptionNames<ForwardPortOptions> = {
  signal: true,
  port: true,
  localPort: true,
  host: true,
  maxConnections: true,
  patienceMs: true,
  onError: true,
};

const MAX_CONNECTIONS = 256;
const PATIENCE_MS = 30_000;
const FIRST_PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 2_000;
/** How long a pod may be silent after the local client has ended its side. */
const LAST_WORDS_MS = 10_000;

/**
 * Listens on a local port. Each connection to it becomes one of its own to the pod, so that a pod that restarts breaks those that
 * it had and no others. The pod of a workload is chosen for each connection. Rejects when the port is taken.
 *
 * @example
 * await using forwarded = await forwardPort(cluster, { resource: deployments, name: 'web' }, { port: 80 });
 * await fetch(`http://127.0.0.1:${forwarded.port}/`);
 */
export async function forwardPort(
  cluster: ChoosingCluster & StreamCluster,
  source: PodSource,
  options: ForwardPortOptions,
): Promise<ForwardedPort> {
  checkOptionNames('forwardPort', options, FORWARD_NAMES);
  const { port, localPort = 0, host = '127.0.0.1', maxConnections = MAX_CONNECTIONS, signal } = options;
  checkPort('port', port, 1);
  checkPort('localPort', localPort, 0);
  signal?.throwIfAborted();
  const link = linkSignal(signal);
  const sockets = new Set<Socket>();
  const server = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    // The end of the connection says it, too.
    socket.on('error', () => {});
    void forward(cluster, source, options, socket, link.signal);
  });
  server.maxConnections = maxConnections;
  server.listen({ host, port: localPort });
  try {
    await once(server, 'listening');
    // Not during the wait: a server that is closed before it listens may still begin to.
    link.signal.throwIfAborted();
  } catch (error) {
    link.unlink();
    server.close();
    throw error;
  }
  // Such as EMFILE, when a connection is accepted: without a listener it ends the process. The next one may be accepted.
  server.on('error', (error) => options.onError?.(error));
  const closed = new Promise<void>((resolve) => {
    server.once('close', resolve);
  });
  const close = (): Promise<void> => {
    link.unlink();
    link.abort(transportClosedError());
    server.close();
    for (const socket of sockets) socket.destroy();
    return closed;
  };
  link.signal.addEventListener('abort', () => void close(), { once: true });
  const address = server.address();
  return {
    host,
    port: typeof address === 'object' && address !== null ? address.port : localPort,
    get connections() {
      return sockets.size;
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

async function forward(
  cluster: ChoosingCluster & StreamCluster,
  source: PodSource,
  options: ForwardPortOptions,
  socket: Socket,
  signal: AbortSignal,
): Promise<void> {
  try {
    // A local client that leaves while a pod is looked for needs none.
    using link = linkSignal(signal);
    socket.once('close', () => link.abort(transportClosedError()));
    const connection = await openPatiently(cluster, source, options, link.signal);
    await using used = connection;
    // Told by the other direction: the pod ends the connection.
    sendAll(socket, used).catch(() => socket.destroy());
    const silence = new LastWords(socket, cluster.clock, () => used.close());
    try {
      for await (const chunk of used.incoming) {
        silence.heard();
        if (!socket.write(chunk)) await drained(socket);
      }
    } finally {
      silence.stop();
    }
    socket.end();
  } catch (error) {
    const isOurs = signal.aborted || isTransportError(error, 'CLIENT_CLOSED');
    if (!isOurs && !socket.destroyed) options.onError?.(error);
    // Not `end`: half an answer must not look like a whole one.
    if (!socket.destroyed) socket.resetAndDestroy();
  }
}

/** Tries again while there is no pod, or the one that was chosen is gone. */
async function openPatiently(
  cluster: ChoosingCluster & StreamCluster,
  source: PodSource,
  { port, patienceMs = PATIENCE_MS }: ForwardPortOptions,
  signal: AbortSignal,
): Promise<PortConnection> {
  let waitedMs = 0;
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)) {
    try {
      const { name, namespace, port: podPort } = await choosePod(cluster, source, port, { signal });
      return await connectPort(cluster, { name, namespace }, { port: podPort, signal });
    } catch (error) {
      if (waitedMs >= patienceMs || signal.aborted || !mayPass(error)) throw error;
    }
    await sleep(cluster.clock, pauseMs, signal);
    waitedMs += pauseMs;
  }
}

/** No pod yet, no such pod any more, it is on no node yet, or its node does not answer (500): a Deployment brings another one. */
function mayPass(error: unknown): boolean {
  const httpCode = typeof error === 'object' && error !== null && 'httpCode' in error ? error.httpCode : 0;
  return (
    isStreamError(error, 'NO_POD') ||
    isNotFound(error) ||
    isTransportError(error, 'CLOSED') ||
    Number(httpCode) >= 500 ||
    hasNoNode(error)
  );
}

/** The words of API servers: other requests that are refused with 400 will be refused again. */
function hasNoNode(error: unknown): boolean {
  return isBadRequest(error) && error.message.includes('does not have a host assigned');
}

/** Sends what the local client says, no faster than the pod reads it. Its end cannot be told to the pod. */
function sendAll(socket: Socket, { outgoing }: PortConnection): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.on('data', (chunk) => {
      socket.pause();
      outgoing.write(chunk).then(() => socket.resume(), reject);
    });
    socket.once('close', () => resolve());
  });
}

/**
 * A local client that says no more may still read (HTTP/1.0), or may have gone: both look the same, and the pod cannot be told.
 * When the pod says nothing for a while, the client has gone.
 */
class LastWords {
  readonly #clock: Clock;
  readonly #onSilence: () => void;
  #cancel: CancelTimer | undefined;
  #isOver = false;

  constructor(socket: Socket, clock: Clock, onSilence: () => void) {
    this.#clock = clock;
    this.#onSilence = onSilence;
    const start = (): void => {
      if (this.#isOver) return;
      this.#cancel ??= clock.after(LAST_WORDS_MS, onSilence);
    };
    socket.once('end', start);
    if (socket.readableEnded) start();
  }

  heard(): void {
    if (this.#cancel === undefined) return;
    this.#cancel();
    this.#cancel = this.#clock.after(LAST_WORDS_MS, this.#onSilence);
  }

  stop(): void {
    this.#isOver = true;
    this.#cancel?.();
  }
}

function drained(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      socket.off('drain', done).off('close', done);
      resolve();
    };
    socket.on('drain', done).on('close', done);
    if (socket.destroyed) done();
  });
}
