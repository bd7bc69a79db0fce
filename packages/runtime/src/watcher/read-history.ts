/** Asks the server for the object that was seen last, before a watch resumes. */

import type { ApiObject } from '@listwatch/api';
import type { ListPage, ListQuery } from '@listwatch/client';
import { attempt, giveBack, Thrown } from './attempt.ts';
import { failureInput, type WatcherExchange } from './watcher-request.ts';
import type { CheckingState } from './watcher-state.ts';

/** One object at most, without its spec and status: this is done for every watch that resumes. */
export async function readHistory<T extends ApiObject>(
  exchange: WatcherExchange<T>,
  checking: CheckingState,
): Promise<void> {
  const { cluster, resource, signal, feed } = exchange;
  let pages: AsyncIterator<ListPage<T>> | undefined;
  const answer = await attempt(async () => {
    pages = cluster.pages(resource, { ...historyQuery(exchange, checking), signal })[Symbol.asyncIterator]();
    const { done, value } = await pages.next();
    if (done === true) return { resourceVersion: undefined, object: undefined };
    const [object] = await value.items();
    return { resourceVersion: value.metadata.resourceVersion, object: object?.metadata };
  });
  await giveBack(pages);
  signal.throwIfAborted();
  if (answer instanceof Thrown) await feed(failureInput('WATCH_START_FAILED', answer.error, 0));
  else await feed({ type: 'checked', ...answer });
}

/** As Kubernetes escapes the values of field selectors. */
function escapeValue(value: string): string {
  return value.replaceAll(/[\\,=]/gu, String.raw`\$&`);
}

function historyQuery<T extends ApiObject>(
  { config }: WatcherExchange<T>,
  { memory, at }: CheckingState,
): ListQuery<T> {
  const { seen } = memory.position;
  const { namespace, fieldSelector, labelSelector } = config.selection;
  const byName = seen?.type === 'object' ? `metadata.name=${escapeValue(seen.name)}` : '';
  const selectors = [String(fieldSelector ?? ''), byName].filter((selector) => selector !== '');
  return {
    labelSelector,
    namespace: seen?.type === 'object' ? seen.namespace : namespace,
    ...(selectors.length === 0 ? {} : { fieldSelector: selectors.join(',') }),
    projection: 'metadata',
    limit: 1,
    ...(at === '' ? {} : { resourceVersion: at, resourceVersionMatch: 'Exact' }),
  };
}
