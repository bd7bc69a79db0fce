/** Who is told of calls, for metrics. */

import type { AdmissionOperation } from './review/admission-request.ts';

/**
 * - `allowed`, `denied`: what the handler decided; a conversion that succeeded is `allowed`.
 * - `failed`: the handler threw, or the request was none that it was written for.
 * - `timeout`: the handler took longer than the API server waits.
 * - `refused`: no handler was called: no review, too large, too many at once, no such path.
 */
export type HookOutcome = 'allowed' | 'denied' | 'failed' | 'refused' | 'timeout';

/** How a call ended. */
export interface CallRecord {
  readonly outcome: HookOutcome;
  /** The HTTP status of the answer. */
  readonly status: number;
  readonly operation: AdmissionOperation | 'CONVERT' | undefined;
  readonly ms: number;
}

export interface WebhookObserver {
  /** A call began; `ended` is called once. `path` is that of a webhook, and `''` for any other. */
  started(path: string): (record: CallRecord) => void;
}

export const noObserver: WebhookObserver = { started: () => () => {} };
