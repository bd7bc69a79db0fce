/**
 * A live table of pods in a browser: one informer, and server-sent events for any number of pages. A page that reads slowly gets
 * fewer, newer changes; it costs the program no more memory than the cache has objects.
 *
 *     npm run -s example examples/dashboard-feed.ts          # PORT=8080
 */

import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { type ApiObject, resource } from '@listwatch/api';
import { connect } from '@listwatch/client';
import { informer, type StoreChange } from '@listwatch/runtime';

/** As much of a pod as the page shows. */
interface Pod extends ApiObject {
  readonly spec?: { readonly nodeName?: string };
  readonly status?: { readonly phase?: string };
}

const PAGE = `<!doctype html><title>Pods</title><table></table><script>
const table = document.querySelector('table');
const rows = new Map();
const feed = new EventSource('/feed');
// The feed starts over with all pods after every connection, so the page does, too.
feed.onopen = () => { table.replaceChildren(); rows.clear(); };
feed.addEventListener('pod', ({ data }) => {
  const pod = JSON.parse(data);
  if (!rows.has(pod.key)) rows.set(pod.key, table.insertRow());
  rows.get(pod.key).replaceChildren(...[pod.key, pod.node, pod.phase].map((text) => {
    const cell = document.createElement('td');
    cell.textContent = text;
    return cell;
  }));
});
feed.addEventListener('gone', ({ data }) => {
  const { key } = JSON.parse(data);
  rows.get(key)?.remove();
  rows.delete(key);
});
</script>`;

const pods = resource<Pod>({ version: 'v1', plural: 'pods', kind: 'Pod', namespaced: true });
const cluster = await connect();
const cache = informer(cluster, pods, {
  // The cache keeps only what the page shows.
  transform: ({ metadata, spec, status }) => ({
    metadata: { ...metadata, managedFields: [], annotations: {} },
    spec: { nodeName: spec?.nodeName ?? '' },
    status: { phase: status?.phase ?? 'Unknown' },
  }),
});

function frame({ type, key, object }: StoreChange<Pod>): string {
  const data = type === 'delete' ? { key } : { key, node: object.spec?.nodeName, phase: object.status?.phase };
  return `event: ${type === 'delete' ? 'gone' : 'pod'}\ndata: ${JSON.stringify(data)}\n\n`;
}

async function feed(response: ServerResponse): Promise<void> {
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
  response.flushHeaders();
  try {
    // First an add for every pod, then the changes. While this loop waits, changes of the same pod are merged.
    for await (const change of cache.changes({ signal: gone.signal })) {
      if (!response.write(frame(change))) await once(response, 'drain', { signal: gone.signal });
    }
  } catch {
    // The page was closed.
  }
  response.end();
}

const site = createServer((request, response) => {
  if (request.url === '/feed') void feed(response);
  else response.setHeader('content-type', 'text/html; charset=utf-8').end(PAGE);
});
site.listen(Number(process.env['PORT'] ?? 8080), '127.0.0.1', () => console.log('the page is at', site.address()));

async function end(): Promise<void> {
  await cache.close(); // ends every feed
  site.close();
  site.closeAllConnections();
  await cluster.close();
}
process.once('SIGINT', () => void end());
