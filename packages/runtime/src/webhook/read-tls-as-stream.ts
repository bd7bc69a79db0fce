/** How the TLS socket of a request must be read. */

import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';

/**
 * Makes Node's server read a TLS socket as a stream. By itself it reads below the stream, and resets a connection whose next request
 * comes right after a large answer (`clientError` with `HPE_PAUSED`): each handler that goes on in the check phase of the loop
 * writes such answers. `readAsStream` in packages/server says more; this package must not load that one. Any listener for `data`
 * makes Node give that up, for good.
 */
export function readTlsAsStream(socket: Socket): void {
  if (!(socket instanceof TLSSocket)) return;
  socket.on('data', nothing);
  socket.off('data', nothing);
}

function nothing(): void {}
