/** Sends requests to kubelets, Pods and Services over sockets of their own, within bounds. */

import { lookup } from 'node:dns/promises';
import { type ClientRequest, type IncomingMessage, request as requestHttp } from 'node:http';
import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { tooManyRequests } from '@listwatch/api';
import type { Clock } from '@listwatch/storage';
import { ForwardError, type ForwardedAnswer, type ForwardedRequest, type Forwarder } from '../contract/forwarding.ts';
import { isOwnAddress, isSpecialAddress } from './allowed-address.ts';
import type { KubeletConfig } from './forward-options.ts';
import { forwardedAnswer, forwardedTunnel } from './forwarded-answer.ts';

/** Numbers for metrics. */
export interface ForwardCounts {
  readonly open: number;
  readonly opened: number;
  readonly refused: number;
  readonly failed: number;
  readonly cutIdle: number;
}

/** Of a server that forwards nothing. */
export const NOTHING_FORWARDED: ForwardCounts = { open: 0, opened: 0, refused: 0, failed: 0, cutIdle: 0 };

export class SocketForwarder implements Forwarder {
  readonly #config: KubeletConfig;
  readonly #clock: Clock;
  readonly #ownPorts: () => readonly number[];
  readonly #sockets = new Set<Socket>();
  /** Connections that are being made count, too. */
  #places = 0;
  #opened = 0;
  #refused = 0;
  #failed = 0;
  #cutIdle = 0;
  #isClosed = false;

  /** `ownPorts`: what this server listens on, as it is now. */
  constructor(config: KubeletConfig, clock: Clock, ownPorts: () => readonly number[]) {
    this.#config = config;
    this.#clock = clock;
    this.#ownPorts = ownPorts;
  }

  get counts(): ForwardCounts {
    return {
      open: this.#places,
      opened: this.#opened,
      refused: this.#refused,
      failed: this.#failed,
      cutIdle: this.#cutIdle,
    };
  }

  async send(request: ForwardedRequest): Promise<ForwardedAnswer> {
    request.signal.throwIfAborted();
    const { maxConnections } = this.#config;
    if (this.#places >= maxConnections || this.#isClosed) {
      this.#refused += 1;
      throw tooManyRequests(`${this.#places} connections to kubelets and Pods are open, please try again later`, 1);
    }
    this.#places += 1;
    let socket: Socket;
    try {
      socket = await this.#dial(request);
    } catch (error) {
      this.#places -= 1;
      this.#failed += 1;
      throw error;
    }
    this.#opened += 1;
    this.#keep(socket);
    request.onAsked();
    return this.#exchange(socket, request);
  }

  /** Cuts every connection, and makes no more. */
  close(): void {
    this.#isClosed = true;
    for (const socket of this.#sockets) socket.destroy();
  }

  #keep(socket: Socket): void {
    this.#sockets.add(socket);
    socket.once('close', () => {
      this.#sockets.delete(socket);
      this.#places -= 1;
    });
    socket.on('error', () => socket.destroy());
    // Whatever passes in either direction goes over this socket.
    socket.setTimeout(this.#config.idleTimeoutMs, () => {
      this.#cutIdle += 1;
      socket.destroy();
    });
    if (this.#isClosed) socket.destroy();
  }

