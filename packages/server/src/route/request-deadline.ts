/** The deadline of a request. */
import { badRequest, firstValue, PARAM } from '@listwatch/api';
import { DurationError, parseDuration } from '@listwatch/api/values';
import type { Route } from '../contract/route.ts';

/** Writes of one object get no more than this, so that they end before the proxies in front of a server give up. */
const WRITE_MAX_MS = 34_000;
const WRITE_VERBS: ReadonlySet<string> = new Set(['create', 'delete', 'patch', 'update']);

/**
 * The time that a request has, in milliseconds; a watch has it to begin. The `timeout` parameter can only shorten it, 0 means
 * as long as the server allows, and a watch ignores it. Throws the 400 `StatusError` for one that is no duration.
 */
export function requestTimeoutMs(route: Route, maxMs: number): number {
  const allowed = WRITE_VERBS.has(route.verb) ? Math.min(maxMs, WRITE_MAX_MS) : maxMs;
  return wantedMs(route, allowed);
}

/** A request waits for a seat no longer than this, and than a quarter of its time. */
const QUEUE_WAIT_MAX_MS = 60_000;

/** How long a request may wait for a seat. The bound of writes is not for the queue, as in kube-apiserver. */
export function queueWaitMs(route: Route, maxMs: number): number {
  return Math.min(QUEUE_WAIT_MAX_MS, wantedMs(route, maxMs) / 4);
}

function wantedMs(route: Route, allowed: number): number {
  if (route.kind === 'watch') return allowed;
  const wanted = firstValue(route.query, PARAM.timeout) ?? '';
  if (wanted === '') return allowed;
  try {
    const ms = Number(parseDuration(wanted)) / 1e6;
    return ms > 0 ? Math.min(ms, allowed) : allowed;
  } catch (error) {
    if (!(error instanceof DurationError)) throw error;
    throw badRequest(`invalid timeout specified in the request URL - ${error.message}`, error);
  }
}
