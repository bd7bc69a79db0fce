/** A TCP proxy that breaks connections in the ways that networks do. Start at {@link startTcpProxy}. */

import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';

/** A proxy on loopback in front of one TCP service. */
export interface TcpProxy {
  readonly port: number;
  /** For HTTP clients: `http://127.0.0.1:port`. */
  readonly endpoint: string;
  /** Connections that are open now. */
  readonly connections: number;
  /** Connections that were ever accepted. */
  readonly accepted: number;
  /** Bytes that went from the service to clients. */
  readonly downstreamBytes: number;
  /** Resets all connections at once. New ones are accepted. */
  cut(): void;
  /** Cuts everything after this many more bytes have gone to clients, in the middle of whatever they are. */
  cutAfter(bytes: number): void;
  /** Stops forwarding in both directions and keeps all connections open, also new ones: silence, not an error. */
  stall(): void;
  /** Ends a stall: everything goes on where it stood. */
  flow(): void;
  /** From now on everything arrives this much later; 0: at once. What is on its way keeps its time and its order. */
  delay(ms: number): void;
  /** Ends the direction from the service to the client of every connection; the other stays open. */
  halfClose(): void;
  /** Refuses new connections. Those that are open stay. */
  refuse(): void;
  /** Accepts new connections again, on the same port. */
  accept(): Promise<void>;
  /** Cuts everything and lets go of the port. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** Starts a proxy in front of `127.0.0.1:port`. */
export async function startTcpProxy(port: number): Promise<TcpProxy> {
  const proxy = new FaultProxy(port);
  await proxy.accept();
  return proxy;
}

/** Two sockets that are one connection. */
interface Pair {
  readonly client: Socket;
  readonly service: Socket;
}

class FaultProxy implements TcpProxy {
  readonly #target: number;
  readonly #pairs = new Set<Pair>();
  #server: Server | undefined;
  #port = 0;
  #accepted = 0;
  #stalled = false;
  #downstreamBytes = 0;
  #cutAt = Number.POSITIVE_INFINITY;
  #delayMs = 0;

  constructor(target: number) {
    this.#target = target;
  }

  get port(): number {
    return this.#port;
  }

  get endpoint(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  get connections(): number {
    return this.#pairs.size;
  }

  get accepted(): number {
    return this.#accepted;
  }

  get downstreamBytes(): number {
    return this.#downstreamBytes;
  }

  cut(): void {
    this.#cutAt = Number.POSITIVE_INFINITY;
    for (const { client, service } of this.#pairs) {
      client.resetAndDestroy();
      service.resetAndDestroy();
    }
  }

  cutAfter(bytes: number): void {
    this.#cutAt = this.#downstreamBytes + bytes;
  }

  stall(): void {
    this.#stalled = true;
    for (const pair of this.#pairs) pause(pair);
  }

  flow(): void {
    this.#stalled = false;
    for (const { client, service } of this.#pairs) {
      client.resume();
      service.resume();
    }
  }

  delay(ms: number): void {
    this.#delayMs = ms;
  }

  halfClose(): void {
    for (const { client } of this.#pairs) client.end();
  }

  refuse(): void {
    // Not waited for: a server is closed only when the connections that stay open have ended too.
    this.#server?.close();
    this.#server = undefined;
  }

  async accept(): Promise<void> {
    if (this.#server !== undefined) return;
    const server = createServer({ allowHalfOpen: true }, (client) => this.#connect(client));
    this.#server = server;
    server.listen(this.#port, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    if (address !== null && typeof address !== 'string') this.#port = address.port;
  }

  async close(): Promise<void> {
    const server = this.#server;
    const closed = server === undefined ? undefined : once(server, 'close');
    this.refuse();
    this.cut();
    await closed;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #connect(client: Socket): void {
    this.#accepted += 1;
    const service = connect({ port: this.#target, host: '127.0.0.1', allowHalfOpen: true });
    const pair = { client, service };
    this.#pairs.add(pair);
    const gone = (): void => {
      client.destroy();
      service.destroy();
      this.#pairs.delete(pair);
    };
    for (const socket of [client, service]) {
      socket.on('error', gone);
      socket.on('close', gone);
    }
    const resume = (socket: Socket): void => {
      if (!this.#stalled) socket.resume();
    };
    const delayMs = (): number => this.#delayMs;
    forward(client, delayed(service, delayMs), () => true, resume);
    forward(service, delayed(client, delayMs), (chunk) => this.#count(chunk), resume);
    if (this.#stalled) pause(pair);
  }

  /** Whether the chunk may go to the client. */
  #count(chunk: Buffer): boolean {
    this.#downstreamBytes += chunk.length;
    if (this.#downstreamBytes < this.#cutAt) return true;
    this.cut();
    return false;
  }
}

function pause({ client, service }: Pair): void {
  client.pause();
  service.pause();
}

/** A socket that is written to, now or later. */
interface Outlet {
  readonly socket: Socket;
  /** False: hold back until the socket drains. */
  write(chunk: Buffer): boolean;
  end(): void;
}

/** Writes later while there is a delay, strictly in order: two timers of one millisecond could fire in the wrong one. */
function delayed(socket: Socket, delayMs: () => number): Outlet {
  const queue: { readonly due: number; readonly act: () => void }[] = [];
  const pump = (): void => {
    for (let first = queue[0]; first !== undefined; first = queue[0]) {
      const wait = first.due - performance.now();
      if (wait > 0) {
        setTimeout(pump, Math.ceil(wait));
        return;
      }
      queue.shift();
      if (socket.writable) first.act();
    }
  };
  const later = (act: () => void): void => {
    queue.push({ due: performance.now() + delayMs(), act });
    // Otherwise the timer of the first one is running.
    if (queue.length === 1) pump();
  };
  const isDirect = (): boolean => queue.length === 0 && delayMs() === 0;
  return {
    socket,
    write: (chunk) => {
      if (isDirect()) return socket.write(chunk);
      later(() => socket.write(chunk));
      return true;
    },
    end: () => {
      if (isDirect()) socket.end();
      else later(() => socket.end());
    },
  };
}

function forward(from: Socket, to: Outlet, allow: (chunk: Buffer) => boolean, resume: (socket: Socket) => void): void {
  from.on('data', (chunk: Buffer) => {
    if (!allow(chunk) || !to.socket.writable) return;
    if (!to.write(chunk)) from.pause();
  });
  to.socket.on('drain', () => resume(from));
  from.on('end', () => to.end());
}
