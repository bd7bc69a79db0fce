/**
 * Serves a page and, below /cluster, the API of a cluster to it: read-only, for users who have logged in. The page is on the
 * same origin, so it needs no CORS, and it never sees the credentials of the cluster.
 *
 *     npm run -s example examples/browser-proxy.ts          # PORT=8080
 */

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { connect } from '@listwatch/client';

const PREFIX = '/cluster';
const cluster = await connect(); // as the service account of this program: what it may read, the page may read

/** Stands for the login of your application. */
function isLoggedIn({ headers }: IncomingMessage): boolean {
  return headers.cookie?.includes('session=session-1') === true;
}

async function forward(path: string, accept: string, response: ServerResponse): Promise<void> {
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

const host = createServer((request, response) => {
  const { url = '', method, headers } = request;
  if (!url.startsWith(`${PREFIX}/`)) response.end('<!doctype html><script type="module" src="page.js"></script>');
  else if (!isLoggedIn(request)) response.writeHead(401).end();
  else if (method !== 'GET') response.writeHead(405).end();
  else void forward(url.slice(PREFIX.length), headers.accept ?? 'application/json', response);
});
host.listen(Number(process.env['PORT'] ?? 8080), () => console.log('the page is at', host.address()));

process.once('SIGINT', () => {
  host.close();
  host.closeAllConnections();
  void cluster.close();
});
