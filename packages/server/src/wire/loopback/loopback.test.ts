import { FakeClock } from '@listwatch/api/fake-clock';
import { createMemoryEngine } from '@listwatch/storage';
import { afterEach, describe, expect, it } from 'vitest';
import { firstAuthenticator, tokenAuthenticator } from '../../access/authenticator.ts';
import { parseTokenFile } from '../../access/static-tokens.ts';
import type { UserInfo } from '../../contract/api-request.ts';
import type { ApiServerOptions } from '../../start/api-server-options.ts';
import { createApiServer } from '../../start/create-api-server.ts';
import type { LoopbackRequest, LoopbackResponse } from './loopback.ts';
import { LoopbackBody } from './loopback-body.ts';

const ADMIN: UserInfo = { name: 'admin', groups: ['system:masters'] };
const PATH = '/api/v1/namespaces/default/configmaps';

type Body = AsyncIterator<Uint8Array, unknown>;

/** A server that does not listen, and ways to ask it. */
class Loopback {
  readonly engine = createMemoryEngine();
  readonly server;
  user: UserInfo | undefined = ADMIN;

  constructor(options: Partial<ApiServerOptions> = {}) {
    this.server = createApiServer({ engine: this.engine, ...options });
  }

  send(path: string, request: Partial<LoopbackRequest> = {}): Promise<LoopbackResponse> {
    return this.server.handle({ method: 'GET', path, headers: {}, ...request }, { user: this.user });
  }

  async ask(path: string, request: Partial<LoopbackRequest> = {}): Promise<{ status: number; body: Json }> {
    const { status, body } = await this.send(path, request);
    const json: Json = JSON.parse(await wholeText(body));
    return { status, body: json };
  }

