/** Bookmarks: does a watch without events keep its version young? */

import { sleep } from '@listwatch/api';
import { countText, millisText } from '../amount-text.ts';
import type { Check, CheckContext } from '../check.ts';
import { currentVersion } from '../current-version.ts';
import { explainProbe } from '../explain-probe.ts';
import type { ProbedCollection } from '../facts.ts';
import { type Finding, fail, note, ok, warn } from '../finding.ts';
import { observeWatch, type WatchOutcome, watchRefusal } from '../observe-watch.ts';
import { quantile } from '../quantile.ts';
import { NOTHING } from '../subject-path.ts';

/** A server sends the last one two seconds before the watch ends. */
const LAST_MS = 2000;
/** Half a second more, for the list that comes before it. */
const NUDGE_BEFORE_END_MS = LAST_MS + 1500;
const TIMER_MS = 500;
/** A server that sends nothing else must not fill the memory. */
const MOST = 10_000;
/** Informers treat a watch as dead after 90 s without one. */
const SLOWEST_PERIOD_MS = 90_000;

/** What was seen of one watch. */
export interface BookmarkRun {
  readonly name: string;
  readonly durationMs: number;
  /** When each bookmark came, since the watch was opened. */
  readonly bookmarks: readonly number[];
  readonly outcome: WatchOutcome;
  /** Did anything change in the cluster, so that a bookmark had a new version to tell? */
  readonly hasMoved: boolean;
}

export const bookmarksCheck: Check = {
  name: 'bookmarks',
  about: 'bookmarks of a watch without events, and their period',
  waitsMs: ({ durationMs }) => durationMs,
  async run(context) {
    const subject = await context.facts.subject();
    const { durationMs } = context.settings;
    const before = await currentVersion(context, subject);
    const bookmarks: number[] = [];
    const watching = observeWatch(
      context,
      subject,
      {
        resourceVersion: before,
        allowWatchBookmarks: true,
        fieldSelector: NOTHING,
        timeoutSeconds: Math.ceil(durationMs / 1000),
      },
      (event, ms) => {
        if (event.type === 'BOOKMARK' && bookmarks.length < MOST) bookmarks.push(ms);
        return undefined;
      },
    );
    const [outcome, after] = await Promise.all([watching, nudged(context, subject)]);
    const hasMoved = after !== before;
    return [bookmarksFinding({ name: subject.name, durationMs, bookmarks, outcome, hasMoved })];
  },
};

/**
 * Lists once, shortly before the last bookmark is due. kube-apiserver asks its store for progress only when somebody needs it;
 * without this a quiet cluster has no new version to tell.
 */
async function nudged(context: CheckContext, subject: ProbedCollection): Promise<string> {
  const { durationMs } = context.settings;
  await sleep(context.cluster.clock, Math.max(durationMs / 4, durationMs - NUDGE_BEFORE_END_MS), context.signal);
  return currentVersion(context, subject);
}

/** The verdict on a run. */
export function bookmarksFinding(run: BookmarkRun): Finding {
  const { name, durationMs, bookmarks, outcome, hasMoved } = run;
  const gaps = bookmarks.slice(1).map((at, index) => at - (bookmarks[index] ?? 0));
  // The last one comes early, because the watch ends.
  const periodMs = gaps.length < 2 ? undefined : quantile(gaps.slice(0, -1), 0.5);
  const data = { bookmarks: bookmarks.length, periodMs: periodMs ?? null, watchedMs: outcome.ms, hasMoved };
  const refusal = watchRefusal(outcome);
  if (refusal !== undefined) {
    return fail(`A watch of ${name} is refused: ${refusal}.`, 'Informers cannot follow this resource.', data);
  }
  const isCut = outcome.ms < durationMs - LAST_MS - TIMER_MS;
  if (isCut && bookmarks.length === 0) {
    const how = outcome.type === 'failed' ? `broke: ${explainProbe(outcome.error)}` : 'was ended';
    const advice = 'Look for a proxy that limits how long a request or a silence may take; see quiet.';
    return warn(
      `The watch of ${name} ${how} after ${millisText(outcome.ms)}, before a bookmark was due.`,
      advice,
      data,
    );
  }
  const seen = `${countText(bookmarks.length, 'bookmark')} in ${millisText(outcome.ms)}`;
  if (bookmarks.length > 0) {
    if (periodMs === undefined) return ok(`${seen}; pass --duration 5m to measure the period.`, data);
    if (periodMs <= SLOWEST_PERIOD_MS) return ok(`${seen}, one every ${millisText(periodMs)}.`, data);
    const advice = 'Raise heartbeatMs of your informers above it, or they will take quiet watches for dead.';
    return warn(`${seen}, only one every ${millisText(periodMs)}.`, advice, data);
  }
  if (!hasMoved) {
    return note(
      `No bookmark in ${millisText(outcome.ms)}, but nothing changed in the cluster meanwhile.`,
      'Run it again while something changes.',
      data,
    );
  }
  const advice =
    'A quiet watch cannot resume (410 after each reconnect) and cannot be told from a dead one. Look for a proxy that drops or buffers bookmarks; for a server without them pass bookmarks: false to informers.';
  return warn(`No bookmark in ${millisText(outcome.ms)}, although the cluster changed.`, advice, data);
}
