/** Reads of many keys: in pages that neither side has to hold twice, all of them at one revision. */

import type { Entry, RangeOptions, RangeResult } from '@listwatch/storage';
import type { EtcdClient } from './etcd-client.ts';
import { isAnswer } from './etcd-error.ts';
import type { KeySpace } from './key-space.ts';
import { decodeRange, encodeRange, KV_RANGE, toInt64 } from './kv-messages.ts';
import type { RevisionReader } from './revision-reader.ts';

/** Kubernetes' cap on a page. */
const LARGEST_PAGE = 10_000;
/** The first page is a guess: nothing is known of the values yet, and each may be 1.5 MiB. */
const FIRST_PAGE = 500;
/** What a page should weigh. */
const PAGE_BYTES = 3 * 2 ** 20;

/** The keys under a prefix. */
export async function readRange(
  client: EtcdClient,
  keys: KeySpace,
  revisions: RevisionReader,
  prefix: string,
  options: RangeOptions,
): Promise<RangeResult> {
  for (;;) {
    try {
      return await readPages(client, keys, prefix, options);
    } catch (error) {
      if (options.at !== undefined) await revisions.explain(error, options.at, options);
      // Compacted while the newest state was being read page by page: what is the newest now can be read.
      else if (!isAnswer(error, 'compacted')) throw error;
    }
  }
}

async function readPages(
  client: EtcdClient,
  keys: KeySpace,
  prefix: string,
  { at, start, limit = 0, signal, pause }: RangeOptions,
): Promise<RangeResult> {
  const entries: Entry[] = [];
  let range = keys.range(prefix, start);
  let revision = at;
  let count: number | undefined;
  let pageSize = FIRST_PAGE;
  for (;;) {
    const wanted = limit === 0 ? pageSize : Math.min(pageSize, limit - entries.length);
    const request = encodeRange({ ...range, limit: wanted, revision: toInt64(revision) });
    const message = await client.call(KV_RANGE, request, { write: false, signal });
    // Not copied one by one: whoever loads a hundred thousand objects copies them anyway.
    const page = decodeRange(message, keys.rootBytes, true);
    revision ??= BigInt(page.revision);
    count ??= page.count;
    for (const entry of page.entries) entries.push(entry);
    const last = page.entries.at(-1);
    if (!page.more || last === undefined || entries.length === limit) {
      return { entries, more: page.more, count, revision };
    }
    range = keys.after(last.key, range);
    await pause?.();
    pageSize = nextPageSize(message.length / page.entries.length);
  }
}

/** How many keys of this weight make a good page. */
export function nextPageSize(bytesPerKey: number): number {
  return Math.max(1, Math.min(LARGEST_PAGE, Math.floor(PAGE_BYTES / bytesPerKey)));
}
