/** A bare HTTP/2 server whose answers are the test's. */

import { once } from 'node:events';
import { createSecureServer, type ServerHttp2Session, type ServerHttp2Stream } from 'node:http2';
import type { Socket } from 'node:net';
import { drained } from './drained-stream.ts';
import type { ScriptedExchange, ScriptedServer } from './scripted-exchange.ts';
import { portOf, readAll, type ScriptedServerOptions } from './scripted-http1-server.ts';

export interface ScriptedHttp2Server extends ScriptedServer {
  /** Sessions that were ever opened, in their order. */
  readonly sessions: readonly ServerHttp2Session[];
  /** Takes streams away from the script: true means that it is dealt with. */
  onStream(take: (stream: ServerHttp2Stream) => boolean): void;
}

export interface ScriptedHttp2ServerOptions extends ScriptedServerOptions {
  readonly maxConcurrentStreams?: number | undefined;
}

export async function startHttp2Server(options: ScriptedHttp2ServerOptions): Promise<ScriptedHttp2Server> {
  const { certificate, ca, maxConcurrentStreams } = options;
  const exchanges: ScriptedExchange[] = [];
  const sockets = new Set<Socket>();
  const sessions: ServerHttp2Session[] = [];
  const settings = maxConcurrentStreams === undefined ? {} : { settings: { maxConcurrentStreams } };
  const server = createSecureServer({ ...certificate, ...settings });
  server.on('session', (session) => {
    sessions.push(session);
    session.on('error', () => {});
  });
  let taken: ((stream: ServerHttp2Stream) => boolean) | undefined;
  server.on('stream', (stream, headers) => {
    stream.on('error', () => {});
    if (taken?.(stream) === true) return;
    const plain = Object.entries(headers).filter(([name]) => !name.startsWith(':'));
    const facts = {
      method: headers[':method'] ?? '',
      path: headers[':path'] ?? '',
      headers: Object.fromEntries(plain.map(([name, value]) => [name, String(value)])),
    };
    const cut = (): void => {
      const port = stream.session?.socket.remotePort;
      for (const socket of sockets) if (socket.remotePort === port) socket.destroy();
    };
    void readAll(stream).then((body) => exchanges.push(exchangeOf(stream, { ...facts, body, cut })));
  });
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket)).on('error', () => {});
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const port = portOf(server);
  return {
    url: `https://127.0.0.1:${port}`,
    port,
    ca,
    get sockets() {
      return sockets.size;
    },
    exchanges,
    sessions,
    onStream: (take) => {
      taken = take;
    },
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      for (const session of sessions) session.destroy();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

type Facts = Pick<ScriptedExchange, 'body' | 'cut' | 'headers' | 'method' | 'path'>;

function exchangeOf(stream: ServerHttp2Stream, facts: Facts): ScriptedExchange {
  return {
    ...facts,
    get closed() {
      return stream.closed;
    },
    head: (status, headers = {}) => stream.respond({ ':status': status, ...headers }),
    write: async (chunk) => {
      if (!stream.write(chunk)) await drained(stream);
    },
    end: () => {
      stream.end();
    },
  };
}
