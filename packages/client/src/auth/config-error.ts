/** What can be wrong with the description of a cluster, before anything is sent to it. */

import { ListWatchError } from '@listwatch/api';

/**
 * - `NO_CONFIG`: there is no kubeconfig, and this is no pod either.
 * - `FILE_UNREADABLE`: a file that is named does not exist or cannot be read.
 * - `FILE_INVALID`: a file is not what it should be; the message has the line where it can.
 * - `NAME_UNKNOWN`: a context, cluster or user that is named is not there.
 * - `UNSUPPORTED`: a way to log in that is not supported, or no more.
 * - `LOGIN_FAILED`: the program or the provider that gives us our credentials did not.
 */
export type ConfigErrorCode =
  | 'FILE_INVALID'
  | 'FILE_UNREADABLE'
  | 'LOGIN_FAILED'
  | 'NAME_UNKNOWN'
  | 'NO_CONFIG'
  | 'UNSUPPORTED';

/** The message names the file, the line where it can, and what to do. */
export class ConfigError extends ListWatchError {
  readonly code: ConfigErrorCode;

  constructor(code: ConfigErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
