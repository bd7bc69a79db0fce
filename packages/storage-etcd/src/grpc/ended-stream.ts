/** A stream that could not be opened. */

import type { GrpcStream } from './grpc-connection.ts';

/** Over from the beginning. */
export class EndedStream implements GrpcStream {
  readonly error: Error;

  constructor(error: Error) {
    this.error = error;
  }

  send(): void {}

  take(): undefined {
    return undefined;
  }

  next(): Promise<undefined> {
    return Promise.resolve(undefined);
  }

  cancel(): void {}
}
