/** How an informer of a list is best configured, with the options of `@listwatch/runtime`. A pure function of what was measured. */

import { byteCountText } from './amount-text.ts';
import type { MeasuredList } from './list-cost.ts';

/** What is known of the server besides the list. */
export interface AdviceFacts {
  /** Does the server stream the first state, with its end marker? Undefined: not examined. */
  readonly watchList: boolean | undefined;
}

const MIB = 1024 * 1024;
/** Memory in which no option is worth a thought. */
const SMALL = 4 * MIB;
const LARGE = 64 * MIB;
const HUGE = 256 * MIB;
const MANY_ITEMS = 10_000;
/** Helm keeps a copy of every release here. */
const HELM_SECRETS = "fieldSelector: 'type!=helm.sh/release.v1'";

/** Options as they are written, each with its reason; empty when the defaults are right. */
export function informerAdvice(list: MeasuredList, { watchList }: AdviceFacts): readonly string[] {
  const { totalBytes, totalItems, managedFieldsShare, metadataShare, served } = list;
  const advice: string[] = [];
  if (watchList === false && totalItems > 0) advice.push("initialStrategy: 'listWatch' (no watch-list here)");
  if (totalBytes < SMALL) return advice;
  if (metadataShare !== undefined && metadataShare <= 0.5) {
    advice.push(`projection: 'metadata' (${percent(1 - metadataShare)} less, if spec and status are not read)`);
  }
  if (managedFieldsShare >= 0.15) {
    advice.push(`transform that drops metadata.managedFields (${percent(managedFieldsShare)} of the bytes)`);
  }
  if (served.group === '' && served.plural === 'secrets') advice.push(`${HELM_SECRETS} (without Helm's releases)`);
  if (totalBytes >= LARGE) {
    advice.push(`labelSelector or namespaces (all of it is ${byteCountText(totalBytes)})`);
    advice.push('compact: true (objects as bytes, when they are read by key)');
  }
  if (totalBytes >= HUGE || totalItems >= 5 * MANY_ITEMS) {
    advice.push('checkpoint (a restart resumes instead of listing)');
  }
  if (watchList === false && totalItems >= MANY_ITEMS) {
    advice.push("listSemantic: 'any' and no pageSize (one list from the server's cache)");
  }
  return advice;
}

/** The memory that the cache takes: 1.2 to 2 times the JSON. */
export function cacheBytes({ totalBytes }: Pick<MeasuredList, 'totalBytes'>): number {
  return 2 * totalBytes;
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}
