/** A real HTTP server in front of a test server, which a test can break. */

import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { TransportRequest } from '@listwatch/client';
import { startTestServer, type TestEnvironment } from '@listwatch/testing';

/** One exchange at the proxy. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly url: URL;
  readonly isWatch: boolean;
  /** Passes it on, with these parts changed. */
  readonly forward: (changes?: ForwardChanges) => Promise<void>;
}

/** What the proxy changes. */
export interface ForwardChanges {
  /** Parameters of the query that do not arrive. */
  readonly without?: readonly string[] | undefined;
  /** Called with each part of the answer's body; the test may end the answer. */
  readonly onChunk?: (() => void) | undefined;
  /** Headers of the answer. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** A proxy that listens. */
export interface BrokenProxy extends AsyncDisposable {
  readonly url: string;
  readonly env: TestEnvironment;
}

/** Handles an exchange; `true` when it is done. Otherwise it is passed on as it is. */
export type Breakage = (exchange: Exchange) => boolean | Promise<boolean>;

/** Starts a proxy on loopback, with TLS and HTTP/1.1 when there is a certificate. */
export async function startBrokenProxy(
  breakage: Breakage,
  tls?: { readonly cert: string; readonly key: string },
): Promise<BrokenProxy> {
  const env = await startTestServer({ client: { maxRetries: 0 } });
  const listener = (request: IncomingMessage, response: ServerResponse): void => {
    void handle(env, breakage, request, response);
  };
  const server = tls === undefined ? createServer(listener) : createSecureServer(tls, listener);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = portOf(server);
  return {
    url: `${tls === undefined ? 'http' : 'https'}://127.0.0.1:${port}`,
    env,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await env.close();
    },
  };
}

function portOf(server: Pick<Server, 'address'>): Pick<AddressInfo, 'port'> {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the proxy does not listen');
  return address;
}

async function handle(
  env: TestEnvironment,
  breakage: Breakage,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const url = new URL(request.url ?? '/', 'http://proxy');
  const isWatch = url.searchParams.get('watch') === 'true';
  const forward = (changes: ForwardChanges = {}): Promise<void> => pass(env, request, response, url, changes);
  try {
    if (!(await breakage({ request, response, url, isWatch, forward }))) await forward();
  } catch {
    response.destroy();
  }
}

async function pass(
  { cluster }: TestEnvironment,
  request: IncomingMessage,
  response: ServerResponse,
  url: URL,
  { without = [], onChunk, headers: changed = {} }: ForwardChanges,
): Promise<void> {
  const target = new URL(url);
  for (const name of without) target.searchParams.delete(name);
  const left = new AbortController();
  response.on('close', () => left.abort(new Error('the client has left')));
  const { accept = 'application/json', 'content-type': contentType, 'accept-encoding': encoding } = request.headers;
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const answer = await cluster.transport.send({
    method: methodOf(request),
    path: `${target.pathname}${target.search}`,
    headers: {
      accept,
      ...(contentType === undefined ? {} : { 'content-type': contentType }),
      ...(typeof encoding === 'string' ? { 'accept-encoding': encoding } : {}),
    },
    ...(chunks.length === 0 ? {} : { body: Buffer.concat(chunks) }),
    signal: left.signal,
  });
  response.writeHead(answer.status, { ...answer.headers, ...changed });
  response.flushHeaders();
  for await (const chunk of answer.body) {
    onChunk?.();
    response.write(chunk.slice());
  }
  response.end();
}

const METHODS: readonly TransportRequest['method'][] = ['DELETE', 'GET', 'PATCH', 'POST', 'PUT'];

function methodOf({ method }: IncomingMessage): TransportRequest['method'] {
  return METHODS.find((one) => one === method) ?? 'GET';
}
