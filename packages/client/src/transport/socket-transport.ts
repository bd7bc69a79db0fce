/** A transport that keeps connections, and can be told to begin anew with them. */

import type { Transport } from './transport.ts';

export interface SocketTransport extends Transport {
  /** What is under way goes on; what comes next travels on new connections: our certificate has changed. */
  reconnect(): void;
}