  async #dial(request: ForwardedRequest): Promise<Socket> {
    const { connectTimeoutMs, connect } = this.#config;
    const { host, port, signal } = request;
    const address = `${isIP(host) === 6 ? `[${host}]` : host}:${port}`;
    const attempt = new AbortController();
    const cancel = this.#clock.after(connectTimeoutMs, () => attempt.abort(new Error('i/o timeout')));
    const giveUp = (): void => attempt.abort(signal.reason);
    signal.addEventListener('abort', giveUp, { once: true });
    try {
      const plain =
        connect === undefined
          ? await openTcp(await this.#resolve(request, attempt.signal), port, attempt.signal)
          : await connect(host, port, attempt.signal);
      return request.secure ? await this.#secure(plain, request, attempt.signal) : plain;
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof ForwardError) throw error;
      throw new ForwardError('unreachable', `dial tcp ${address}: ${dialReason(error)}`, { cause: error });
    } finally {
      cancel();
      signal.removeEventListener('abort', giveUp);
    }
  }

  /** The address of a host. Checked here, where it is known which one is used: a name can stand for another one the next time. */
  async #resolve({ host, port, isKubelet }: ForwardedRequest, signal: AbortSignal): Promise<string> {
    const { address } = isIP(host) === 0 ? await orAborted(lookup(host), signal) : { address: host };
    const isRefused = [...this.#ownPorts(), ...this.#config.refusedPorts()].includes(port) && isOwnAddress(address);
    // The API of this server through a proxy of its own: every limit and every log would take it for the server itself.
    if (isRefused || (!isKubelet && isSpecialAddress(address)))
      throw new ForwardError('not allowed', 'address not allowed');
    return address;
  }

  #secure(socket: Socket, { host, isKubelet }: ForwardedRequest, signal: AbortSignal): Promise<Socket> {
    const { caData, certData, keyData } = this.#config;
    // As kube-apiserver: the certificates of Pods are not checked at all, those of kubelets when an authority is named.
    const checked =
      isKubelet && caData !== undefined ? { ca: caData, rejectUnauthorized: true } : { rejectUnauthorized: false };
    const shown = isKubelet && certData !== undefined ? { cert: certData, key: keyData } : {};
    const name = isIP(host) === 0 ? { servername: host } : { host };
    const tls = connectTls({ socket, ALPNProtocols: ['http/1.1'], ...name, ...checked, ...shown });
    return ready(tls, 'secureConnect', signal);
  }

  #exchange(socket: Socket, forwarded: ForwardedRequest): Promise<ForwardedAnswer> {
    const { method, path, headers, body, signal } = forwarded;
    return new Promise((resolve, reject) => {
      const request: ClientRequest = requestHttp({
        createConnection: () => socket,
        method,
        path,
        setHost: false,
        // Pairs, so that a header that was sent several times goes out several times.
        headers: [...headers, ...lengthOf(method, body)],
      });
      const cut = (): void => void socket.destroy();
      signal.addEventListener('abort', cut, { once: true });
      socket.once('close', () => signal.removeEventListener('abort', cut));
      request.on('response', (message: IncomingMessage) => resolve(forwardedAnswer(message, socket)));
      request.on('upgrade', (message: IncomingMessage, _, head: Buffer) => {
        resolve(forwardedTunnel(message, socket, head));
      });
      request.on('error', (cause) => {
        socket.destroy();
        const reason = signal.aborted ? signal.reason : new ForwardError('unreachable', cause.message, { cause });
        reject(reason);
      });
      request.end(body);
    });
  }
}

/** Without a length Node sends the end of a chunked body behind the head, which is no part of the protocol after an upgrade. */
function lengthOf(method: string, body: Buffer | undefined): readonly string[] {
  const isBodyless = body === undefined && (method === 'GET' || method === 'HEAD');
  return isBodyless ? [] : ['content-length', String(body?.length ?? 0)];
}

function openTcp(host: string, port: number, signal: AbortSignal): Promise<Socket> {
  return ready(
    connectTcp({ host, port, noDelay: true, keepAlive: true, keepAliveInitialDelay: 30_000 }),
    'connect',
    signal,
  );
}

/** Resolves when a socket is ready; destroys it when it is given up. */
function ready(socket: Socket, event: 'connect' | 'secureConnect', signal: AbortSignal): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const fail = (error: unknown): void => {
      socket.on('error', () => {}).destroy();
      reject(error);
    };
    const giveUp = (): void => fail(signal.reason);
    const hungUp = (): void => fail(new Error('EOF'));
    signal.addEventListener('abort', giveUp, { once: true });
    socket.once('error', fail).once('close', hungUp);
    socket.once(event, () => {
      signal.removeEventListener('abort', giveUp);
      socket.off('error', fail).off('close', hungUp);
      resolve(socket);
    });
    if (signal.aborted) giveUp();
  });
}

function orAborted<V>(promise: Promise<V>, signal: AbortSignal): Promise<V> {
  return new Promise((resolve, reject) => {
    promise.then(resolve, reject);
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}

const WORDS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connect: connection refused',
  EHOSTUNREACH: 'connect: no route to host',
  ENETUNREACH: 'connect: network is unreachable',
  ETIMEDOUT: 'connect: connection timed out',
  ENOTFOUND: 'no such host',
};

/** In the words that users of Kubernetes know. */
function dialReason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return ('code' in error && WORDS[String(error.code)]) || error.message;
}
