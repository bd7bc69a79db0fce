/** A cluster that remembers what a watcher does not tell: how many pages a list has, and which objects are new. */

import type { ApiObject, Resource, WatchEvent } from '@listwatch/api';
import type { ListPage, ListQuery, WatchQuery, WatchStream } from '@listwatch/client';
import type { WatchedCluster } from '@listwatch/runtime';

/** The cluster to give to a watcher, and what it has seen. */
export interface ObservedCluster {
  readonly cluster: WatchedCluster;
  /** How many pages the list has that is being read; undefined where the server does not say. */
  pageCount(): number | undefined;
  /** Did the server call this object of a watch ADDED? */
  isNew(object: ApiObject): boolean;
}

/** Looks at everything that passes; changes nothing. */
export function observeCluster(inner: WatchedCluster): ObservedCluster {
  const added = new WeakSet<ApiObject>();
  let last: { readonly page: ListPage<ApiObject>; readonly limit: number } | undefined;
  const note = (event: WatchEvent): void => {
    if (event.type === 'ADDED') added.add(event.object);
  };
  return {
    isNew: (object) => added.has(object),
    pageCount: () => (last === undefined ? undefined : pagesOf(last.page, last.limit)),
    cluster: {
      clock: inner.clock,
      server: inner.server,
      watch: <T extends ApiObject>(resource: Resource<T>, query?: WatchQuery<T>) =>
        observeWatch(inner.watch(resource, query), note),
      async *pages<T extends ApiObject>(resource: Resource<T>, query: ListQuery<T> = {}) {
        for await (const page of inner.pages(resource, query)) {
          last = { page, limit: query.limit ?? 0 };
          yield page;
        }
      },
    },
  };
}

function pagesOf({ number, metadata }: ListPage<ApiObject>, limit: number): number | undefined {
  const { resourceVersion, remainingItemCount, continue: token } = metadata;
  // The metadata is read as it arrives, and may not be here yet.
  if (resourceVersion === undefined) return undefined;
  if (token === undefined) return number;
  return remainingItemCount === undefined || limit === 0 ? undefined : number + Math.ceil(remainingItemCount / limit);
}

/** By hand and not as a generator: one that waits for an event does not hear that its reader leaves. */
function observeWatch<T extends ApiObject>(
  stream: WatchStream<T>,
  note: (event: WatchEvent<T>) => void,
): WatchStream<T> {
  return {
    get opened() {
      return stream.opened;
    },
    [Symbol.asyncIterator]() {
      const events = stream[Symbol.asyncIterator]();
      return {
        async next() {
          const result = await events.next();
          if (result.done !== true) note(result.value);
          return result;
        },
        return: async () => (await events.return?.()) ?? { done: true, value: undefined },
      };
    },
    [Symbol.asyncDispose]: () => stream[Symbol.asyncDispose](),
  };
}
