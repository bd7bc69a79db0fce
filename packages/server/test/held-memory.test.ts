import { request } from 'node:https';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { createMemoryEngine } from '@listwatch/storage';
import { expect, it, vi } from 'vitest';
import { startTestServer, type TestServer } from './test-server.ts';

setFlagsFromString('--expose-gc');
const collect: () => void = runInNewContext('gc');

const MAPS = '/api/v1/namespaces/default/configmaps';
const OBJECTS = 30;
const PAYLOAD = 'x'.repeat(6000);
const WATCHERS = 8;
const ROUNDS = 5;
/** A round writes half a megabyte, and its watchers get eight. */
const MAX_GROWTH = 1.5e6;

async function heldBytes(): Promise<number> {
  for (let time = 0; time < 5; time += 1) {
    collect();
    await new Promise((resolve) => setImmediate(resolve));
  }
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

async function send({ server }: TestServer, method: string, path: string, body = ''): Promise<number> {
  const headers = { 'content-type': 'application/json' };
  const user = { name: 'test', groups: ['system:masters'] };
  const answer = await server.handle({ method, path, headers, body: Buffer.from(body) }, { user });
  for await (const _ of answer.body) void _;
  return answer.status;
}

/** A watch over a socket of its own; `close` ends it as a client that has gone. */
function watch(
  { url, ca, token }: TestServer,
  until: string,
): Promise<{ readonly done: Promise<void>; readonly close: () => void }> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${token}` };
    const sent = request(`${url}${MAPS}?watch=true`, { ca, headers, agent: false }, (answer) => {
      const done = new Promise<void>((end) => {
        let tail = '';
        answer.on('data', (chunk: Buffer) => {
          tail = (tail + chunk.toString('latin1')).slice(-10_000);
          if (tail.includes(`"type":"DELETED"`) && tail.includes(`"name":"${until}"`)) end();
        });
      });
      resolve({ done, close: () => sent.destroy() });
    });
    sent.on('error', reject).end();
  });
}

/** Ends with as many objects, watches and sockets as it began with. */
async function round(target: TestServer, count: number): Promise<void> {
  const watches = await Promise.all(Array.from({ length: WATCHERS }, () => watch(target, `map-${OBJECTS - 1}`)));
  const text = (version: number, i: number): string =>
    JSON.stringify({
      kind: 'ConfigMap',
      apiVersion: 'v1',
      metadata: { name: `map-${i}`, labels: { version: `${count}-${version}` } },
      data: { payload: `${count}.${version}.${i}.${PAYLOAD}` },
    });
  for (let i = 0; i < OBJECTS; i += 1) expect(await send(target, 'POST', MAPS, text(0, i))).toBe(201);
  for (let i = 0; i < OBJECTS; i += 1) expect(await send(target, 'PUT', `${MAPS}/map-${i}`, text(1, i))).toBe(200);
  expect(await send(target, 'GET', `${MAPS}?labelSelector=version=${count}-1`)).toBe(200);
  for (let i = 0; i < OBJECTS; i += 1) expect(await send(target, 'DELETE', `${MAPS}/map-${i}`)).toBe(200);
  await Promise.all(watches.map(({ done }) => done));
  for (const { close } of watches) close();
}

it('rounds of watches, lists and writes that leave nothing behind leave no memory behind', async () => {
  await using engine = createMemoryEngine();
  await using target = await startTestServer(engine);
  await vi.waitFor(async () => expect(await send(target, 'GET', '/api/v1/namespaces/default')).toBe(200), 20_000);
  // The changes that watches may resume from are kept on purpose.
  const forget = async (): Promise<void> => {
    await engine.compact(await engine.revision());
    await target.server.forgetChanges();
  };
  for (let count = 0; count < 2; count += 1) await round(target, count);
  await forget();
  const before = await heldBytes();
  for (let count = 0; count < ROUNDS; count += 1) await round(target, count + 2);
  await forget();
  // Sockets that are closing still hold their buffers.
  const grown = async (): Promise<number> => (await heldBytes()) - before;
  await vi.waitFor(async () => expect(await grown()).toBeLessThan(MAX_GROWTH), { timeout: 20_000, interval: 500 });
  expect(target.unforeseen).toEqual([]);
}, 180_000);
