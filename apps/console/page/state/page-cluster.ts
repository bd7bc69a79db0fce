/** The cluster behind the page: our own client, over fetch or WebSocket, with the page's cookie. */

import type { ConsoleSession } from '@listwatch/api/console';
import {
  type Cluster,
  connect,
  createFetchTransport,
  createWebSocketTransport,
  type Transport,
} from '@listwatch/client';
import { onUnauthorized } from './session.ts';

/** Another site cannot send it without CORS, which no server here allows. */
const WRITE_MARK = { 'x-listwatch-console': '1' };

export async function connectPage({ watchOver }: Pick<ConsoleSession, 'watchOver'>): Promise<Cluster> {
  const server = location.origin;
  const fetched = createFetchTransport({ server });
  const transport =
    watchOver === 'fetch' ? fetched : createWebSocketTransport({ server, next: fetched, offerAccept: true });
  return connect({ transport: marked(transport), server });
}

/** Marks writes as the page's own, and notices that the login is over. */
function marked(next: Transport): Transport {
  return {
    name: next.name,
    async send(request) {
      const isRead = request.method === 'GET';
      const response = await next.send(
        isRead ? request : { ...request, headers: { ...request.headers, ...WRITE_MARK } },
      );
      if (response.status === 401) onUnauthorized();
      return response;
    },
    close: () => next.close(),
    [Symbol.asyncDispose]: () => next.close(),
  };
}
