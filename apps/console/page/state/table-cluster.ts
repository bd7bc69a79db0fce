/** A cluster whose lists and watches of one resource are Tables, shown to the informer as rows. */

import { apiVersionOf, type Resource } from '@listwatch/api';
import { type Cluster, decorateCluster, type Transport, type TransportResponse } from '@listwatch/client';
import { type ColumnSink, type RowType, rowEvent, rowList, type TableRow } from '../logic/table-rows.ts';

/** A server without a Table for a resource sends plain objects instead. */
export const TABLE_ACCEPT = 'application/json;as=Table;g=meta.k8s.io;v=v1,application/json';

/** The resource, with rows as its objects. */
export function rowResource(resource: Resource): Resource<TableRow> {
  return { ...resource };
}

/** The same cluster, with rows. Never closed by itself: it shares the transport. */
export function tableCluster(cluster: Cluster, resource: Resource, onColumns: ColumnSink): Cluster {
  const type: RowType = { kind: resource.kind, apiVersion: apiVersionOf(resource) };
  return decorateCluster(cluster, (next) => tableTransport(next, type, onColumns));
}

function tableTransport(next: Transport, type: RowType, onColumns: ColumnSink): Transport {
  return {
    name: next.name,
    async send(request) {
      const response = await next.send({ ...request, headers: { ...request.headers, accept: TABLE_ACCEPT } });
      if (response.status !== 200) return response;
      const isWatch = /[?&]watch=(?:true|1)/u.test(request.path);
      const body = isWatch ? rowLines(response, type, onColumns) : rowsOfList(response, type, onColumns);
      return { ...response, body };
    },
    close: () => next.close(),
    [Symbol.asyncDispose]: () => next.close(),
  };
}

/** Each whole line of a chunk becomes a line with a row. */
async function* rowLines(
  { body }: TransportResponse,
  type: RowType,
  onColumns: ColumnSink,
): AsyncGenerator<Uint8Array> {
  const [decoder, encoder] = [new TextDecoder(), new TextEncoder()];
  let rest = '';
  for await (const chunk of body) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    const rows = lines.filter((line) => line !== '').map((line) => `${rowEvent(line, type, onColumns)}\n`);
    if (rows.length > 0) yield encoder.encode(rows.join(''));
  }
  // A torn line goes on as it is: the client says what is wrong with it.
  if (rest !== '') yield encoder.encode(rest);
}

async function* rowsOfList(
  { body }: TransportResponse,
  type: RowType,
  onColumns: ColumnSink,
): AsyncGenerator<Uint8Array> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of body) text += decoder.decode(chunk, { stream: true });
  yield new TextEncoder().encode(rowList(text, type, onColumns));
}
