import { once } from 'node:events';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { eventFrame, type Fixture, Fixtures, heldWatch, jsonResponse, MASTER } from './http-fixture.test-d.ts';

const fixtures = new Fixtures();
afterEach(() => fixtures.stop());
afterAll(() => fixtures.authority[Symbol.dispose]());

const PATH = '/api/v1/namespaces/default/configmaps';
const KB = 1024;
/** Each follows each, and itself. */
const SIZES = [1, 20, 20, 400, 1, 1, 90, 400, 400, 20, 90, 90, 1].map((size) => size * KB);
const ROUNDS = [...SIZES, ...SIZES, ...SIZES];

function bodyOf(size: number, round: number): Buffer {
  return Buffer.alloc(size, `${round} `);
}

function echo(): Promise<Fixture> {
  return fixtures.start(async (request) => jsonResponse(await request.body()));
}

describe('bodies and answers of all sizes, one right after the other, arrive whole', () => {
  it('over HTTP/1.1, on one connection', async () => {
    const fixture = await echo();
    const agent = fixture.agent();
    for (const [round, size] of ROUNDS.entries()) {
      const body = bodyOf(size, round);
      const answer = await fixture.ask(PATH, { method: 'POST', body, agent });
      expect([answer.status, answer.raw.equals(body)]).toEqual([200, true]);
    }
    expect(fixture.server.load.connections).toBe(1);
    agent.destroy();
  });

  it('over HTTP/2, on one connection, also side by side', async () => {
    const fixture = await echo();
    const session = fixture.http2();
    const ask = async (size: number, round: number): Promise<void> => {
      const body = bodyOf(size, round);
      const answer = await fixture.askHttp2(session, PATH, { method: 'POST', body });
      expect([answer.status, answer.raw.equals(body)]).toEqual([200, true]);
    };
    for (const [round, size] of ROUNDS.entries()) await ask(size, round);
    await Promise.all(ROUNDS.map(ask));
    expect(fixture.server.load.connections).toBe(1);
    session.destroy();
  });

  it('within the process', async () => {
    const { server } = await echo();
    for (const [round, size] of ROUNDS.entries()) {
      const body = bodyOf(size, round);
      const answer = await server.handle({ method: 'POST', path: PATH, headers: MASTER, body });
      const chunks: Uint8Array[] = [];
      for await (const chunk of answer.body) chunks.push(Uint8Array.from(chunk));
      expect([answer.status, Buffer.concat(chunks).equals(body)]).toEqual([200, true]);
    }
  });

  it('as events over a WebSocket', async () => {
    const { response, sink } = heldWatch();
    const fixture = await fixtures.start(() => response);
    const client = new WebSocket(`wss://localhost:${fixture.port}${PATH}?watch=1`, {
      ca: fixture.ca,
      headers: { ...MASTER, origin: 'https://console' },
    });
    const messages: string[] = [];
    client.on('message', (data) => messages.push(Buffer.isBuffer(data) ? data.toString() : ''));
    const watch = await sink;
    const frames = ROUNDS.map((size, round) => eventFrame(`event-${round}`, size));
    const ready = { listener: (): void => {} };
    watch.onReady(() => ready.listener());
    for (const one of frames) {
      const room = new Promise<void>((resolve) => {
        ready.listener = resolve;
      });
      if (!watch.write([one])) await room;
    }
    watch.end();
    await once(client, 'close');
    expect(messages.map((text) => text.trim())).toEqual(frames.map((one) => one.toString().trim()));
  });
});
