/** Asks for the first state as a stream, and waits for its end marker. */

import { isInitialEventsEnd } from '@listwatch/api';
import type { CheckContext } from './check.ts';
import type { DoctorSettings } from './doctor-settings.ts';
import type { ProbedCollection } from './facts.ts';
import { valueAt } from './json-path.ts';
import { observeWatch, type WatchOutcome } from './observe-watch.ts';
import { type Ask, answerJson } from './probe.ts';
import { NOTHING, subjectPath } from './subject-path.ts';

/** What came of it. */
export interface WatchListProbe {
  readonly subject: ProbedCollection;
  /** Objects before the end marker, or before the stream ended. */
  readonly items: number;
  /** When the marker came; undefined when it did not. */
  readonly markerMs: number | undefined;
  /** How long it was waited for. */
  readonly waitSeconds: number;
  readonly outcome: WatchOutcome;
}

/** As long as an informer waits for the marker in silence before it falls back to a list. */
export const MARKER_WAIT_SECONDS = 10;
/** More objects than this are not asked for; a stream of none shows the same. */
const MOST_ITEMS = 500;

/** Rejects only when the signal is aborted, or when the list before it fails. */
export async function probeWatchList(
  { cluster, signal }: Pick<CheckContext, 'cluster' | 'signal'>,
  ask: Ask,
  subject: ProbedCollection,
  { durationMs }: Pick<DoctorSettings, 'durationMs'>,
): Promise<WatchListProbe> {
  const answer = await ask(subjectPath(subject, { limit: '1' }));
  const remaining = valueAt(answerJson(answer), 'metadata', 'remainingItemCount');
  const isLarge = typeof remaining === 'number' && remaining > MOST_ITEMS;
  const waitSeconds = Math.min(MARKER_WAIT_SECONDS, Math.ceil(durationMs / 1000));
  let items = 0;
  let markerMs: number | undefined;
  const query = {
    sendInitialEvents: true,
    resourceVersionMatch: 'NotOlderThan',
    allowWatchBookmarks: true,
    timeoutSeconds: waitSeconds,
    ...(isLarge ? { fieldSelector: NOTHING } : {}),
  } as const;
  const outcome = await observeWatch({ cluster, signal }, subject, query, (event, ms) => {
    if (event.type !== 'BOOKMARK') items += 1;
    else if (isInitialEventsEnd(event)) markerMs = ms;
    return markerMs !== undefined;
  });
  return { subject, items, markerMs, waitSeconds, outcome };
}
