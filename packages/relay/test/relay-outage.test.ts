import { configMaps } from '@listwatch/kinds';
import { createMemoryEngine } from '@listwatch/storage';
import { expect, it, vi } from 'vitest';
import type { RelayChanges } from '../src/start/create-relay.ts';
import { ADMIN, RelayWorld, versionIn } from './relay-world.fixture.ts';

const PATH = '/api/v1/namespaces/default/configmaps';
const WAIT = { timeout: 20_000 };

it('while the upstream is away a relay says how old its answers are, refuses what must be new, and goes on without a list', async () => {
  const engine = createMemoryEngine();
  // The administrator was let in a moment ago, however long the upstream takes to end here.
  const admin = { name: 'admin', groups: ['system:masters'] };
  const changes: RelayChanges = {
    authenticator: (real) => ({
      authenticate: async (shown) => (shown.token === ADMIN ? admin : real.authenticate(shown)),
    }),
    authorizer: (real) => ({
      authorize: async (asked) => (asked.user.name === admin.name ? { allowed: true } : real.authorize(asked)),
    }),
  };
  await using world = await RelayWorld.start({ engine, changes });
  await world.write('a', { n: '1' });
  await vi.waitFor(async () => expect((await world.ask(ADMIN, `${PATH}/a?resourceVersion=0`)).status).toBe(200), WAIT);
  const [before] = world.relay.state.kinds.map(({ feed }) => ({ ...feed }));
  const cluster = await world.through(ADMIN);
  const from = versionIn((await world.ask(ADMIN, `${PATH}/a?resourceVersion=0`)).text);
  const stream = cluster.watch(configMaps, { namespace: 'default', resourceVersion: from, timeoutSeconds: 300 });
  const next = stream[Symbol.asyncIterator]().next();
  // It is awaited below. What fails before that ends it, and must not be hidden by its error.
  next.catch(() => {});
  await vi.waitFor(() => expect(world.relay.state.kinds[0]?.watchers).toBe(1), WAIT);
  await world.stopUpstream();
  await vi.waitFor(() => expect(world.relay.state.kinds[0]?.state).toBe('away'), WAIT);
  const old = await world.ask(ADMIN, `${PATH}?resourceVersion=0`);
  expect(old.status).toBe(200);
  expect(old.headers['warning']).toMatch(
    /^299 - "the upstream server has not answered for \d+ s; this may be as old as that"$/u,
  );
  expect(old.text).toContain('"name":"a"');
  const passed = await world.ask(ADMIN, PATH);
  expect(passed.status).toBeGreaterThanOrEqual(502);
  // Nobody new is let in: it cannot be asked who they are.
  expect((await world.ask('ann-token', `${PATH}?resourceVersion=0`)).status).toBe(503);
  // What is not there may have been made meanwhile: only the upstream knows.
  expect((await world.ask(ADMIN, `${PATH}/nope?resourceVersion=0`)).status).toBeGreaterThanOrEqual(502);
  expect(world.relay.state.kinds[0]?.watchers).toBe(1);
  await world.restartUpstream(engine);
  await world.write('a', { n: '2' });
  expect((await next).value).toMatchObject({ type: 'MODIFIED', object: { data: { n: '2' } } });
  const feed = world.relay.state.kinds[0]?.feed;
  expect(feed?.loads).toBe(before?.loads);
  // Before it goes on it asks whether the server is still the same.
  expect(feed?.checks).toBeGreaterThan(before?.checks ?? 0);
  const fresh = await world.ask(ADMIN, `${PATH}?resourceVersion=0`);
  expect(fresh.headers).not.toHaveProperty('warning');
  await stream[Symbol.asyncDispose]();
}, 60_000);
