/** The address that a server listens on. */
import type { AddressInfo, Server } from 'node:net';

/** The address of a server on a TCP port. Throws a `TypeError` when it does not listen on one. */
export function boundAddress(server: Server): AddressInfo {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new TypeError('the server listens on no TCP port');
  return address;
}
