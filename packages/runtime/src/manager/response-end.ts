/** When a response of Node is over, whichever way. */

import type { IncomingMessage, ServerResponse } from 'node:http';

/**
 * Calls the listener once: when the response is sent, or when its connection is gone. Node does not tell the latter to a response that
 * has not had its turn because the one before it is not sent yet.
 */
export function onResponseEnd({ socket }: IncomingMessage, response: ServerResponse, listener: () => void): void {
  let isOver = false;
  const end = (): void => {
    // A listener that is removed while others of the same event run is called all the same.
    if (isOver) return;
    isOver = true;
    socket.off('close', end);
    response.off('close', end);
    listener();
  };
  if (response.socket === null) socket.on('close', end);
  response.on('close', end);
}
