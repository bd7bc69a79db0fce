/** The port of a relay for probes and people: its own health, metrics and state. Clients use another one, where all paths pass. */

import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Relay } from './relay-options.ts';

/** What the port shows. */
export type ShownRelay = Pick<Relay, 'metrics' | 'ready' | 'state'>;

/** A listener without TLS. What it shows names kinds and counts, no object and no user. */
export interface RelayHealth {
  /** `http://127.0.0.1:6445`. */
  readonly url: string;
  close(): Promise<void>;
}

const TEXT = 'text/plain; charset=utf-8';
const JSON_TYPE = 'application/json';
const PROMETHEUS = 'text/plain; version=0.0.4; charset=utf-8';
const REQUEST_MS = 10_000;

/** Rejects with Node's error when the address cannot be used. */
export async function listenForHealth(
  relay: ShownRelay,
  { host, port }: { readonly host: string; readonly port: number },
): Promise<RelayHealth> {
  const server = createServer({ requestTimeout: REQUEST_MS, headersTimeout: REQUEST_MS }, (request, response) => {
    void answer(relay, request, response);
  });
  server.listen({ host, port });
  await once(server, 'listening');
  return { url: urlOf(server, host), close: () => close(server) };
}

async function answer(relay: ShownRelay, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { method, url = '' } = request;
  const send = (status: number, type: string, body: string): void => {
    response.writeHead(status, {
      'content-type': type,
      'cache-control': 'no-store',
      'content-length': Buffer.byteLength(body),
    });
    response.end(method === 'HEAD' ? undefined : body);
  };
  try {
    if (method !== 'GET' && method !== 'HEAD') return send(405, TEXT, 'only GET\n');
    switch (url.replace(/\?.*$/u, '')) {
      case '/livez':
      case '/healthz':
        return send(200, TEXT, 'ok');
      case '/readyz':
        return relay.ready ? send(200, TEXT, 'ok') : send(503, TEXT, 'the kinds are being loaded\n');
      case '/metrics':
        return send(200, PROMETHEUS, await relay.metrics());
      case '/debug/relay':
        return send(200, JSON_TYPE, `${JSON.stringify(relay.state, undefined, 2)}\n`);
      default:
        return send(404, TEXT, 'not found\n');
    }
  } catch {
    response.destroy();
  }
}

function urlOf(server: Server, host: string): string {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it listens on a port
  const { port } = server.address() as AddressInfo;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

async function close(server: Server): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  server.closeAllConnections();
  await closed;
}
