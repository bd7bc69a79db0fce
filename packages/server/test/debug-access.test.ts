import { once } from 'node:events';
import { connect } from 'node:http2';
import { request } from 'node:https';
import { createMemoryEngine } from '@listwatch/storage';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { tokenAuthenticator } from '../src/access/authenticator.ts';
import { firstAuthenticator, mastersAuthorizer, parseTokenFile } from '../src/index.ts';
import { startTestServer, type TestServer } from './test-server.ts';

const TOKENS = ['admin,admin,1,"system:masters"', 'reader,reader,2', 'nobody,nobody,3', ''].join('\n');
const PATHS = ['/debug/overview', '/debug/history', '/debug/overview?watch=true', '/debug/history?watch=true'];

/** The status, and the first line of an answer that was allowed. */
interface Seen {
  readonly status: number;
  readonly line: string;
}

describe('/debug over the TLS port', () => {
  let server: TestServer;

  beforeAll(async () => {
    const masters = mastersAuthorizer();
    server = await startTestServer(createMemoryEngine(), {
      authenticator: firstAuthenticator([tokenAuthenticator(parseTokenFile(TOKENS))]),
      // As a ClusterRole with the nonResourceURLs `/debug/*` would, for one user.
      authorizer: {
        ...masters,
        authorize: (asked) =>
          asked.user.name === 'reader' && asked.verb === 'get' && asked.path.startsWith('/debug/')
            ? { allowed: true }
            : masters.authorize(asked),
      },
    });
  });

  afterAll(() => server[Symbol.asyncDispose]());

  const ways: Readonly<Record<string, (path: string, token: string | undefined, method: string) => Promise<Seen>>> = {
    'HTTP/1.1': async (path, token, method) => {
      const asked = request(server.url + path, { ca: server.ca, headers: bearer(token), agent: false, method });
      asked.end();
      const [response] = await once(asked, 'response');
      const line = await firstLine(response);
      asked.destroy();
      return { status: response.statusCode, line };
    },
    'HTTP/2': async (path, token, method) => {
      const session = connect(server.url, { ca: server.ca });
      try {
        const stream = session.request({ ':path': path, ':method': method, ...bearer(token) });
        stream.end();
        const [headers] = await once(stream, 'response');
        return { status: Number(headers[':status']), line: await firstLine(stream) };
      } finally {
        session.destroy();
      }
    },
    WebSocket: (path, token) => overWebSocket(path, { headers: bearer(token) }),
    'a WebSocket whose token is a subprotocol': (path, token) => {
      const encoded = Buffer.from(token ?? '').toString('base64url');
      return overWebSocket(path, {
        protocols: token === undefined ? [] : [`base64url.bearer.authorization.k8s.io.${encoded}`, 'watch.listwatch'],
      });
    },
  };

  function overWebSocket(
    path: string,
    { protocols = [], headers = {} }: { readonly protocols?: string[]; readonly headers?: Record<string, string> },
  ): Promise<Seen> {
    const url = server.url.replace('https', 'wss') + path;
    const socket = new WebSocket(url, protocols, { ca: server.ca, headers: { origin: server.url, ...headers } });
    return new Promise((resolve, reject) => {
      socket.once('message', (data) => {
        socket.terminate();
        resolve({ status: 200, line: Buffer.isBuffer(data) ? (data.toString().split('\n')[0] ?? '') : '' });
      });
      socket.once('unexpected-response', (_request, response) => {
        response.resume();
        resolve({ status: response.statusCode ?? 0, line: '' });
      });
      socket.once('error', reject);
    });
  }

  describe.each(Object.entries(ways))('over %s', (way, ask) => {
    const paths = PATHS.filter((path) => !way.includes('WebSocket') || path.includes('watch'));

    it.each(paths)('%s is answered to whoever may read it', async (path) => {
      for (const token of ['admin', 'reader']) {
        const { status, line } = await ask(path, token, 'GET');
        expect([token, status]).toEqual([token, 200]);
        expect(JSON.parse(line)).toHaveProperty(path.includes('overview') ? 'storage' : 'oldest');
      }
    });

    it.each(paths)('%s is refused to everybody else', async (path) => {
      expect((await ask(path, 'nobody', 'GET')).status).toBe(403);
      expect((await ask(path, undefined, 'GET')).status).toBe(403);
      expect((await ask(path, 'wrong', 'GET')).status).toBe(401);
    });
  });

  it.each(['POST', 'PUT', 'DELETE', 'PATCH'])('%s is refused, also to an admin', async (method) => {
    for (const path of ['/debug/overview', '/debug/history'])
      for (const way of ['HTTP/1.1', 'HTTP/2']) expect((await ways[way]?.(path, 'admin', method))?.status).toBe(405);
  });
});

function bearer(token: string | undefined): Record<string, string> {
  return token === undefined ? {} : { authorization: `Bearer ${token}` };
}

async function firstLine(body: AsyncIterable<unknown>): Promise<string> {
  let text = '';
  for await (const chunk of body) {
    text += String(chunk);
    if (text.includes('\n')) break;
  }
  return text.split('\n')[0] ?? '';
}
