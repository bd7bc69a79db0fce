/** A server in a process of its own: what it costs there can be measured, and a crash is seen. */

import type { ServerTarget } from '../server/server-target.ts';

/** What the server's process says of itself. */
export interface FuzzedServerReport {
  /** The longest that its event loop stood still since the last report. */
  readonly worstStallMs: number;
  readonly rssBytes: number;
  readonly heapBytes: number;
  /** Failures that the server did not expect, each a bug. */
  readonly unexpected: readonly string[];
  /** Sockets that the process has open. */
  readonly openSockets: number;
}

/** A server under attack. Disposing of it ends its process. */
export interface FuzzedServer extends ServerTarget, AsyncDisposable {
  report(): Promise<FuzzedServerReport>;
  /** How the process ended; undefined while it runs. */
  readonly exit: string | undefined;
}
