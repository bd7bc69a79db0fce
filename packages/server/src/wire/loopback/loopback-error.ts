/** The error of an in-process request where another request would lose its connection. */
import { ListWatchError } from '@listwatch/api';

/** `CLOSED`: the answer was cut before it was whole. `CONNECT`: the server has ended, and takes no requests any more. */
export type LoopbackErrorCode = 'CLOSED' | 'CONNECT';

/**
 * The failure of an in-process request. It has the name of the client's transport error, so that clients retry it like a
 * broken connection; the two packages do not import each other.
 */
export class LoopbackError extends ListWatchError {
  readonly code: LoopbackErrorCode;

  constructor(code: LoopbackErrorCode, message: string) {
    super(message);
    this.code = code;
    this.name = 'TransportError';
  }
}