  async create(name: string, data: Readonly<Record<string, string>> = {}): Promise<Json> {
    const body = Buffer.from(JSON.stringify({ metadata: { name }, data }));
    const answer = await this.ask(PATH, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    expect(answer.status).toBe(201);
    return answer.body;
  }

  async watchers(): Promise<number> {
    const { body } = await this.send('/debug/cache');
    const { resources }: { resources: { resource: string; watchers: number }[] } = JSON.parse(await wholeText(body));
    return resources.find(({ resource }) => resource === 'configmaps')?.watchers ?? -1;
  }
}

type Json = Record<string, unknown> & { metadata: Record<string, string>; items: { metadata: { name: string } }[] };

async function wholeText(body: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  // A copy: the memory is the server's again when the next chunk is asked for.
  for await (const chunk of body) chunks.push(Uint8Array.from(chunk));
  return Buffer.concat(chunks).toString();
}

async function nextText(body: Body): Promise<string | undefined> {
  const next = await body.next();
  return next.done === true ? undefined : Buffer.from(next.value).toString();
}

const running: Loopback[] = [];
afterEach(async () => {
  for (const { server } of running.splice(0)) {
    void server.close();
    await server.close();
  }
});

async function start(options: Partial<ApiServerOptions> = {}): Promise<Loopback> {
  const loopback = new Loopback(options);
  running.push(loopback);
  await loopback.server.start();
  return loopback;
}

describe('a server that does not listen', () => {
  it('creates, gets and lists', async () => {
    const loopback = await start();
    await loopback.create('a');
    await loopback.create('b');
    expect(await loopback.ask(`${PATH}/a`)).toMatchObject({ status: 200, body: { metadata: { name: 'a' } } });
    const { status, headers, body } = await loopback.send(PATH);
    expect([status, headers['content-type']]).toEqual([200, 'application/json']);
    const text = await wholeText(body);
    expect(headers['content-length']).toBe(String(Buffer.byteLength(text)));
    expect(JSON.parse(text)).toMatchObject({ items: [{ metadata: { name: 'a' } }, { metadata: { name: 'b' } }] });
  });

  it('has no address, and cannot listen without a certificate', async () => {
    const { server } = await start();
    expect(server.url).toBe('');
    await expect(server.listen()).rejects.toThrow(TypeError);
  });

  it('asks the authenticator when no user is given, and the authorizer always', async () => {
    const tokens = parseTokenFile('good,admin,1,"system:masters"\n');
    const loopback = await start({ authenticator: firstAuthenticator([tokenAuthenticator(tokens)]) });
    loopback.user = undefined;
    const status = async (headers: Record<string, string>) => (await loopback.send(PATH, { headers })).status;
    expect(await status({ authorization: 'Bearer good' })).toBe(200);
    expect(await status({ authorization: 'Bearer wrong' })).toBe(401);
    expect(await status({})).toBe(403);
    loopback.user = { name: 'paul', groups: [] };
    expect(await status({ authorization: 'Bearer good' })).toBe(403);
  });

  it('limits bodies and requests as it does for sockets', async () => {
    const loopback = await start({ maxBodyBytes: 100, maxWatches: 1 });
    const body = Buffer.alloc(101, 32);
    expect((await loopback.send(PATH, { method: 'POST', body })).status).toBe(413);
    const held = await loopback.send(`${PATH}?watch=true`);
    expect((await loopback.send(`${PATH}?watch=true`)).status).toBe(429);
    await held.body[Symbol.asyncIterator]().return?.();
    expect((await loopback.send(`${PATH}?watch=true`)).status).toBe(200);
  });

  it('a long list arrives whole although its chunks share their memory, and its pages make it up', async () => {
    const loopback = await start();
    const names = Array.from({ length: 40 }, (_, index) => `big-${String(index).padStart(2, '0')}`);
    for (const name of names) await loopback.create(name, { pad: name.repeat(1000) });
    const sizes: number[] = [];
    const { body } = await loopback.send(PATH);
    const chunks: Uint8Array[] = [];
    for await (const chunk of body) {
      sizes.push(chunk.length);
      chunks.push(Uint8Array.from(chunk));
    }
    const whole: Json = JSON.parse(Buffer.concat(chunks).toString());
    expect(sizes.length).toBeGreaterThan(3);
    expect(whole.items.map(({ metadata }) => metadata.name)).toEqual(names);
    const paged: string[] = [];
    for (let token: string | undefined = ''; token !== undefined; ) {
      const page: Json = (await loopback.ask(`${PATH}?limit=15&continue=${token}`)).body;
      paged.push(...page.items.map(({ metadata }) => metadata.name));
      token = page.metadata['continue'];
    }
    expect(paged).toEqual(names);
  });

  it('a watch sends its frames as they happen, and ends cleanly on its time', async () => {
    const clock = new FakeClock();
    const loopback = await start({ clock });
    const { status, body } = await loopback.send(`${PATH}?watch=true&timeoutSeconds=5`);
    expect(status).toBe(200);
    const frames = body[Symbol.asyncIterator]();
    const first = nextText(frames);
    await loopback.create('a');
    expect(JSON.parse((await first) ?? '')).toMatchObject({ type: 'ADDED', object: { metadata: { name: 'a' } } });
    const last = nextText(frames);
    await clock.advance(6000);
    expect(await last).toBeUndefined();
    expect(await loopback.watchers()).toBe(0);
  });

  it('a watch of a past that is gone gets 410 once the changes are forgotten and compacted', async () => {
    const loopback = await start();
    const { metadata } = await loopback.create('a');
    await loopback.create('b');
    const from = `${PATH}?watch=true&resourceVersion=${metadata['resourceVersion']}&timeoutSeconds=1`;
    await loopback.engine.compact(await loopback.engine.revision());
    const kept = (await loopback.send(from)).body[Symbol.asyncIterator]();
    expect(JSON.parse((await nextText(kept)) ?? '')).toMatchObject({ type: 'ADDED' });
    await loopback.server.forgetChanges();
    const { body } = await loopback.send(from);
    expect(JSON.parse(await wholeText(body))).toMatchObject({ type: 'ERROR', object: { code: 410 } });
    const old = await loopback.ask(`${PATH}?resourceVersionMatch=Exact&resourceVersion=${metadata['resourceVersion']}`);
    expect(old.status).toBe(410);
    // The watch that was at the newest change has missed nothing, and goes on.
    const next = nextText(kept);
    await loopback.create('c');
    expect(JSON.parse((await next) ?? '')).toMatchObject({ object: { metadata: { name: 'c' } } });
  });

  it('an aborted watch gives its reader the reason, and releases its watcher and the signal', async () => {
    const loopback = await start();
    const abort = new AbortController();
    const { body } = await loopback.send(`${PATH}?watch=true`, { signal: abort.signal });
    expect(await loopback.watchers()).toBe(1);
    const waiting = nextText(body[Symbol.asyncIterator]());
    const reason = new Error('enough');
    abort.abort(reason);
    await expect(waiting).rejects.toBe(reason);
    expect(await loopback.watchers()).toBe(0);
    await expect(loopback.send(PATH, { signal: abort.signal })).rejects.toBe(reason);
  });

  it('a reader that leaves a watch releases its watcher', async () => {
    const loopback = await start();
    const { body } = await loopback.send(`${PATH}?watch=true`);
    const frames = body[Symbol.asyncIterator]();
    await loopback.create('a');
    await nextText(frames);
    expect(await loopback.watchers()).toBe(1);
    await frames.return?.();
    expect(await loopback.watchers()).toBe(0);
  });

  it('a watcher that does not read is held back after about 64 KiB, and misses nothing while the window lasts', async () => {
    const loopback = await start();
    const { body } = await loopback.send(`${PATH}?watch=true`);
    const count = 60;
    for (let index = 0; index < count; index++) await loopback.create(`n-${index}`, { pad: 'x'.repeat(10_000) });
    if (!(body instanceof LoopbackBody)) throw new TypeError('another body');
    const { writable: unread } = body;
    await expect.poll(() => unread.writableLength).toBeGreaterThan(64 * 1024);
    expect(unread.writableLength).toBeLessThan(128 * 1024);
    let text = '';
    const frames = body[Symbol.asyncIterator]();
    while (text.split('\n').length <= count) text += (await nextText(frames)) ?? '';
    expect(text.trim().split('\n')).toHaveLength(count);
  });

  it('ends watches cleanly when it closes, and takes no requests after that', async () => {
    const loopback = await start();
    const { body } = await loopback.send(`${PATH}?watch=true`);
    const end = nextText(body[Symbol.asyncIterator]());
    await loopback.server.close();
    expect(await end).toBeUndefined();
    await expect(loopback.send(PATH)).rejects.toMatchObject({ name: 'TransportError', code: 'CONNECT' });
  });

  it('cuts what is being answered when it is told to close twice', async () => {
    const loopback = await start();
    for (let index = 0; index < 20; index++) await loopback.create(`n-${index}`, { pad: 'x'.repeat(10_000) });
    const { body } = await loopback.send(PATH);
    const chunks = body[Symbol.asyncIterator]();
    expect(await nextText(chunks)).toMatch(/^\{"kind":"ConfigMapList"/u);
    const closed = loopback.server.close();
    void loopback.server.close();
    await closed;
    await expect(nextText(chunks)).rejects.toMatchObject({ name: 'TransportError', code: 'CLOSED' });
  });

  it('a list that nobody reads is cut when its time is up', async () => {
    const clock = new FakeClock();
    const loopback = await start({ clock, requestTimeoutMs: 1000 });
    for (let index = 0; index < 20; index++) await loopback.create(`n-${index}`, { pad: 'x'.repeat(10_000) });
    const { body } = await loopback.send(PATH);
    await clock.advance(1000);
    await expect(nextText(body[Symbol.asyncIterator]())).rejects.toMatchObject({ code: 'CLOSED' });
  });

  it('gives a signal back when the answer is read', async () => {
    const loopback = await start();
    const { signal } = new AbortController();
    const listening = new Set<unknown>();
    const add = signal.addEventListener.bind(signal);
    const remove = signal.removeEventListener.bind(signal);
    signal.addEventListener = (type: string, listener: never) => {
      listening.add(listener);
      add(type, listener);
    };
    signal.removeEventListener = (type: string, listener: never) => {
      listening.delete(listener);
      remove(type, listener);
    };
    await loopback.ask(PATH, { signal });
    expect(listening.size).toBe(0);
    const { body } = await loopback.send(PATH, { signal });
    expect(listening.size).toBe(1);
    await body[Symbol.asyncIterator]().return?.();
    expect(listening.size).toBe(0);
  });
});
