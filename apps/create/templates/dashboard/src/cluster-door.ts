import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import type { Cluster } from '@listwatch/client';

const PREFIX = '/cluster';
/** What the page shows, and nothing else: add what you show. */
const READABLE = /^\/apis\/apps\/v1\/(?:namespaces\/[^/]+\/)?deployments(?:\?|$)/u;

/**
 * Passes what the page reads on to the cluster, with the rights of this program. Reads only: log your users in, and let the
 * cluster decide (impersonation), before you let them write. Gives false for requests that are not for the cluster.
 */
export function clusterDoor(cluster: Cluster): (request: IncomingMessage, response: ServerResponse) => boolean {
  return (request, response) => {
    const { url = '', method } = request;
    if (!url.startsWith(`${PREFIX}/`)) return false;
    const path = url.slice(PREFIX.length);
    if (method !== 'GET') response.writeHead(405).end();
    else if (!READABLE.test(path)) response.writeHead(403).end();
    else void forward(cluster, path, request.headers.accept ?? 'application/json', response);
    return true;
  };
}

async function forward(cluster: Cluster, path: string, accept: string, response: ServerResponse): Promise<void> {
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  try {
    const answer = await cluster.transport.send({ method: 'GET', path, headers: { accept }, signal: gone.signal });
    response.writeHead(answer.status, { 'content-type': answer.headers['content-type'] ?? 'application/json' });
    response.flushHeaders(); // a watch may be silent for long
    await pipeline(answer.body, response);
  } catch {
    if (response.headersSent) response.destroy();
    else response.writeHead(502).end();
  }
}
