/** What a request from within meets where another would lose its connection. */
import { ListWatchError } from '@listwatch/api';

/** `CLOSED`: the answer was cut before it was whole. `CONNECT`: the server has ended, and takes no requests any more. */
export type LoopbackErrorCode = 'CLOSED' | 'CONNECT';

/**
 * The failure of an exchange in the process. It goes by the name of the client's own error: whoever retries when a
 * connection breaks must take this for the same, though the two packages do not know each other.
 */
export class LoopbackError extends ListWatchError {
  readonly code: LoopbackErrorCode;

  constructor(code: LoopbackErrorCode, message: string) {
    super(message);
    this.code = code;
    this.name = 'TransportError';
  }
}
