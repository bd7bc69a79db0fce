/** An HTTP proxy that knows CONNECT. */

import { once } from 'node:events';
import { createServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { connect, type Socket } from 'node:net';

export interface HttpProxyOptions {
  /** Where it connects to, whatever it is asked for: a port of 127.0.0.1. */
  readonly target: number;
  /** It refuses everybody. */
  readonly refuses?: boolean;
  /** It is spoken to over TLS. */
  readonly certificate?: { readonly cert: string; readonly key: string };
}

export interface HttpProxy {
  readonly port: number;
  /** What it was asked for: `host:port`, and the login of the proxy. */
  readonly asked: readonly string[];
  close(): void;
}

export async function startHttpProxy({ target, refuses = false, certificate }: HttpProxyOptions): Promise<HttpProxy> {
  const asked: string[] = [];
  const clients = new Set<Socket>();
  const proxy = certificate === undefined ? createServer() : createTlsServer(certificate);
  proxy.on('connect', (request, client: Socket) => {
    clients.add(client);
    asked.push(`${request.url} ${request.headers['proxy-authorization'] ?? ''}`.trim());
    if (refuses) {
      client.end('HTTP/1.1 403 Forbidden\r\n\r\n');
      return;
    }
    const upstream = connect(target, '127.0.0.1', () => {
      client.write('HTTP/1.1 200 Connection established\r\n\r\n');
      client.pipe(upstream).pipe(client);
    });
    for (const socket of [client, upstream]) socket.on('error', () => {});
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const address = proxy.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    asked,
    close: () => {
      proxy.close();
      for (const client of clients) client.destroy();
    },
  };
}
