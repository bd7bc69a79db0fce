/** How a TLS socket of Node's HTTP/1.1 server must be read. */

import type { Socket } from 'node:net';

/**
 * Makes Node's server read `socket` as a stream. By itself it reads TLS below the stream, where `pause` stops the socket but
 * not the records that are decrypted already, and resets connections that are used again. In bare Node 20, 22 and 24 half
 * of these requests fail, each a POST of 90 KB on one kept connection of a client in another process:
 *
 *     https.createServer(options, (request, response) => {
 *       request.resume().on('end', () => setImmediate(() => {
 *         response.end(Buffer.alloc(90_000));
 *         for (const end = performance.now() + 5; performance.now() < end; );
 *       }));
 *     }).on('clientError', (error, socket) => socket.destroy()); // HPE_PAUSED
 *
 * The answer is above the socket's high-water mark, and TLS reports its write as done only after the loop's next round of
 * reads. The next request comes before that: Node finds that the socket needs a drain, pauses socket and parser, and the
 * parser refuses the records that follow.
 *
 * Any listener for `data` makes Node give that up. A high-water mark above all answers helps as well, but takes the
 * back-pressure from lists and watches.
 */
export function readAsStream(socket: Socket): void {
  socket.on('data', nothing);
  socket.off('data', nothing);
}

function nothing(): void {}
