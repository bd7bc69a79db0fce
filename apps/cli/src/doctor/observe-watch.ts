/** Watches the probed collection and says how the watch ended. */

import { findStatusError, type Status, type WatchEvent } from '@listwatch/api';
import { isTransportError, type WatchQuery } from '@listwatch/client';
import type { CheckContext } from './check.ts';
import { explainProbe, explainStatus } from './explain-probe.ts';
import type { ProbedCollection } from './facts.ts';

/** How a watch ended, and after how long. */
export type WatchOutcome = { readonly ms: number } & (
  | { readonly type: 'stopped' }
  /** The server, or something between, ended it cleanly. */
  | { readonly type: 'ended' }
  /** An ERROR event. */
  | { readonly type: 'error'; readonly status: Partial<Status> }
  /** It was refused, broke or could not be decoded. */
  | { readonly type: 'failed'; readonly error: unknown }
);

/** Why the server, or something that speaks for it, answered no watch at all; undefined for a watch that ended or broke. */
export function watchRefusal(outcome: WatchOutcome): string | undefined {
  if (outcome.type === 'error') return explainStatus(outcome.status);
  if (outcome.type !== 'failed') return undefined;
  const { error } = outcome;
  const isRefused = findStatusError(error) !== undefined || isTransportError(error, 'PROTOCOL');
  return isRefused ? explainProbe(error) : undefined;
}

/** Called for each event; `true` ends the watch. */
export type EventListener = (event: WatchEvent, ms: number) => boolean | undefined;

/** Rejects only when the check is aborted. */
export async function observeWatch(
  { cluster, signal }: Pick<CheckContext, 'cluster' | 'signal'>,
  { resource, namespace }: ProbedCollection,
  query: WatchQuery,
  onEvent: EventListener = () => undefined,
): Promise<WatchOutcome> {
  const started = performance.now();
  const now = (): number => performance.now() - started;
  try {
    for await (const event of cluster.watch(resource, { namespace, heartbeatMs: 0, ...query, signal })) {
      if (event.type === 'ERROR') return { type: 'error', status: event.object, ms: now() };
      if (onEvent(event, now()) === true) return { type: 'stopped', ms: now() };
    }
    return { type: 'ended', ms: now() };
  } catch (error) {
    signal.throwIfAborted();
    return { type: 'failed', error, ms: now() };
  }
}
