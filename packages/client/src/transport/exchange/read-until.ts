/** Reading an answer off a socket that someone else will read on from. */

import type { Socket } from 'node:net';

/** Reads up to where `measure` says an answer ends; what came after it stays in the socket for the next reader. */
export function readUntil(socket: Socket, measure: (bytes: Buffer) => number | undefined): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    let bytes: Buffer = Buffer.alloc(0);
    const leave = (): void => {
      socket.off('data', onData).off('error', onError).off('close', onClose).pause();
    };
    const onError = (error: Error): void => {
      leave();
      reject(error);
    };
    const onClose = (): void => onError(new Error('the proxy hung up'));
    const onData = (chunk: Buffer): void => {
      try {
        bytes = Buffer.concat([bytes, chunk]);
        const length = measure(bytes);
        if (length === undefined) return;
        leave();
        if (bytes.length > length) socket.unshift(bytes.subarray(length));
        resolve(bytes.subarray(0, length));
      } catch (error) {
        onError(error instanceof Error ? error : new Error(String(error)));
      }
    };
    // A socket that was paused for its last reader does not flow by itself for the next.
    socket.on('data', onData).on('error', onError).on('close', onClose).resume();
  });
}
