import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse, request as send } from 'node:http';
import { connect as connectHttp2, createServer as createHttp2Server } from 'node:http2';
import { connect as connectTcp, type Server } from 'node:net';
import { unauthorized } from '@listwatch/api';
import { eventually } from '@listwatch/conformance/storage';
import { createMemoryEngine } from '@listwatch/storage';
import express, { type Request } from 'express';
import Fastify from 'fastify';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ApiServer, createApiServer, type NodeRequest, type UserInfo } from '../src/index.ts';

const MAPS = '/api/v1/namespaces/default/configmaps';
const ADMIN: UserInfo = { name: 'ann', groups: ['system:masters'] };

let server: ApiServer;
let errors: string[];
let stops: (() => Promise<unknown>)[];

beforeEach(async () => {
  errors = [];
  stops = [];
  server = createApiServer({ engine: createMemoryEngine(), onError: (error) => errors.push(String(error)) });
  await server.start();
});

afterEach(async () => {
  const closed = server.close();
  await server.close();
  await closed;
  for (const stop of stops) await stop();
});

/** By a header, as a host would by its session. */
function userOf({ headers }: NodeRequest): UserInfo | undefined {
  if (headers['x-session'] === 'wrong') throw unauthorized();
  if (headers['x-session'] === 'broken') throw new Error('the session store is down');
  return headers['x-session'] === 'ann' ? ADMIN : undefined;
}

/** Starts a host; clients let go of it before it is stopped. */
async function listening(host: Server): Promise<string> {
  host.listen(0, '127.0.0.1');
  await once(host, 'listening');
  stops.push(() => new Promise((resolve) => host.close(resolve)));
  const address = host.address();
  if (address === null || typeof address === 'string') throw new TypeError('no port');
  return `http://127.0.0.1:${address.port}`;
}

/** The hosts, each with the API below /cluster. */
const HOSTS: Readonly<Record<string, () => Promise<string>>> = {
  'node:http': () => listening(createServer(server.requestListener({ prefix: '/cluster', user: userOf }))),
  Express: () => {
    const app = express();
    app.use('/cluster', server.requestListener<Request>({ user: userOf }));
    app.use(express.json());
    app.get('/own', (_request, response) => void response.send('own'));
    return listening(createServer(app));
  },
  Fastify: async () => {
    const app = Fastify();
    const listener = server.requestListener({ prefix: '/cluster', user: userOf });
    await app.register(async (scope) => {
      scope.removeAllContentTypeParsers();
      scope.addContentTypeParser('*', (_request, _body, done) => done(null));
      scope.all('/cluster/*', (request, reply) => {
        reply.hijack();
        listener(request.raw, reply.raw);
      });
    });
    const address = await app.listen({ port: 0, host: '127.0.0.1' });
    stops.push(() => app.close());
    return address;
  },
};

interface Asked {
  readonly status: number | undefined;
  readonly headers: IncomingMessage['headers'];
  readonly text: string;
}

