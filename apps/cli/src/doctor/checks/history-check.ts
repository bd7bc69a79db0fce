/** The 410 window: from how old a version can a watch resume? */

import { findStatusError, sleep } from '@listwatch/api';
import { millisText } from '../amount-text.ts';
import type { Check, CheckContext } from '../check.ts';
import { currentVersion } from '../current-version.ts';
import { explainProbe, explainStatus } from '../explain-probe.ts';
import type { ProbedCollection } from '../facts.ts';
import { type Finding, fail, note, ok, warn } from '../finding.ts';
import { observeWatch, type WatchOutcome } from '../observe-watch.ts';
import { NOTHING } from '../subject-path.ts';
import { versionAge } from '../version-age.ts';

export const historyCheck: Check = {
  name: 'history',
  about: 'how old a version may be that a watch resumes from (410)',
  waitsMs: ({ thorough, durationMs }) => (thorough ? durationMs : 0),
  async run(context) {
    const subject = await context.facts.subject();
    const version = await currentVersion(context, subject);
    const fresh = await watchFrom(context, subject, version);
    if (fresh.type === 'error' || fresh.type === 'failed') {
      const advice =
        'Informers list again for ever. Look for several servers that share an address but not their store.';
      return [fail(`A watch from version ${version}, which was just listed, is refused: ${textOf(fresh)}.`, advice)];
    }
    const oldest = oldestFinding(await watchFrom(context, subject, '1'), version);
    const findings = [await withAge(context, subject, version, oldest)];
    return context.settings.thorough ? [...findings, await afterAWhile(context, subject, version)] : findings;
  },
};

interface OldestFinding {
  readonly finding: Finding;
  /** The oldest version that can be watched, where the server says so. */
  readonly oldest: bigint | undefined;
}

function oldestFinding(outcome: WatchOutcome, current: string): OldestFinding {
  const refusal = refusalOf(outcome);
  if (refusal === undefined && outcome.type === 'failed') {
    return { finding: unclear(outcome), oldest: undefined };
  }
  if (refusal === undefined) {
    return { finding: ok('Watches can resume from any version: the whole history is there.'), oldest: 1n };
  }
  if (refusal.code !== 410) return { finding: unclear(outcome), oldest: undefined };
  // kube-apiserver says: too old resource version: 1 (184467).
  const told = /\((\d+)\)/u.exec(refusal.message)?.[1];
  const data = { current, oldest: told ?? null };
  return {
    finding: ok(oldestText(told, current), data),
    oldest: told === undefined ? undefined : BigInt(told),
  };
}

function oldestText(oldest: string | undefined, current: string, age?: string): string {
  if (oldest === undefined) return 'A watch from a version that is too old is refused with 410, as it must be.';
  const written = age === undefined ? '' : `, which was written about ${age} ago or earlier`;
  return `A watch can resume from version ${oldest} on${written}; the current one is ${current}. Older ones get 410, as they must.`;
}

function unclear(outcome: WatchOutcome): Finding {
  const advice =
    'Clients relist only after 410. Look for a proxy that changes answers; informers of client-go may loop here.';
  return warn(`A watch from version 1 is answered with ${textOf(outcome)} instead of 410.`, advice);
}

/** Less than a client needs to reconnect after a short outage. */
const SHORT_MS = 60_000;

async function withAge(
  context: CheckContext,
  subject: ProbedCollection,
  current: string,
  { finding, oldest }: OldestFinding,
): Promise<Finding> {
  if (finding.verdict !== 'ok' || oldest === undefined || oldest <= 1n) return finding;
  const { leastMs, mostMs } = await versionAge(context, subject, oldest);
  const data = { ...finding.data, leastMs: leastMs ?? null, mostMs: mostMs ?? null };
  if (mostMs !== undefined && mostMs < SHORT_MS) {
    const advice =
      'A client that is away for longer must list again. Keep bookmarks on, and raise --watch-cache-sizes of busy resources.';
    return warn(`A watch can resume only from versions of the last ${millisText(mostMs)}.`, advice, data);
  }
  const summary = leastMs === undefined ? finding.summary : oldestText(String(oldest), current, millisText(leastMs));
  return { ...finding, summary, data };
}

async function afterAWhile(context: CheckContext, subject: ProbedCollection, version: string): Promise<Finding> {
  const { durationMs } = context.settings;
  await sleep(context.cluster.clock, durationMs, context.signal);
  const refusal = refusalOf(await watchFrom(context, subject, version));
  const age = millisText(durationMs);
  if (refusal === undefined) return ok(`A version that is ${age} old can still be watched.`);
  const advice = 'Keep bookmarks on, so that a quiet watch resumes from a young version.';
  return note(`A version that is ${age} old can no longer be watched (${refusal.code}).`, advice);
}

/** A watch of nothing, for a second; its refusal comes at once. */
function watchFrom(context: CheckContext, subject: ProbedCollection, resourceVersion: string): Promise<WatchOutcome> {
  return observeWatch(context, subject, { resourceVersion, fieldSelector: NOTHING, timeoutSeconds: 1 });
}

/** The refusal of the server, be it the answer itself or an event. */
function refusalOf(outcome: WatchOutcome): { readonly code: number; readonly message: string } | undefined {
  if (outcome.type === 'error') return { code: outcome.status.code ?? 0, message: outcome.status.message ?? '' };
  if (outcome.type !== 'failed') return undefined;
  const status = findStatusError(outcome.error);
  return status === undefined ? undefined : { code: status.httpCode, message: status.message };
}

function textOf(outcome: WatchOutcome): string {
  if (outcome.type === 'error') return explainStatus(outcome.status);
  return outcome.type === 'failed' ? explainProbe(outcome.error) : outcome.type;
}
