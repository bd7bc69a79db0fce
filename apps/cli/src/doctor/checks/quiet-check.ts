/** Quiet watches: does anything between here and the server cut a stream on which nothing happens? */

import { isTransportError } from '@listwatch/client';
import { millisText } from '../amount-text.ts';
import type { Check } from '../check.ts';
import { currentVersion } from '../current-version.ts';
import { explainProbe } from '../explain-probe.ts';
import { type Finding, fail, ok, warn } from '../finding.ts';
import { observeWatch, type WatchOutcome, watchRefusal } from '../observe-watch.ts';
import { NOTHING } from '../subject-path.ts';

/** Clocks and timers of servers are this exact. */
const EARLY_MS = 1500;
const LATE_MS = 3000;

export const quietCheck: Check = {
  name: 'quiet',
  about: 'a watch without events and bookmarks, held for --duration',
  waitsMs: ({ durationMs }) => durationMs,
  async run(context) {
    const subject = await context.facts.subject();
    const resourceVersion = await currentVersion(context, subject);
    const askedMs = Math.ceil(context.settings.durationMs / 1000) * 1000;
    const query = {
      resourceVersion,
      fieldSelector: NOTHING,
      timeoutSeconds: askedMs / 1000,
      deadlineMarginMs: LATE_MS,
    };
    return [quietFinding(askedMs, await observeWatch(context, subject, query))];
  },
};

/** The verdict on a watch that asked to be ended after `askedMs`. */
export function quietFinding(askedMs: number, outcome: WatchOutcome): Finding {
  const { ms } = outcome;
  const data = { askedMs, heldMs: ms, ending: outcome.type };
  const refusal = watchRefusal(outcome);
  if (refusal !== undefined) {
    return fail(
      `A quiet watch is refused: ${refusal}.`,
      'Look at the logs of the server and of the proxies before it.',
      data,
    );
  }
  if (outcome.type === 'failed' && isTransportError(outcome.error, 'IDLE_TIMEOUT')) {
    const advice =
      'A half-open connection looks like this. Set timeoutSeconds and heartbeatMs in clients, as informers do by default.';
    return warn(`The server did not end the watch at its timeoutSeconds of ${askedMs / 1000}.`, advice, data);
  }
  if (ms < askedMs - EARLY_MS) {
    const how = outcome.type === 'failed' ? `broke: ${explainProbe(outcome.error)}` : 'was ended';
    const advice =
      'A proxy or load balancer has an idle or request timeout. Raise it above 2 minutes, so that bookmarks (one a minute) keep watches alive, or connect without it.';
    return warn(`A quiet watch ${how} after ${millisText(ms)} of ${askedMs / 1000} s.`, advice, data);
  }
  if (outcome.type === 'failed') {
    const advice = 'Informers reconnect after it. Look at the logs of the proxy and the server.';
    return warn(`A quiet watch did not end cleanly: ${explainProbe(outcome.error)}.`, advice, data);
  }
  return ok(
    `A quiet watch was held for ${askedMs / 1000} s and ended on time. A longer --duration finds longer limits.`,
    data,
  );
}
