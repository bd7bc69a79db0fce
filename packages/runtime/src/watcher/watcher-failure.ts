/** Failures that the state machine of a watcher finds itself, and the event that reports one. */

import { TransportError } from '@listwatch/client/internal';
import { WatcherError, type WatcherErrorCode } from '../watcher-error.ts';
import type { ErrorEvent } from '../watcher-event.ts';
import type { FailureInput } from './watcher-input.ts';

export function failed({ error }: FailureInput): ErrorEvent {
  return { type: 'error', error };
}

export function shortWatch(livedMs: number): FailureInput {
  return { ...failureOf('WATCH_FAILED', `the server ended the watch after ${livedMs} ms with nothing in it`), livedMs };
}

export function noVersion(what: string, version: string | undefined): FailureInput {
  return failureOf('NO_RESOURCE_VERSION', `${what} has no usable version: ${JSON.stringify(version)}`);
}

/** A failure that nobody threw. */
export function failureOf(code: WatcherErrorCode, message: string): FailureInput {
  const cause = new TransportError(code === 'NO_RESOURCE_VERSION' ? 'PROTOCOL' : 'CLOSED', message);
  return { type: 'broken', error: new WatcherError(code, message, { cause }), livedMs: 0 };
}
