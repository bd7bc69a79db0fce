/** A WebSocket of the `ws` library as the contract wants it. */

import type { Socket } from 'node:net';
import type { CancelTimer, Clock } from '@listwatch/api';
import type { WebSocket } from 'ws';
import type { MessageListener, MessageSocket } from '../message-socket.ts';
import { TransportError } from '../transport-error.ts';
import { SilenceGuard } from './silence-guard.ts';

const NORMAL_CLOSURE = 1000;
/** How long the other side may take to say goodbye, too. */
const GOODBYE_MS = 5_000;

export class NodeMessageSocket implements MessageSocket {
  readonly protocol: string;
  readonly canPause = true;
  /** Called once, when the connection is over. */
  onOver: () => void = () => {};
  readonly #client: WebSocket;
  readonly #socket: Socket;
  readonly #clock: Clock;
  readonly #guard: SilenceGuard;
  #listener: MessageListener | undefined;
  #error: TransportError | undefined;
  #cancelGoodbye: CancelTimer | undefined;
  #isPaused = false;
  #isOver = false;

  constructor(client: WebSocket, socket: Socket, clock: Clock) {
    this.protocol = client.protocol;
    this.#client = client;
    this.#socket = socket;
    this.#clock = clock;
    client.pause();
    client.on('error', (cause) => {
      this.#error ??= new TransportError('PROTOCOL', `the WebSocket broke: ${cause.message}`, { cause });
    });
    client.on('message', (data: Buffer, isBinary) => this.#deliver(data, isBinary));
    client.on('close', (code) => this.#closed(code));
    this.#guard = new SilenceGuard({
      clock,
      bytesRead: () => socket.bytesRead,
      ping: (answered) => {
        // A reader that holds the sender back does not see the answer either: it proves nothing then.
        if (this.#isPaused) answered();
        else client.once('pong', answered).ping();
      },
      onDead: () => this.fail(new TransportError('IDLE_TIMEOUT', 'the WebSocket fell silent: no answer to a ping')),
    });
  }

  start(listener: MessageListener): void {
    this.#listener = listener;
    if (this.#isOver) {
      listener.onClose(this.#error);
      return;
    }
    this.#guard.start();
    if (!this.#isPaused) this.#client.resume();
  }

  send(message: Uint8Array): Promise<void> {
    return new Promise((resolve) => {
      if (this.#isOver) resolve();
      // The error of a connection that broke is told by its end.
      else this.#client.send(message, { binary: true }, () => resolve());
    });
  }

  pause(): void {
    this.#isPaused = true;
    this.#client.pause();
  }

  resume(): void {
    this.#isPaused = false;
    if (this.#listener !== undefined) this.#client.resume();
  }

  close(): void {
    if (this.#isOver || this.#cancelGoodbye !== undefined) return;
    // What still comes is thrown away: unread, it would hide the goodbye of the other side.
    this.resume();
    this.#client.resume();
    this.#client.close(NORMAL_CLOSURE);
    this.#cancelGoodbye = this.#clock.after(GOODBYE_MS, () => this.destroy());
  }

  destroy(): void {
    this.#client.terminate();
    this.#socket.destroy();
  }

  /** Ends it from our side, with the reason. */
  fail(error: TransportError): void {
    this.#error ??= error;
    this.destroy();
  }

  #deliver(data: Buffer, isBinary: boolean): void {
    this.#guard.heard();
    if (isBinary) {
      this.#listener?.onMessage(data);
      return;
    }
    this.fail(new TransportError('PROTOCOL', 'the server sent text where bytes were agreed on'));
  }

  #closed(code: number): void {
    this.#isOver = true;
    this.#guard.stop();
    this.#cancelGoodbye?.();
    this.#socket.destroy();
    if (code !== NORMAL_CLOSURE) {
      this.#error ??= new TransportError('CLOSED', `the WebSocket was closed with ${code}`);
    }
    this.onOver();
    this.#listener?.onClose(this.#error);
  }
}
