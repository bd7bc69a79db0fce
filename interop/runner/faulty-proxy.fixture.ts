/** A server with planted faults: a proxy that reads HTTP and changes what the server says. Start at {@link startFaultyProxy}. */

import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** An object or a Status, as far as faults look into it. */
interface FaultyObject {
  readonly metadata: {
    readonly name?: string;
    readonly resourceVersion: string;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  readonly code?: number;
}

export interface FaultyEvent {
  readonly type: string;
  readonly object: FaultyObject;
}

/** A resource in one of the two forms of discovery. */
export interface FoundResource {
  readonly name?: string;
  readonly resource?: string;
}

/** A list or a document of discovery, as far as faults look into it. */
export interface AnswerBody {
  readonly kind: string;
  readonly items?: { readonly versions?: { resources?: FoundResource[] }[] }[];
  resources?: FoundResource[];
}

/** One planted fault. It sees every request, and leaves alone what it is not about. */
export interface Fault {
  /** Another request in place of this one. */
  readonly ask?: ((url: URL) => void) | undefined;
  /** Changes the parsed body of an answer that is no watch. */
  readonly spoil?: ((url: URL, body: AnswerBody) => void) | undefined;
  /** What a watch sends in place of an event; `end` ends the watch without it. */
  readonly replace?: ((url: URL, event: FaultyEvent) => readonly FaultyEvent[] | 'end') | undefined;
}

/** What a program needs to know to talk to it. */
export interface FaultyProxy extends AsyncDisposable {
  readonly environment: Readonly<Record<string, string>>;
}

/** In front of `https://127.0.0.1:port`. When that cuts a connection, so does the proxy. */
export async function startFaultyProxy(port: number, token: string, faults: readonly Fault[]): Promise<FaultyProxy> {
  const folder = mkdtempSync(join(tmpdir(), 'listwatch-faulty-'));
  const server = createServer((asked, answer) => forward(asked, answer, { port, token, faults }));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = `http://127.0.0.1:${portOf(server)}`;
  const kubeconfig = join(folder, 'kubeconfig');
  const cluster = { server: address, 'insecure-skip-tls-verify': true };
  writeFileSync(
    kubeconfig,
    JSON.stringify({
      apiVersion: 'v1',
      kind: 'Config',
      clusters: [{ name: 'faulty', cluster }],
      users: [{ name: 'faulty', user: {} }],
      contexts: [{ name: 'faulty', context: { cluster: 'faulty', user: 'faulty' } }],
      'current-context': 'faulty',
    }),
  );
  return {
    environment: { KUBECONFIG: kubeconfig },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function portOf(server: Server): number {
  const address = server.address();
  return address === null || typeof address === 'string' ? 0 : address.port;
}

interface Upstream {
  readonly port: number;
  readonly token: string;
  readonly faults: readonly Fault[];
}

function forward(asked: IncomingMessage, answer: ServerResponse, { port, token, faults }: Upstream): void {
  const url = new URL(asked.url ?? '/', `https://127.0.0.1:${port}`);
  for (const { ask } of faults) ask?.(url);
  // Uncompressed and in JSON, so that faults can read it.
  const { host: _host, 'accept-encoding': _encoding, connection: _connection, ...headers } = asked.headers;
  const options = { method: asked.method, headers: { ...headers, authorization: `Bearer ${token}` }, agent: false };
  const upstream = request(url, { ...options, rejectUnauthorized: false }, (got) => {
    const { 'content-length': _length, 'transfer-encoding': _transfer, connection: _kept, ...rest } = got.headers;
    answer.writeHead(got.statusCode ?? 502, rest);
    got.on('error', () => answer.destroy());
    const send = url.searchParams.has('watch') ? sendEvents : sendBody;
    send(url, got, answer, faults).catch(() => answer.destroy());
  });
  upstream.on('error', () => answer.destroy());
  answer.on('close', () => upstream.destroy());
  asked.pipe(upstream);
}

async function sendBody(
  url: URL,
  got: IncomingMessage,
  answer: ServerResponse,
  faults: readonly Fault[],
): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of got) chunks.push(chunk);
  const bytes = Buffer.concat(chunks);
  const text = bytes.toString();
  if (!text.startsWith('{')) {
    answer.end(bytes);
    return;
  }
  const body: AnswerBody = JSON.parse(text);
  for (const { spoil } of faults) spoil?.(url, body);
  answer.end(JSON.stringify(body));
}

async function* linesOf(got: IncomingMessage): AsyncGenerator<string> {
  let rest = '';
  for await (const chunk of got.setEncoding('utf8')) {
    const lines = `${rest}${chunk}`.split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
}

/** Ends the watch of the client like that of the server: at its end, or by a lost connection. */
async function sendEvents(
  url: URL,
  got: IncomingMessage,
  answer: ServerResponse,
  faults: readonly Fault[],
): Promise<void> {
  answer.flushHeaders();
  let isSwallowed = false;
  for await (const line of linesOf(got)) {
    let events: readonly FaultyEvent[] = [JSON.parse(line)];
    for (const { replace } of faults) {
      if (replace === undefined) continue;
      const replaced: FaultyEvent[] = [];
      for (const event of events) {
        const instead = replace(url, event);
        if (instead === 'end') {
          answer.end();
          return;
        }
        isSwallowed ||= event.type === 'ERROR' && instead.length === 0;
        replaced.push(...instead);
      }
      events = replaced;
    }
    for (const event of events) answer.write(`${JSON.stringify(event)}\n`);
  }
  // After an ERROR the server ends the watch: a client that has not seen it gets silence.
  if (!isSwallowed) answer.end();
}
