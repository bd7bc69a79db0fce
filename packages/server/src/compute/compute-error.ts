/** Why a job has no result. */

import {
  internalError,
  ListWatchError,
  requestTimeout,
  StatusError,
  serviceUnavailable,
  tooManyRequests,
} from '@listwatch/api';

/** The reason of the failure. */
export type ComputeErrorCode =
  /** Too many jobs or bytes wait already. */
  | 'COMPUTE_FULL'
  /** The job took too long, and its worker was stopped. */
  | 'COMPUTE_DEADLINE'
  /** The worker ended twice while it ran the job: it ran out of memory, for example. */
  | 'COMPUTE_CRASHED'
  /** The worker could not load its code. */
  | 'COMPUTE_NOT_STARTED'
  /** The job threw an error that is not an answer. */
  | 'COMPUTE_FAILED'
  | 'COMPUTE_CLOSED';

/** A job without a result. */
export class ComputeError extends ListWatchError {
  override readonly code: ComputeErrorCode;

  constructor(code: ComputeErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

const RETRY_SECONDS = 1;

/** The error that the client gets for a job without a result. */
export function computeFailure({ code, message }: ComputeError): StatusError {
  switch (code) {
    case 'COMPUTE_FULL':
      return tooManyRequests('Too many large requests, please try again later.', RETRY_SECONDS);
    case 'COMPUTE_DEADLINE':
      return requestTimeout();
    case 'COMPUTE_CLOSED':
      return serviceUnavailable('apiserver is shutting down');
    case 'COMPUTE_NOT_STARTED':
      // With Retry-After: clients of Kubernetes try again by themselves.
      return new StatusError(serviceUnavailable(message).status, { retryAfterMs: RETRY_SECONDS * 1000 });
    case 'COMPUTE_CRASHED':
    case 'COMPUTE_FAILED':
      return internalError(message);
  }
}
