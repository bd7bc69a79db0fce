/** The WebSocket of a browser as the contract wants it. */

import { type Clock, sleep } from '@listwatch/api';
import type { MessageListener, MessageSocket, UpgradeOffer } from '../message-socket.ts';
import { TransportError } from '../transport-error.ts';

/** As much of a WebSocket as is used. */
export interface MessageWebSocketLike {
  binaryType: string;
  readonly protocol: string;
  readonly bufferedAmount: number;
  send(data: ArrayBuffer): void;
  close(code?: number, reason?: string): void;
  addEventListener(type: 'close', listener: (event: { readonly code: number; readonly reason: string }) => void): void;
  addEventListener(type: 'error' | 'open', listener: () => void): void;
  addEventListener(type: 'message', listener: (event: { readonly data: unknown }) => void): void;
}

const NORMAL_CLOSURE = 1000;
/** So much may wait in the browser before a sender is held back. */
const BUFFERED_BYTES = 256 * 1024;
/** Browsers do not say when they have sent something: it is looked at. */
const LOOK_MS = 20;

export class BrowserMessageSocket implements MessageSocket {
  readonly canPause = false;
  /** True when the handshake is done, false when it was refused. Rejects when it was given up. */
  readonly opened: Promise<boolean>;
  onOver: () => void = () => {};
  readonly #socket: MessageWebSocketLike;
  readonly #clock: Clock;
  readonly #maxMessageBytes: number;
  /** What came before `start`. */
  readonly #early: Uint8Array[] = [];
  #listener: MessageListener | undefined;
  #error: TransportError | undefined;
  #isOpen = false;
  #isOver = false;

  constructor(socket: MessageWebSocketLike, clock: Clock, { maxMessageBytes }: UpgradeOffer) {
    this.#socket = socket;
    this.#clock = clock;
    this.#maxMessageBytes = maxMessageBytes;
    socket.binaryType = 'arraybuffer';
    socket.addEventListener('message', ({ data }) => this.#receive(data));
    // The close event that follows says what there is to say.
    socket.addEventListener('error', () => {});
    this.opened = new Promise((resolve, reject) => {
      socket.addEventListener('open', () => {
        this.#isOpen = true;
        resolve(true);
      });
      socket.addEventListener('close', ({ code }) => {
        if (this.#error === undefined) resolve(false);
        else reject(this.#error);
        this.#closed(code);
      });
    });
  }

  get protocol(): string {
    return this.#socket.protocol;
  }

  start(listener: MessageListener): void {
    this.#listener = listener;
    for (const message of this.#early.splice(0)) listener.onMessage(message);
    if (this.#isOver) listener.onClose(this.#error);
  }

  async send(message: Uint8Array): Promise<void> {
    if (this.#isOver) return;
    // A copy: browsers refuse bytes of shared memory, and their types refuse bytes that might be.
    this.#socket.send(new Uint8Array(message).buffer);
    while (!this.#isOver && this.#socket.bufferedAmount > BUFFERED_BYTES) await sleep(this.#clock, LOOK_MS);
  }

  pause(): void {}

  resume(): void {}

  close(): void {
    this.#socket.close(NORMAL_CLOSURE);
  }

  destroy(): void {
    this.#socket.close(NORMAL_CLOSURE);
    this.#closed(NORMAL_CLOSURE);
  }

  /** Ends it from our side, with the reason. */
  fail(error: TransportError): void {
    this.#error ??= error;
    this.destroy();
  }

  #receive(data: unknown): void {
    if (this.#isOver) return;
    if (!(data instanceof ArrayBuffer)) {
      this.fail(new TransportError('PROTOCOL', 'the server sent text where bytes were agreed on'));
    } else if (data.byteLength > this.#maxMessageBytes) {
      this.fail(new TransportError('PROTOCOL', `a message of ${data.byteLength} bytes is too large`));
    } else if (this.#listener === undefined) this.#early.push(new Uint8Array(data));
    else this.#listener.onMessage(new Uint8Array(data));
  }

  #closed(code: number): void {
    if (this.#isOver) return;
    this.#isOver = true;
    if (code !== NORMAL_CLOSURE && this.#isOpen) {
      this.#error ??= new TransportError('CLOSED', `the WebSocket was closed with ${code}`);
    }
    this.onOver();
    this.#listener?.onClose(this.#error);
  }
}
