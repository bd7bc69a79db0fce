/** What becomes of a log when its stream has ended: it is opened again, at once or when the Pod changes. */

import { isStatusError } from '@listwatch/api';
import { errorText } from '../error-text.ts';
import type { ContainerRun } from './log-containers.ts';

/** How a log is doing. */
export type LogPhase =
  /** The page is hidden: nothing is read. */
  | { readonly type: 'asleep' }
  /** The stream broke, or the node does not answer; it is opened again. */
  | { readonly type: 'broken'; readonly text: string }
  /** All of it is here. */
  | { readonly type: 'ended'; readonly text: string }
  | { readonly type: 'live' }
  | { readonly type: 'loading' }
  /** There is no log, and asking again would not help. */
  | { readonly type: 'refused'; readonly text: string }
  /** The container has not started. */
  | { readonly type: 'waiting'; readonly text: string };

/** How a stream ended. */
export type LogOutcome = { readonly type: 'ended' } | { readonly type: 'failed'; readonly error: unknown };

export interface LogCircumstances {
  readonly run: ContainerRun;
  readonly isPrevious: boolean;
  /** Behind the page is `listwatch serve`, which has no kubelets. */
  readonly isOwnServer: boolean;
  /** How many streams before this one ended without a line. */
  readonly failures: number;
}

export interface LogStep {
  readonly phase: LogPhase;
  /** When to open the next stream; undefined: when the Pod has changed. */
  readonly againAfterMs: number | undefined;
}

const RETRY_MS = [500, 1000, 2000, 4000, 8000];
const WAITING_MS = 10_000;
const NO_KUBELETS = 'This server has no kubelets: no container runs, so there are no logs.';

export function afterLog(outcome: LogOutcome, circumstances: LogCircumstances): LogStep {
  return outcome.type === 'ended' ? afterEnd(circumstances) : afterFailure(outcome.error, circumstances);
}

function rest(text: string): LogStep {
  return { phase: { type: 'ended', text }, againAfterMs: undefined };
}

function afterEnd({ run, isPrevious, isOwnServer, failures }: LogCircumstances): LogStep {
  if (isPrevious) return rest('The whole log of the run before.');
  switch (run.state) {
    case 'gone':
      return rest('The Pod was deleted. These are its last lines.');
    case 'terminated':
      return rest(`The container has ended: ${run.detail}.`);
    case 'waiting':
      return rest(`The container waits to be started again: ${run.detail}.`);
    case 'unknown':
      return rest(isOwnServer ? NO_KUBELETS : 'The Pod has no status of this container: it has not started.');
    case 'running':
      // A server that restarts or a proxy in between has ended it; or the Pod's status is a moment late.
      return { phase: { type: 'broken', text: 'the server ended the stream' }, againAfterMs: delayOf(failures) };
  }
}

function afterFailure(error: unknown, { run, isOwnServer, failures }: LogCircumstances): LogStep {
  const text = errorText(error);
  const code = isStatusError(error) ? (error.status.code ?? 0) : 0;
  if (run.state === 'gone') return afterEnd({ run, isPrevious: false, isOwnServer, failures });
  if (isOwnServer && code >= 400) {
    return { phase: { type: 'refused', text: `${NO_KUBELETS} It answers: ${text}` }, againAfterMs: undefined };
  }
  if (code === 400 && /waiting to start/u.test(text)) {
    return { phase: { type: 'waiting', text: `The container has not started yet: ${text}` }, againAfterMs: WAITING_MS };
  }
  if (code >= 400 && code < 500 && code !== 429) {
    return { phase: { type: 'refused', text: `There is no log: ${text}` }, againAfterMs: undefined };
  }
  return { phase: { type: 'broken', text }, againAfterMs: delayOf(failures) };
}

function delayOf(failures: number): number {
  return RETRY_MS[Math.min(failures, RETRY_MS.length - 1)] ?? 0;
}
