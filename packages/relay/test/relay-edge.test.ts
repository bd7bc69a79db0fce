import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FakeClock } from '@listwatch/api/fake-clock';
import { configMaps } from '@listwatch/kinds';
import { createMemoryEngine, type StorageEngine } from '@listwatch/storage';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type RawText, RelayWorld } from './relay-world.fixture.ts';

const PATH = '/api/v1/namespaces/default/configmaps';
const STREAMED = 'watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true';
const WAIT = { timeout: 6000 };
const ANN = 'ann-token';
const BOB = 'bob-token';
const HOUR_MS = 3_600_000;

let world: RelayWorld;
let engine: StorageEngine;
let clock: FakeClock;

/** Asks through the relay, whose time goes on until it has answered. */
async function ask(token: string, path: string): Promise<RawText> {
  let end: { readonly answer: RawText } | { readonly error: unknown } | undefined;
  void (async () => {
    try {
      end = { answer: await world.ask(token, path) };
    } catch (error) {
      end = { error };
    }
  })();
  await vi.waitFor(async () => {
    await clock.advance(100);
    expect(end).toBeDefined();
  }, WAIT);
  if (end === undefined || 'error' in end) throw end?.error;
  return end.answer;
}

/** Ann is known to the relay, and may read what is asked for below. */
beforeEach(async () => {
  engine = createMemoryEngine();
  clock = new FakeClock();
  world = await RelayWorld.start({ engine, options: { clock, staleReads: true, stretchAccessMs: HOUR_MS } });
  await vi.waitFor(() => expect(world.relay.state.access.signal).toBe(true), WAIT);
  for (const user of ['bob', 'ann']) {
    const { changes } = world.relay.state.access;
    await world.bind(user, 'reader');
    await vi.waitFor(() => expect(world.relay.state.access.changes).toBeGreaterThan(changes), WAIT);
  }
  await world.write('a', { n: '1' });
  await vi.waitFor(() => expect(world.relay.state.kinds[0]?.cache).toMatchObject({ objects: 1 }), WAIT);
  // Half a second after a change of rights everything is asked for once more: what was known before that is forgotten.
  await clock.advance(1000);
  for (const query of ['', '?watch=true&timeoutSeconds=1', '/a', '/nope']) await ask(ANN, `${PATH}${query}`);
}, 60_000);

afterEach(() => world[Symbol.asyncDispose]());

async function away(): Promise<void> {
  await world.stopUpstream();
  await vi.waitFor(() => expect(world.relay.state.kinds[0]?.state).toBe('away'), WAIT);
  await clock.advance(60_000);
}

/** The upstream is back, and the relay has noticed. */
async function back(how: Parameters<RelayWorld['restartUpstream']>[1] = {}): Promise<void> {
  await world.restartUpstream(engine, how);
  await vi.waitFor(async () => {
    await clock.advance(100);
    expect(world.relay.state.kinds[0]?.state).toBe('live');
  }, WAIT);
}

describe('at the edge, while the upstream is away', () => {
  it.each([
    ['a list', PATH],
    ['a page', `${PATH}?limit=1`],
    ['a list at any version', `${PATH}?resourceVersion=0`],
    ['an object', `${PATH}/a`],
    ['a streamed list', `${PATH}?${STREAMED}&timeoutSeconds=1`],
    ['a watch from the beginning', `${PATH}?watch=true&timeoutSeconds=1`],
  ])('%s is answered with what the relay has, and says how old it is', async (_, path) => {
    await away();
    const { status, text, headers } = await ask(ANN, path);
    expect(status).toBe(200);
    expect(text).toContain('"name":"a"');
    expect(Number(headers['age'])).toBeGreaterThanOrEqual(60);
    expect(headers['warning']).toBe(
      `299 - "the upstream server has not answered for ${headers['age']} s; this may be as old as that"`,
    );
    if (path.includes('sendInitialEvents')) expect(text).toContain('"k8s.io/initial-events-end":"true"');
    expect(world.relay.state.reads.old).toEqual({ configmaps: 1 });
    expect(await world.relay.metrics()).toContain('listwatch_relay_old_answers_total{kind="configmaps"} 1');
  });

  it('writes are refused, and so are versions that it has not, and objects that may have been made meanwhile', async () => {
    await away();
    const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'b' } };
    expect((await world.send(ANN, 'POST', PATH, object)).status).toBe(504);
    expect((await ask(ANN, `${PATH}/nope`)).status).toBe(504);
    expect((await ask(ANN, `${PATH}?resourceVersion=999999999999999999`)).status).toBe(504);
  });

  it('nobody new is let in, and those who are known no longer than was said', async () => {
    await away();
    expect((await ask(BOB, PATH)).status).toBe(503);
    expect((await ask(ANN, PATH)).status).toBe(200);
    await clock.advance(HOUR_MS);
    expect((await ask(ANN, PATH)).status).toBe(503);
    expect(world.relay.state.access.tokens.stretched).toBeGreaterThan(0);
  });
});

