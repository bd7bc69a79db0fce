/** The server's side of one exchange, in the hands of a test. */

import type { TransportRequest, TransportResponse } from '@listwatch/client';

export interface ScriptedExchange {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  /** Has the client gone, or the connection broken? Also true when all was said. */
  readonly closed: boolean;
  /** Accepts it, or answers with any other status. */
  head(status: number, headers?: Readonly<Record<string, string>>): void;
  /** Resolves when the sender may go on; stays open while the client holds it back. */
  write(chunk: Uint8Array | string): Promise<void>;
  end(): void;
  /** Breaks the connection in the middle of whatever it was saying. */
  cut(): void;
}

/** A server that does what the test says, and nothing by itself. */
export interface ScriptedServer {
  readonly url: string;
  /** 0 without sockets. */
  readonly port: number;
  /** PEM of the authority that it is to be trusted by. */
  readonly ca: string | undefined;
  /** Sockets that are open now. */
  readonly sockets: number;
  /** Exchanges that came, in their order. */
  readonly exchanges: readonly ScriptedExchange[];
  /** For transports without a wire; absent where there is one. */
  readonly handle?: ((request: TransportRequest) => Promise<TransportResponse>) | undefined;
  close(): Promise<void>;
}
