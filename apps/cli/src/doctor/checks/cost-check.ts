/** What each list costs, and how an informer of it is best configured. */

import { byteCountText, countText, namesText } from '../amount-text.ts';
import { CannotCheck, type Check, type CheckContext } from '../check.ts';
import { type Finding, note, ok, warn } from '../finding.ts';
import { cacheBytes, informerAdvice } from '../informer-advice.ts';
import { type ListCost, type MeasuredList, sizeOf, type UnmeasuredList, wasNotAsked } from '../list-cost.ts';

const PAGE = 500;

export const costCheck: Check = {
  name: 'cost',
  about: 'bytes and objects of each list, and options for an informer of it',
  async run(context) {
    const costs = await context.facts.costs();
    const lists = costs.filter((cost) => cost.type === 'measured').toSorted((a, b) => sizeOf(b) - sizeOf(a));
    const missing = costs.filter((cost) => cost.type === 'unmeasured');
    if (lists.length === 0) {
      const [first] = missing;
      throw new CannotCheck(`no list could be read${first === undefined ? '' : `: ${first.reason}`}`);
    }
    const watchList = await hasWatchList(context);
    return [overview(lists, costs, watchList, context.settings.top), ...problems(lists, missing)];
  },
};

/** Only when that check runs: it takes ten seconds where the marker is missing. */
async function hasWatchList({ settings, facts, signal }: CheckContext): Promise<boolean | undefined> {
  if (!settings.checks.includes('watch-list')) return undefined;
  try {
    return (await facts.watchList()).markerMs !== undefined;
  } catch {
    signal.throwIfAborted();
    return undefined;
  }
}

function overview(
  lists: readonly MeasuredList[],
  all: readonly ListCost[],
  watchList: boolean | undefined,
  top: number,
): Finding {
  const items = lists.reduce((sum, { totalItems }) => sum + totalItems, 0);
  const bytes = lists.reduce((sum, { totalBytes }) => sum + totalBytes, 0);
  const shown = lists.filter(({ totalItems }) => totalItems > 0).slice(0, top);
  const rows = shown.map((list) => ({ list, advice: informerAdvice(list, { watchList }) }));
  const table = [
    ['RESOURCE', 'OBJECTS', 'JSON', 'LARGEST', 'CACHE', 'INFORMER OPTIONS'],
    ...rows.map(({ list, advice }) => [
      list.name,
      `${list.totalItems}${list.isAtLeast ? '+' : ''}`,
      byteCountText(list.totalBytes),
      byteCountText(list.largestBytes),
      `<= ${byteCountText(cacheBytes(list))}`,
      advice.join('; ') || 'the defaults',
    ]),
  ];
  const summary = `${countText(lists.length, 'list')} of ${all.length} have ${countText(items, 'object')} and ${byteCountText(bytes)} of JSON.`;
  return {
    ...ok(summary, { lists: rows.map(({ list, advice }) => listData(list, advice)), items, bytes }),
    table: rows.length === 0 ? undefined : table,
  };
}

function listData(list: MeasuredList, advice: readonly string[]) {
  return {
    resource: list.name,
    namespace: list.namespace ?? null,
    items: list.totalItems,
    bytes: list.totalBytes,
    isAtLeast: list.isAtLeast,
    largestBytes: list.largestBytes,
    managedFieldsShare: list.managedFieldsShare,
    metadataShare: list.metadataShare ?? null,
    ms: list.ms,
    advice,
  };
}

/** Lists that fail for another reason than permissions, and servers that send more than they were asked for. */
function problems(lists: readonly MeasuredList[], missing: readonly UnmeasuredList[]): readonly Finding[] {
  const findings: Finding[] = [];
  const endless = lists.filter(({ items }) => items > PAGE);
  if (endless.length > 0) {
    const advice =
      'Each list of it takes the memory of all its objects at once. Look for a proxy that drops the query.';
    findings.push(warn(`limit=${PAGE} is ignored by ${namesText(endless)}.`, advice));
  }
  const failed = missing.filter((cost) => cost.code !== 403 && cost.code !== 405 && !wasNotAsked(cost));
  if (failed.length > 0) {
    const advice =
      'Informers of it never become ready. Look at the logs of the server, or of the aggregated API behind it.';
    findings.push(warn(`Lists fail: ${namesText(failed)}: ${failed[0]?.reason ?? ''}.`, advice));
  }
  const left = missing.filter(wasNotAsked);
  if (left.length > 0)
    findings.push(note(`${countText(left.length, 'list')} left out.`, `They were ${left[0]?.reason ?? ''}.`));
  return findings;
}
