/** The cluster behind the page: our own client, over fetch or WebSocket, with the page's cookie and key. */

import type { ConsoleSession } from '@listwatch/api/console';
import {
  type Cluster,
  connect,
  createFetchTransport,
  createWebSocketTransport,
  type Transport,
} from '@listwatch/client';
import { keyHeaders } from './login-keys.ts';
import { onUnauthorized } from './session.ts';

export async function connectPage({ watchOver }: Pick<ConsoleSession, 'watchOver'>): Promise<Cluster> {
  const server = location.origin;
  const fetched = createFetchTransport({ server });
  const transport =
    watchOver === 'fetch' ? fetched : createWebSocketTransport({ server, next: fetched, offerAccept: true });
  return connect({ transport: withKey(transport), server });
}

/** Sends the key with each request, and notices that the login is over. */
function withKey(next: Transport): Transport {
  return {
    name: next.name,
    async send(request) {
      // Read each time: another tab may have logged in anew.
      const response = await next.send({ ...request, headers: { ...request.headers, ...keyHeaders() } });
      if (response.status === 401) onUnauthorized();
      return response;
    },
    close: () => next.close(),
    [Symbol.asyncDispose]: () => next.close(),
  };
}
