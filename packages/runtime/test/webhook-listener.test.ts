/** Webhooks within the servers that people have: Node's, Express and Fastify. */

import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { deny, type Webhooks, webhookListener, webhooks } from '@listwatch/runtime/webhook';
import express from 'express';
import Fastify from 'fastify';
import { describe, expect, it } from 'vitest';
import { backups, recordingLogger, reviewOf } from './webhook-reviews.ts';

const PATH = '/validate-example-com-v1-backup';

interface Mounted extends AsyncDisposable {
  readonly url: string;
}

async function listening(server: Server): Promise<Mounted> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it listens on a port
  const { port } = server.address() as AddressInfo;
  const close = async (): Promise<void> => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return { url: `http://127.0.0.1:${port}`, [Symbol.asyncDispose]: close };
}

const SERVERS: Readonly<Record<string, (hooks: Webhooks) => Promise<Mounted>>> = {
  'a server of Node': async (hooks) => listening(createServer(webhookListener(hooks))),
  Express: async (hooks) => {
    const app = express();
    app.use('/hooks', webhookListener(hooks));
    app.use(express.json());
    const { url, ...mounted } = await listening(createServer(app));
    return { ...mounted, url: `${url}/hooks` };
  },
  Fastify: async (hooks) => {
    const app = Fastify();
    const listener = webhookListener(hooks);
    await app.register(async (scope) => {
      // The webhooks read their own bodies.
      scope.removeAllContentTypeParsers();
      scope.addContentTypeParser('*', (_request, _body, done) => done(null));
      scope.post('/*', (request, reply) => {
        reply.hijack();
        listener(request.raw, reply.raw);
      });
    });
    const url = await app.listen({ port: 0, host: '127.0.0.1' });
    return { url, [Symbol.asyncDispose]: () => app.close() };
  },
};

const { logger } = recordingLogger();
const made = (): Webhooks =>
  webhooks({ logger }).validate(backups, ({ object }) => {
    if (object.spec.retention === 0) return deny('too short');
    if (object.spec.retention === 1) throw new TypeError('a mistake of the author');
    return undefined;
  });

async function answer(url: string, body: string): Promise<{ readonly status: number; readonly text: string }> {
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(`${url}${PATH}?timeout=10s`, { method: 'POST', headers, body });
  return { status: response.status, text: await response.text() };
}

describe.each(Object.entries(SERVERS))('webhooks in %s', (_, start) => {
  it('answer with what their handlers say, and an exception never allows', async () => {
    await using server = await start(made());
    const verdicts: unknown[] = [];
    for (const retention of [7, 0, 1]) {
      const { status, text } = await answer(server.url, JSON.stringify(reviewOf('CREATE', { retention })));
      const { response } = JSON.parse(text);
      verdicts.push([status, response.allowed, response.status?.message]);
    }
    expect(verdicts).toEqual([
      [200, true, undefined],
      [200, false, 'too short'],
      [200, false, expect.stringContaining('a mistake of the author')],
    ]);
  });

  it('refuse what is too large or no review, without an answer that allows', async () => {
    await using server = await start(made());
    const large = await answer(server.url, 'x'.repeat(9 * 1024 * 1024)).catch(() => ({ status: 413, text: '' }));
    expect([large.status, large.text.includes('"allowed":true')]).toEqual([413, false]);
    expect((await answer(server.url, '{}')).status).toBe(400);
  });
});

it('a body that somebody has parsed before is refused: nothing is left to review', async () => {
  const app = express();
  app.use(express.json());
  app.use(webhookListener(made()));
  await using server = await listening(createServer(app));
  const { status, text } = await answer(server.url, JSON.stringify(reviewOf('CREATE', { retention: 7 })));
  expect([status, text.includes('allowed')]).toEqual([400, false]);
});

it('what webhooks() did not make is no set of webhooks', () => {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a mistake in JavaScript
  expect(() => webhookListener({} as Webhooks)).toThrow(TypeError);
});
