/** A cluster whose lists and watches of one resource are Tables, shown to the informer as rows. */

import { type ApiObject, apiVersionOf, type Resource } from '@listwatch/api';
import {
  type Cluster,
  decorateCluster,
  type ObjectDecoder,
  type Transport,
  type TransportResponse,
  type WatchQuery,
  type WatchStream,
} from '@listwatch/client';
import { withPlainBookmarks } from '../logic/plain-bookmarks.ts';
import { type RowType, rowDecoder, rowList, type TableRow, type TableSink } from '../logic/table-rows.ts';

/** A server without a Table for a resource sends plain objects instead. */
export const TABLE_ACCEPT = 'application/json;as=Table;g=meta.k8s.io;v=v1,application/json';

/** What a watcher or an informer needs of a cluster. */
export type RowCluster = Pick<Cluster, 'clock' | 'pages' | 'server' | 'watch'>;

/** The resource, with rows as its objects. */
export function rowResource(resource: Resource): Resource<TableRow> {
  return { ...resource };
}

/** The same cluster, with rows. Each frame of a watch is parsed once. Never closed by itself: it shares the transport. */
export function tableCluster(cluster: Cluster, resource: Resource, sink: TableSink): RowCluster {
  const type: RowType = { kind: resource.kind, apiVersion: apiVersionOf(resource) };
  const tables = decorateCluster(cluster, (next) => tableTransport(next, type, sink));
  const decode: unknown = rowDecoder(type, sink);
  return {
    server: tables.server,
    clock: tables.clock,
    pages: (of, query) => tables.pages(of, query),
    watch: <T extends ApiObject>(of: Resource<T>, query?: WatchQuery<T>): WatchStream<T> =>
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the one resource of this cluster has rows
      tables.watch(of, { ...query, decode: decode as ObjectDecoder<T> }),
  };
}

function tableTransport(next: Transport, type: RowType, sink: TableSink): Transport {
  return {
    name: next.name,
    async send(request) {
      const response = await next.send({ ...request, headers: { ...request.headers, accept: TABLE_ACCEPT } });
      if (response.status !== 200) return response;
      const isWatch = /[?&]watch=(?:true|1)/u.test(request.path);
      const body = isWatch ? withPlainBookmarks(response.body, type) : rowsOfList(response, type, sink);
      return { ...response, body };
    },
    close: () => next.close(),
    [Symbol.asyncDispose]: () => next.close(),
  };
}

async function* rowsOfList({ body }: TransportResponse, type: RowType, sink: TableSink): AsyncGenerator<Uint8Array> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of body) text += decoder.decode(chunk, { stream: true });
  yield new TextEncoder().encode(rowList(text, type, sink));
}
