/** The error form of a failed Status, thrown by servers and clients alike. */
import { ListWatchError } from './listwatch-error.ts';
import { type Failure, failureStatus, type Status, type StatusReason } from './status.ts';

/** Extra facts about a failure. */
export interface StatusErrorOptions extends ErrorOptions {
  /** How long the server asks to wait. Default: what the Status says. */
  readonly retryAfterMs?: number | undefined;
}

/**
 * A request that failed. Tell failures apart by `reason`, or with guards such as `isConflict`, which also work on an
 * error from another copy of this package.
 */
export class StatusError extends ListWatchError {
  override readonly code = 'STATUS' as const;
  /** What the server said, or will say. */
  readonly status: Status;
  /** Why; `''` when no reason is given. */
  readonly reason: StatusReason;
  /** The HTTP status code; 0 when the Status has none. */
  readonly httpCode: number;
  /** How long the server asks to wait before another attempt; `undefined` when it does not ask. */
  readonly retryAfterMs: number | undefined;

  constructor(status: Status, options?: StatusErrorOptions) {
    super(status.message ?? '', options);
    this.status = status;
    this.reason = status.reason ?? '';
    this.httpCode = status.code ?? 0;
    this.retryAfterMs = options?.retryAfterMs ?? retryAfterMsOf(status);
  }
}

/** Makes the error of a failure from its parts. */
export function failure(parts: Failure, options?: StatusErrorOptions): StatusError {
  return new StatusError(failureStatus(parts), options);
}

function retryAfterMsOf({ reason, details }: Status): number | undefined {
  const seconds = details?.retryAfterSeconds ?? 0;
  // ServerTimeout asks for another attempt even when it names no delay.
  return seconds > 0 || (reason === 'ServerTimeout' && details !== undefined) ? seconds * 1000 : undefined;
}
