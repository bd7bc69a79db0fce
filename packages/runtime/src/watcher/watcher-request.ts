/** The common parts of a watcher's requests. */

import { type ApiObject, groupResourceText, type Resource } from '@listwatch/api';
import { isTransportError } from '@listwatch/client/internal';
import type { WatchedCluster } from '../watched-cluster.ts';
import { WatcherError, type WatcherErrorCode } from '../watcher-error.ts';
import { failureKind, retryAfterMs } from './failure-kind.ts';
import type { FailureInput, WatcherInput } from './watcher-input.ts';
import type { WatcherConfig } from './watcher-options.ts';
import type { WatcherState } from './watcher-state.ts';

/** What a request of a watcher needs. */
export interface WatcherExchange<T extends ApiObject> {
  readonly cluster: WatchedCluster;
  readonly resource: Resource<T>;
  readonly config: WatcherConfig<T>;
  readonly signal: AbortSignal;
  readonly state: () => WatcherState;
  /** Tells the machine. A promise means that the reader is not ready for more. */
  readonly feed: (input: WatcherInput<T>) => Promise<void> | undefined;
}

const STEPS: Readonly<Record<WatcherErrorCode, string>> = {
  INITIAL_LIST_FAILED: 'the list failed',
  NO_END_MARKER: 'the initial events have no end',
  NO_RESOURCE_VERSION: 'there is no version',
  WATCH_ERROR: 'the server ended the watch',
  WATCH_FAILED: 'the watch failed',
  WATCH_START_FAILED: 'the watch could not be opened',
};

/** What was thrown, as the machine takes it. */
export function failureInput(
  code: WatcherErrorCode,
  cause: unknown,
  livedMs: number,
  kind: FailureInput['type'] = failureKind(cause),
): FailureInput {
  const message = `${STEPS[code]}: ${causeText(cause)}`;
  return { type: kind, error: new WatcherError(code, message, { cause }), livedMs, retryAfterMs: retryAfterMs(cause) };
}

/** The client's own errors name the request before the reason; a watcher's error has named it already. */
function causeText(cause: unknown): string {
  if (isTransportError(cause) && isTransportError(cause.cause)) return cause.cause.message;
  return cause instanceof Error ? cause.message : String(cause);
}

/** The error with the collection and the server in its message. */
export function namedError<T extends ApiObject>(
  { server }: WatchedCluster,
  resource: Resource<T>,
  namespace: string | undefined,
  { code, message, cause }: WatcherError,
): WatcherError {
  const where = namespace === undefined || namespace === '' ? '' : ` in ${namespace}`;
  return new WatcherError(code, `${groupResourceText(resource)}${where} at ${server}: ${message}`, { cause });
}
