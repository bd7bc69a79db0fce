/** Reads one list, page by page and batch by batch. */

import type { ApiObject } from '@listwatch/api';
import { monotonicMs } from '@listwatch/api/internal';
import type { ListPage, ListQuery } from '@listwatch/client';
import { attempt, giveBack, Thrown } from './attempt.ts';
import { batchesOf } from './batches-of.ts';
import { failureInput, type WatcherExchange } from './watcher-request.ts';
import type { ListingState } from './watcher-state.ts';

/** Tells the machine of every page and item, and how it ended. No page is kept. */
export async function readList<T extends ApiObject>(
  exchange: WatcherExchange<T>,
  listing: ListingState,
): Promise<void> {
  const { cluster, resource, signal, feed } = exchange;
  const started = monotonicMs(cluster.clock);
  const fail = async ({ error }: Thrown): Promise<void> => {
    signal.throwIfAborted();
    await feed(failureInput('INITIAL_LIST_FAILED', error, monotonicMs(cluster.clock) - started));
  };
  let pages: AsyncIterator<ListPage<T>> | undefined;
  let version: string | undefined;
  try {
    for (;;) {
      const page = await attempt(() => {
        pages ??= cluster.pages(resource, { ...listQuery(exchange, listing), signal })[Symbol.asyncIterator]();
        return pages.next();
      });
      signal.throwIfAborted();
      if (page instanceof Thrown) return await fail(page);
      if (page.done === true) break;
      await feed({ type: 'page', number: page.value.number });
      const thrown = await readItems(exchange, page.value);
      if (thrown !== undefined) return await fail(thrown);
      // The first page's: it is the oldest, so that a watch from it misses nothing that happened between the pages.
      version ||= page.value.metadata.resourceVersion;
    }
    await feed({ type: 'listed', resourceVersion: version });
  } finally {
    await giveBack(pages);
  }
}

async function readItems<T extends ApiObject>(
  { signal, feed }: WatcherExchange<T>,
  page: ListPage<T>,
): Promise<Thrown | undefined> {
  const batches = batchesOf(page);
  const ask = (): Promise<IteratorResult<readonly T[]>> => batches.next();
  try {
    for (;;) {
      const batch = await attempt(ask);
      signal.throwIfAborted();
      if (batch instanceof Thrown) return batch;
      if (batch.done === true) return undefined;
      const held = feed({ type: 'items', objects: batch.value });
      if (held !== undefined) await held;
    }
  } finally {
    await giveBack(batches);
  }
}

function listQuery<T extends ApiObject>({ config }: WatcherExchange<T>, { from, limit }: ListingState): ListQuery<T> {
  return {
    ...config.selection,
    ...(from === '' ? {} : { resourceVersion: from }),
    // Without it a limit would make the version exact, and a server would refuse it once it has been compacted.
    ...(from === '' || from === '0' ? {} : { resourceVersionMatch: 'NotOlderThan' }),
    ...(limit === 0 ? {} : { limit }),
  };
}