describe('at the edge, when the upstream is back', () => {
  it('reads are as true as ever, and say nothing of their age', async () => {
    await away();
    expect((await ask(ANN, PATH)).headers).toHaveProperty('warning');
    await back();
    await world.write('a', { n: '2' });
    await vi.waitFor(async () => {
      const { text, headers } = await ask(ANN, PATH);
      expect(headers).not.toHaveProperty('warning');
      expect(text).toContain('"n":"2"');
    }, WAIT);
  });

  it('a watch that began meanwhile ends at once when nobody has its token any more', async () => {
    await away();
    const cluster = await world.through(ANN);
    const stream = cluster.watch(configMaps, { namespace: 'default', resourceVersion: '0', timeoutSeconds: 3000 });
    const ended = (async () => {
      for await (const _ of stream);
      return 'ended';
    })().catch(() => 'ended');
    await vi.waitFor(() => expect(world.relay.state.kinds[0]?.watchers).toBe(1), WAIT);
    await back({ forgets: ANN });
    expect(await ended).toBe('ended');
    expect((await ask(ANN, PATH)).status).toBe(401);
  });

  it('rights that were taken away meanwhile are gone', async () => {
    await away();
    expect((await ask(ANN, PATH)).status).toBe(200);
    const roles = engine.range.bind(engine);
    const { entries } = await roles('/registry/clusterrolebindings/');
    const binding = entries.find(({ key }) => key.includes('ann-reader'));
    await engine.commit({ type: 'delete', key: binding?.key ?? '' });
    await back();
    await vi.waitFor(async () => expect((await ask(ANN, PATH)).status).toBe(403), WAIT);
  });
});

it('a relay that is restarted meanwhile goes on from its journal, for those who were known', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'listwatch-relay-edge-'));
  try {
    const journal = { folder, key: Buffer.alloc(32, 1) };
    const options = { clock, journal, staleReads: true, stretchAccessMs: HOUR_MS };
    await world.stopRelay();
    await world.startRelay(['configmaps'], {}, options);
    await vi.waitFor(() => expect(world.relay.state.access.signal).toBe(true), WAIT);
    await clock.advance(1000);
    expect((await ask(ANN, PATH)).status).toBe(200);
    await away();
    await world.stopRelay();
    await world.startRelay(['configmaps'], {}, options);
    const { status, text, headers } = await ask(ANN, PATH);
    expect([status, text.includes('"name":"a"')]).toEqual([200, true]);
    expect(headers).toHaveProperty('age');
    expect((await ask(BOB, PATH)).status).toBe(503);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

it('without staleReads what must be true now is refused, and after its time everything', async () => {
  await world.stopRelay();
  await world.startRelay(['configmaps'], {}, { clock, stretchAccessMs: HOUR_MS });
  await vi.waitFor(() => expect(world.relay.state.access.signal).toBe(true), WAIT);
  await clock.advance(1000);
  expect((await ask(ANN, `${PATH}?resourceVersion=0`)).status).toBe(200);
  await away();
  expect((await ask(ANN, PATH)).status).toBe(504);
  expect((await ask(ANN, `${PATH}/a`)).status).toBe(504);
  expect((await ask(ANN, `${PATH}?resourceVersion=0`)).status).toBe(200);
  await clock.advance(HOUR_MS);
  expect((await ask(ANN, `${PATH}?resourceVersion=0`)).status).toBe(503);
});
