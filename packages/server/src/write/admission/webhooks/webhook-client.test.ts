import { createServer, type Server, type Socket } from 'node:net';
import { afterEach, expect, it, vi } from 'vitest';
import { HookServer } from './hook-server.fixture.ts';
import { WebhookClient } from './webhook-client.ts';

const REVIEW = Buffer.from('{"request":{"uid":"u"}}');
const LIVE = new AbortController().signal;
const opened: AsyncDisposable[] = [];

afterEach(async () => {
  for (const one of opened.splice(0)) await one[Symbol.asyncDispose]();
});

async function hookServer(http2: boolean): Promise<HookServer> {
  const hook = await HookServer.start({ http2 });
  opened.push(hook);
  return hook;
}

function clientOf(hook: { readonly port: number; readonly caBundle: string }): WebhookClient {
  const address = { host: '127.0.0.1', port: hook.port, servername: 'localhost', authority: 'localhost' };
  const ca = Buffer.from(hook.caBundle, 'base64').toString();
  return new WebhookClient({ ...address, offersHttp2: true }, { ca, check: () => undefined });
}

function posts(client: WebhookClient, count: number): Promise<number[]> {
  return Promise.all(Array.from({ length: count }, async () => (await client.post('/a', REVIEW, LIVE)).status));
}

it('concurrent first calls share one HTTP/2 connection', async () => {
  const hook = await hookServer(true);
  const client = clientOf(hook);
  expect(new Set(await posts(client, 10))).toEqual(new Set([200]));
  expect([hook.connections, hook.calls.length]).toEqual([1, 10]);
  client.close();
  await vi.waitFor(() => expect(hook.open).toBe(0));
});

it('concurrent first calls to a webhook without HTTP/2 leave no connection behind', async () => {
  const hook = await hookServer(false);
  const client = clientOf(hook);
  expect(new Set(await posts(client, 10))).toEqual(new Set([200]));
  expect(hook.connections).toBeLessThanOrEqual(10);
  client.close();
  await vi.waitFor(() => expect(hook.open).toBe(0));
});

it('a first call that is given up does not take the connection from the others', async () => {
  const hook = await hookServer(true);
  const client = clientOf(hook);
  const gone = new AbortController();
  const first = client.post('/a', REVIEW, gone.signal);
  const second = client.post('/a', REVIEW, LIVE);
  gone.abort(new Error('gone'));
  await expect(first).rejects.toThrow('gone');
  expect((await second).status).toBe(200);
  expect(hook.connections).toBe(1);
  client.close();
});

it('a handshake that nobody waits for any more is given up, and the next call begins another', async () => {
  const sockets = new Set<Socket>();
  const silent: Server = createServer((socket) => {
    sockets.add(socket);
    // Without reading, it would not notice the end.
    socket.resume();
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  opened.push({ [Symbol.asyncDispose]: () => new Promise((resolve) => void silent.close(() => resolve())) });
  const place = silent.address();
  const client = clientOf({ port: typeof place === 'object' ? (place?.port ?? 0) : 0, caBundle: '' });
  for (let round = 0; round < 2; round += 1) {
    const gone = new AbortController();
    const call = client.post('/a', REVIEW, gone.signal);
    await vi.waitFor(() => expect(sockets.size).toBe(1));
    gone.abort(new Error('gone'));
    await expect(call).rejects.toThrow('gone');
    await vi.waitFor(() => expect(sockets.size).toBe(0));
  }
});

it('a retired client ends with its last call, which gets its answer', async () => {
  const hook = await hookServer(true);
  let answer: ((value: object) => void) | undefined;
  hook.answers['a'] = () => new Promise((resolve) => (answer = resolve));
  const client = clientOf(hook);
  const call = client.post('/a', REVIEW, LIVE);
  await vi.waitFor(() => expect(answer).toBeDefined());
  client.retire();
  expect(hook.open).toBe(1);
  answer?.({ allowed: true });
  expect((await call).status).toBe(200);
  await vi.waitFor(() => expect(hook.open).toBe(0));
});

function refuse(address: string): void {
  throw new Error(`${address} is refused`);
}

it('connects to no address that the check refuses, by whatever name', async () => {
  const hook = await hookServer(true);
  const address = { host: 'localhost', port: hook.port, servername: 'localhost', authority: 'localhost' };
  for (const offersHttp2 of [true, false]) {
    const client = new WebhookClient({ ...address, offersHttp2 }, { ca: undefined, check: refuse });
    await expect(client.post('/a', REVIEW, LIVE)).rejects.toThrow(/(127\.0\.0\.1|::1) is refused/u);
    client.close();
  }
  expect(hook.connections).toBe(0);
});
