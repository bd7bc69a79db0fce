/** Watch-list: can an informer get its first state as a stream? */

import { findStatusError } from '@listwatch/api';
import { countText, millisText } from '../amount-text.ts';
import type { Check } from '../check.ts';
import { explainProbe, explainStatus } from '../explain-probe.ts';
import { type Finding, fail, note, ok, warn } from '../finding.ts';
import { MARKER_WAIT_SECONDS, type WatchListProbe } from '../watch-list-probe.ts';

export const watchListCheck: Check = {
  name: 'watch-list',
  about: 'the first state as a stream, and its end marker',
  run: async ({ facts }) => [watchListFinding(await facts.watchList())],
};

const USE_LISTS =
  "Pass initialStrategy: 'listWatch' to informers; in client-go set KUBE_FEATURE_WatchListClient=false.";

/** The verdict on a probe. */
export function watchListFinding(probe: WatchListProbe): Finding {
  const { items, markerMs, outcome, waitSeconds } = probe;
  const { name } = probe.subject;
  const data = { items, markerMs: markerMs ?? null };
  if (markerMs !== undefined) {
    return ok(`${countText(items, 'object')} of ${name} and the end marker came in ${millisText(markerMs)}.`, data);
  }
  if (outcome.type === 'failed' && findStatusError(outcome.error) !== undefined) {
    const code = findStatusError(outcome.error)?.httpCode;
    const reason = explainProbe(outcome.error);
    if (code === 400 || code === 422) {
      return note(`The server has no watch-list (${code}); informers list in pages.`, USE_LISTS, data);
    }
    return fail(`A watch of ${name} with initial events is refused: ${reason}.`, 'Informers cannot start.', data);
  }
  if (outcome.type === 'failed' || outcome.type === 'error') {
    const reason = outcome.type === 'failed' ? explainProbe(outcome.error) : explainStatus(outcome.status);
    const advice = 'Look for a proxy that buffers or cuts streams between here and the server.';
    return fail(`The stream of ${name} broke before its end marker: ${reason}.`, advice, data);
  }
  const summary = `No end marker within ${waitSeconds} s after ${countText(items, 'object')} of ${name}.`;
  const advice = `The server is too old for watch-list, or a proxy drops bookmarks: each informer loses ${MARKER_WAIT_SECONDS} s at its start. ${USE_LISTS}`;
  return warn(summary, advice, data);
}
