/** The sockets of one attempt to connect, and where it leads. */

import type { Socket } from 'node:net';

/** Where a server or a proxy listens. */
export interface DialTarget {
  readonly host: string;
  readonly port: number;
}

/** Host and port of a URL; an IPv6 host without its brackets. */
export function endpointOf(url: URL): DialTarget {
  const standard = url.protocol === 'https:' ? 443 : 80;
  return { host: url.hostname.replace(/^\[|\]$/gu, ''), port: url.port === '' ? standard : Number(url.port) };
}

/** None of its sockets is left behind when it fails. */
export class ConnectAttempt {
  readonly #sockets: Socket[] = [];
  #fail: ((error: Error) => void) | undefined;
  readonly #failed = new Promise<never>((_, reject) => {
    this.#fail = reject;
  });

  constructor() {
    // Nobody waits any more when the limit comes late.
    this.#failed.catch(() => {});
  }

  /** An error of the socket ends the attempt at any time: between two steps nobody else listens, and Node ends the process. */
  add<T extends Socket>(socket: T): T {
    this.#sockets.push(socket);
    return socket.on('error', (error) => this.fail(error));
  }

  fail(error: Error): void {
    this.#fail?.(error);
  }

  run<T>(step: Promise<T>): Promise<T> {
    return Promise.race([step, this.#failed]);
  }

  destroy(): void {
    for (const socket of this.#sockets) socket.destroy();
  }
}

/** Resolves when a socket is ready by that event. */
export function ready<T extends Socket>(socket: T, event: 'connect' | 'secureConnect'): Promise<T> {
  return new Promise((resolve, reject) => {
    const onClose = (): void => reject(new Error('the other side hung up'));
    socket.once('error', reject).once('close', onClose);
    socket.once(event, () => {
      socket.off('error', reject).off('close', onClose);
      resolve(socket);
    });
  });
}
