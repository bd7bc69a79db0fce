/** A connection that carries messages in both directions: a WebSocket after its handshake. */

import type { TransportError } from './transport-error.ts';

/** What a request says that wants a connection of messages. */
export interface UpgradeOffer {
  /** The subprotocols that we speak, the best first. */
  readonly protocols: readonly string[];
  /** A larger message ends the connection with `PROTOCOL`. */
  readonly maxMessageBytes: number;
}

/** Hears of a connection, from `start` on. */
export interface MessageListener {
  /** A message of bytes, which belong to the listener. */
  onMessage(message: Uint8Array): void;
  /** It is over. `error` is undefined when the other side said goodbye. Called once, and last. */
  onClose(error: TransportError | undefined): void;
}

/** A connection of messages. Nothing is delivered before `start`. */
export interface MessageSocket {
  /** The subprotocol that the server chose. */
  readonly protocol: string;
  /** Can the sender be held back? Browsers cannot: what is not read piles up. */
  readonly canPause: boolean;
  start(listener: MessageListener): void;
  /** Resolves when more can be sent: who waits for it keeps no more than this message in memory. Never rejects. */
  send(message: Uint8Array): Promise<void>;
  pause(): void;
  resume(): void;
  /** Says goodbye. The connection is cut when the other side does not answer. */
  close(): void;
  /** Cuts the connection, with what has not been sent. */
  destroy(): void;
}
