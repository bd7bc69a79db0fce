/** Failures of exec, attach, port-forward and copies that are neither the server's nor the network's. */

import { ListWatchError } from '@listwatch/api';

/**
 * - `NO_HALF_CLOSE`: the server speaks version 4 of the protocol, which cannot say that stdin has ended: the command would wait.
 * - `UNREAD`: the program reads one stream and leaves another unread, until that is larger than `maxUnreadBytes`.
 * - `TOO_LARGE`: what was to be kept in memory or copied is larger than the limit.
 * - `UNSAFE_PATH`: an archive from a pod names a place outside of the directory, or a link.
 * - `BAD_ARCHIVE`: what came is no tar archive.
 * - `COPY_FAILED`: `tar` in the container failed; the message has what it said.
 * - `PORT_FAILED`: the pod did not take the connection to a port; the message has what the kubelet said.
 * - `NO_POD`: a workload has no pod that runs.
 */
export type StreamErrorCode =
  | 'BAD_ARCHIVE'
  | 'COPY_FAILED'
  | 'NO_HALF_CLOSE'
  | 'NO_POD'
  | 'PORT_FAILED'
  | 'TOO_LARGE'
  | 'UNREAD'
  | 'UNSAFE_PATH';

export class StreamError extends ListWatchError {
  readonly code: StreamErrorCode;

  constructor(code: StreamErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** Is this such a failure, by its name and code and not by its class? */
export function isStreamError(error: unknown, code?: StreamErrorCode): error is StreamError {
  if (!(error instanceof Error) || error.name !== 'StreamError' || !('code' in error)) return false;
  return code === undefined || error.code === code;
}
