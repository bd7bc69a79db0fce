/** The last answer to a client that may still be sending. */

import type { Duplex } from 'node:stream';
import type { Clock } from '@listwatch/storage';

/** Neither a client that sends for ever nor one that never closes keeps the connection. */
export const DRAIN_LIMITS: { readonly ms: number; readonly bytes: number } = { ms: 5000, bytes: 8 * 1024 * 1024 };

/**
 * Says `last`, ends our side, and throws away what still comes until the client ends its own. A connection that is closed
 * with bytes unread is reset by the kernel, and a reset takes away what the client has received and not yet read: it
 * would see a broken connection and no answer.
 */
export function endAndDrain(socket: Duplex, last: Buffer, clock: Clock): void {
  // Node's parser is one of them: it has failed, and would fail again with each piece.
  socket.removeAllListeners('data');
  drain(socket, clock);
  socket.end(last);
}

/** Throws away what comes on a socket that is being ended, and destroys it when that lasts too long. */
export function drain(socket: Duplex, clock: Clock): void {
  let left = DRAIN_LIMITS.bytes;
  socket.on('data', (chunk: Buffer) => {
    left -= chunk.length;
    if (left < 0) socket.destroy();
  });
  const cancel = clock.after(DRAIN_LIMITS.ms, () => socket.destroy());
  socket.once('close', cancel);
}
