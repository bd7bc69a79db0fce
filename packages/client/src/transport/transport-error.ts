/** Failures between the client and the server. */

import { ListWatchError } from '@listwatch/api';

/**
 * - `CONNECT`: no connection (refused, unreachable, TLS). The request was not sent.
 * - `HEADERS_TIMEOUT`: connected, but no answer in time. It may have been carried out.
 * - `IDLE_TIMEOUT`: the answer fell silent: half-open connection, stalled server, dead proxy.
 * - `PROTOCOL`: what came is not what the API speaks: a frame that is no event, a list that is no list, a frame too large.
 * - `CLOSED`: the connection broke before the answer was complete.
 * - `CLIENT_CLOSED`: this client was closed, by its own `close()`. Trying again is of no use.
 */
export type TransportErrorCode =
  | 'CLIENT_CLOSED'
  | 'CLOSED'
  | 'CONNECT'
  | 'HEADERS_TIMEOUT'
  | 'IDLE_TIMEOUT'
  | 'PROTOCOL';

/** A failure of the transport. A `Status` from the server is a `StatusError` instead. */
export class TransportError extends ListWatchError {
  readonly code: TransportErrorCode;

  constructor(code: TransportErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** Is this a failure of the transport, by its name and code and not by its class? */
export function isTransportError(error: unknown, code?: TransportErrorCode): error is TransportError {
  if (!(error instanceof Error) || error.name !== 'TransportError' || !('code' in error)) return false;
  return CODES.has(error.code) && (code === undefined || error.code === code);
}

const CODES: ReadonlySet<unknown> = new Set<TransportErrorCode>([
  'CLIENT_CLOSED',
  'CLOSED',
  'CONNECT',
  'HEADERS_TIMEOUT',
  'IDLE_TIMEOUT',
  'PROTOCOL',
]);
