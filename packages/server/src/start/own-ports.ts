/** The ports that a server listens on. */

import type { HttpServerAddress } from './create-http-server.ts';

/** Empty before it listens. */
export function ownPorts(address: HttpServerAddress | undefined): readonly number[] {
  if (address === undefined) return [];
  return [address.port, ...(address.insecureUrl === undefined ? [] : [Number(new URL(address.insecureUrl).port)])];
}