interface AskOptions {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A request whose answer has begun. */
async function open(url: string, options: AskOptions = {}, body?: object): Promise<IncomingMessage> {
  const headers = { 'content-type': 'application/json', 'x-session': 'ann', ...options.headers };
  const sent = send(url, { ...options, headers, agent: false });
  sent.end(body === undefined ? undefined : JSON.stringify(body));
  return new Promise((resolve, reject) => sent.once('response', resolve).once('error', reject));
}

async function ask(url: string, options?: AskOptions, body?: object): Promise<Asked> {
  const answer = await open(url, options, body);
  let text = '';
  for await (const chunk of answer) text += String(chunk);
  return { status: answer.statusCode, headers: answer.headers, text };
}

function configMap(name: string): object {
  return { kind: 'ConfigMap', apiVersion: 'v1', metadata: { name }, data: { a: '1' } };
}

async function watches(): Promise<number> {
  const { body } = await server.handle({ method: 'GET', path: '/metrics', headers: {} }, { user: ADMIN });
  let text = '';
  for await (const chunk of body) text += String(Buffer.from(chunk));
  return Number(/^apiserver_longrunning_requests\S* (\d+)$/mu.exec(text)?.[1]);
}

describe.each(Object.keys(HOSTS))('mounted on %s', (name) => {
  let base: string;

  beforeEach(async () => {
    const host = (await HOSTS[name]?.()) ?? expect.unreachable();
    base = `${host}/cluster`;
  });

  it('creates, gets, lists and deletes', async () => {
    expect(await ask(`${base}${MAPS}`, { method: 'POST' }, configMap('a'))).toMatchObject({ status: 201 });
    const got = await ask(`${base}${MAPS}/a`);
    expect(JSON.parse(got.text)).toMatchObject({ metadata: { name: 'a' }, data: { a: '1' } });
    const { items } = JSON.parse((await ask(`${base}${MAPS}?limit=10`)).text);
    expect(items).toHaveLength(1);
    expect(await ask(`${base}${MAPS}/a`, { method: 'DELETE' })).toMatchObject({ status: 200 });
    expect(await ask(`${base}${MAPS}/a`)).toMatchObject({ status: 404 });
    expect((await ask(`${base}${MAPS}`, { method: 'HEAD' })).text).toBe('');
    expect(errors).toEqual([]);
  });

  it('sends the events of a watch as they happen, and forgets the watch when its client has gone', async () => {
    const answer = await open(`${base}${MAPS}?watch=true`);
    expect(answer.headers).toMatchObject({ 'transfer-encoding': 'chunked', 'content-type': 'application/json' });
    expect(answer.headers['cache-control']).toContain('no-transform');
    for (const one of ['a', 'b']) {
      await ask(`${base}${MAPS}`, { method: 'POST' }, configMap(one));
      const [chunk] = await once(answer, 'data');
      expect(JSON.parse(String(chunk))).toMatchObject({ type: 'ADDED', object: { metadata: { name: one } } });
    }
    expect(await watches()).toBe(1);
    answer.destroy();
    await eventually('the watch to be forgotten', async () => (await watches()) === 0);
    expect(errors).toEqual([]);
  });

  it('ends a watch cleanly when the server closes, and then answers 503', async () => {
    const answer = await open(`${base}${MAPS}?watch=true`);
    answer.resume();
    const ended = once(answer, 'end');
    await server.close();
    await ended;
    expect(answer.complete).toBe(true);
    expect(await ask(`${base}${MAPS}`)).toMatchObject({ status: 503 });
  });

  it('takes the user from the host, else from its own authenticator', async () => {
    const review = { kind: 'SelfSubjectReview', apiVersion: 'authentication.k8s.io/v1' };
    const path = '/apis/authentication.k8s.io/v1/selfsubjectreviews';
    const mine = JSON.parse((await ask(`${base}${path}`, { method: 'POST' }, review)).text);
    expect(mine.status.userInfo).toMatchObject({ username: 'ann' });
    const nobody = await ask(`${base}${MAPS}`, { headers: { 'x-session': 'none' } });
    expect(nobody).toMatchObject({ status: 403 });
    expect(nobody.text).toContain('system:anonymous');
    const refused = await ask(`${base}${MAPS}`, { headers: { 'x-session': 'wrong' } });
    expect(JSON.parse(refused.text)).toMatchObject({ kind: 'Status', code: 401 });
    expect(errors).toEqual([]);
    const failed = await ask(`${base}${MAPS}`, { headers: { 'x-session': 'broken' } });
    expect(failed).toMatchObject({ status: 500 });
    expect(failed.text).not.toContain('session store');
    expect(errors).toEqual(['Error: the session store is down']);
  });
});

describe('the request listener', () => {
  it('answers 404 outside its prefix, and takes the prefix itself for the root', async () => {
    const base = await listening(createServer(server.requestListener({ prefix: '/cluster', user: userOf })));
    for (const path of ['/', '/other', `/clusters${MAPS}`, MAPS]) {
      expect((await ask(`${base}${path}`)).text, path).toContain('the API is served under /cluster');
    }
    // As in Kubernetes without its aggregation layer, there is nothing at the root; the server itself says so.
    for (const path of ['/cluster', '/cluster/', '/cluster?pretty=1']) {
      expect((await ask(`${base}${path}`)).text, path).toBe('404 page not found\n');
    }
    expect((await ask(`${base}/cluster/version`)).status).toBe(200);
  });

  it('refuses a prefix that no path can have', () => {
    for (const prefix of ['cluster', '/cluster/', '/', '/a?b']) {
      expect(() => server.requestListener({ prefix }), prefix).toThrow(TypeError);
    }
  });

  it('says so at once when a body parser has taken the body', async () => {
    const app = express();
    app.use(express.json());
    app.use(server.requestListener<Request>({ user: userOf }));
    const base = await listening(createServer(app));
    const answer = await ask(`${base}${MAPS}`, { method: 'POST' }, configMap('a'));
    expect(answer.status).toBe(500);
    expect(JSON.parse(answer.text).message).toContain('mount its listener before body parsers');
    expect(errors).toHaveLength(1);
  });

  it('leaves an answer alone that the host has begun while the user was looked up', async () => {
    const refused = server.requestListener({ user: () => Promise.reject(unauthorized()) });
    const host = createServer((request, response) => {
      refused(request, response);
      response.writeHead(503).write('too ');
      setImmediate(() => response.end('busy'));
    });
    expect(await ask(`${await listening(host)}${MAPS}`)).toMatchObject({ status: 503, text: 'too busy' });
    expect(errors).toEqual([]);
  });

  it('answers over HTTP/2 too, and cuts only the stream', async () => {
    const base = await listening(createHttp2Server(server.requestListener({ user: userOf })));
    const client = connectHttp2(base);
    const asked = (method: string, path: string) =>
      client.request({ ':method': method, ':path': path, 'x-session': 'ann' });
    const posted = asked('POST', MAPS).end(JSON.stringify(configMap('a')));
    const [head] = await once(posted, 'response');
    expect(head[':status']).toBe(201);
    posted.resume();
    const watch = asked('GET', `${MAPS}?watch=true&resourceVersion=0`);
    const [chunk] = await once(watch, 'data');
    expect(JSON.parse(String(chunk))).toMatchObject({ type: 'ADDED' });
    watch.close();
    await eventually('the watch to be forgotten', async () => (await watches()) === 0);
    const listed = asked('GET', MAPS);
    let text = '';
    for await (const part of listed) text += String(part);
    expect(JSON.parse(text).items).toHaveLength(1);
    client.destroy();
  });

  it('forgets watches that were pipelined when their connection breaks before their turn', async () => {
    const base = await listening(createServer(server.requestListener({ user: userOf })));
    const socket = connectTcp(Number(new URL(base).port), '127.0.0.1');
    const head = `GET ${MAPS}?watch=true HTTP/1.1\r\nhost: a\r\nx-session: ann\r\n\r\n`;
    socket.write(head.repeat(20));
    await eventually('the first to run', async () => (await watches()) === 1);
    socket.destroy();
    // While a request waits the socket is not read: it is the next event that shows that nobody is there.
    expect((await ask(`${base}${MAPS}`, { method: 'POST' }, configMap('next'))).status).toBe(201);
    expect((await ask(`${base}${MAPS}`, { method: 'POST' }, configMap('last'))).status).toBe(201);
    await eventually('all to be forgotten', async () => (await watches()) === 0);
    expect(errors).toEqual([]);
  });

  it('answers pipelined requests one after the other, and reads no more while one waits', async () => {
    const base = await listening(createServer(server.requestListener({ user: userOf })));
    const socket = connectTcp(Number(new URL(base).port), '127.0.0.1');
    const answers: string[] = [];
    socket.on('data', (chunk: Buffer) => answers.push(chunk.toString()));
    const watch = `GET ${MAPS}?watch=true&timeoutSeconds=1 HTTP/1.1\r\nhost: a\r\nx-session: ann\r\n\r\n`;
    const short = 'GET /livez HTTP/1.1\r\nx-session:ann\r\nhost:b\r\n\r\n';
    socket.write(watch + short.repeat(3));
    // A connection on loopback takes some megabytes that nobody reads.
    socket.write(Buffer.alloc(60_000_000, short));
    for (let turn = 0; turn < 50; turn += 1) expect((await ask(`${base}/livez`)).status).toBe(200);
    expect(socket.writableLength).toBeGreaterThan(0);
    await eventually('the watch to end, and the others to go on', () => answers.join('').split('ok').length > 100);
    expect(socket.writableLength).toBeGreaterThan(0);
    socket.destroy();
    expect(errors).toEqual([]);
  });

  it('holds a watch back whose client does not read, and forgets it when the client breaks', async () => {
    const listener = server.requestListener({ user: userOf });
    const responses: ServerResponse[] = [];
    const host = createServer((request, response) => {
      responses.push(response);
      listener(request, response);
    });
    const base = await listening(host);
    const answer = await open(`${base}${MAPS}?watch=true`);
    answer.pause();
    const text = 'x'.repeat(900_000);
    for (let i = 0; i < 15; i += 1) {
      const created = await ask(`${base}${MAPS}`, { method: 'POST' }, { ...configMap(`big-${i}`), data: { text } });
      expect(created.status).toBe(201);
    }
    expect(responses[0]?.writableLength).toBeLessThan(4 * text.length);
    answer.destroy();
    await eventually('the watch to be forgotten', async () => (await watches()) === 0);
    expect(errors).toEqual([]);
  });
});
