import { FakeClock } from '@listwatch/api/fake-clock';
import { createMemoryEngine } from '@listwatch/storage';
import { describe, expect, it } from 'vitest';
import { createApiServer } from '../start/create-api-server.ts';

const user = { name: 'admin', groups: ['system:masters'] };
const PATH = '/api/v1/namespaces/default/events';
const MINUTE = 60_000;

async function start(eventTtlMs?: number) {
  const clock = new FakeClock();
  const engine = createMemoryEngine({ clock });
  const server = createApiServer({ engine, clock, eventTtlMs });
  await server.start();
  const ask = async (method: string, path: string, body?: object) => {
    const headers = { 'content-type': 'application/json' };
    const bytes = body === undefined ? undefined : Buffer.from(JSON.stringify(body));
    const { status, body: chunks } = await server.handle({ method, path, headers, body: bytes }, { user });
    for await (const _ of chunks);
    return status;
  };
  return { clock, ask, close: () => server.close().then(() => engine.close()) };
}

const event = (name: string, more: object = {}) => ({
  apiVersion: 'v1',
  kind: 'Event',
  metadata: { name, namespace: 'default' },
  involvedObject: { kind: 'Pod', namespace: 'default', name: 'p' },
  ...more,
});

describe('an Event', () => {
  it.each([
    [undefined, 60 * MINUTE],
    [10 * MINUTE, 10 * MINUTE],
  ])('with eventTtlMs %s is gone after %d ms, counted from its last change', async (eventTtlMs, lifeMs) => {
    const { clock, ask, close } = await start(eventTtlMs);
    for (const name of ['old', 'renewed']) expect(await ask('POST', PATH, event(name))).toBe(201);
    await clock.advance(lifeMs / 2);
    expect(await ask('PUT', `${PATH}/renewed`, event('renewed', { count: 2 }))).toBe(200);
    await clock.advance(lifeMs / 2 - 1000);
    expect(await ask('GET', `${PATH}/old`)).toBe(200);
    await clock.advance(1000);
    expect([await ask('GET', `${PATH}/old`), await ask('GET', `${PATH}/renewed`)]).toEqual([404, 200]);
    await clock.advance(lifeMs / 2);
    expect(await ask('GET', `${PATH}/renewed`)).toBe(404);
    await close();
  });

  it('cannot live for less than a second', () => {
    const engine = createMemoryEngine();
    expect(() => createApiServer({ engine, eventTtlMs: 999 })).toThrow('eventTtlMs must be 1000 or more, not 999');
  });
});
