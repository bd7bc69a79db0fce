import { configMaps } from '@listwatch/kinds';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { FedCache } from '../src/feed/fed-cache.ts';
import { ADMIN, RelayWorld, versionIn } from './relay-world.fixture.ts';

const PATH = '/api/v1/namespaces/default/configmaps';
const WAIT = { timeout: 20_000 };
let world: RelayWorld;

beforeAll(async () => {
  world = await RelayWorld.start({ kinds: ['configmaps', 'pods', 'events'] });
  for (const name of ['a', 'b', 'c']) await world.write(name, { of: name });
}, 60_000);

afterAll(async () => {
  await world?.[Symbol.asyncDispose]();
});

/** What comes from the upstream waits, in its order, until it is released. */
function holdFeeds(): { readonly held: number; readonly waiting: number; release(): void } {
  const waiting: (() => void)[] = [];
  // oxlint-disable-next-line typescript/unbound-method -- they are called with the object of each call
  const { change, prove } = FedCache.prototype;
  const spies = [
    vi.spyOn(FedCache.prototype, 'change').mockImplementation(function (this: FedCache, events) {
      waiting.push(() => change.call(this, events));
    }),
    vi.spyOn(FedCache.prototype, 'prove').mockImplementation(function (this: FedCache, revision) {
      waiting.push(() => prove.call(this, revision));
    }),
  ];
  const reached = vi.spyOn(FedCache.prototype, 'reached');
  return {
    get held() {
      return waiting.length;
    },
    /** Requests that have come as far as to wait for a version. */
    get waiting() {
      return reached.mock.calls.length;
    },
    release() {
      for (const spy of [...spies, reached]) spy.mockRestore();
      for (const apply of waiting.splice(0)) apply();
    },
  };
}

/** How many reads came from the cache. */
const cached = (): number => world.relay.state.reads.cached.reduce((sum, { count }) => sum + count, 0);

/** Asks both, and says whether the relay answered from its cache. */
async function both(path: string, headers: Readonly<Record<string, string>> = {}): Promise<boolean> {
  const before = cached();
  const through = await world.ask(ADMIN, path, headers);
  const fromCache = cached() > before;
  const direct = await world.askUpstream(ADMIN, path, headers);
  expect([through.status, through.text]).toEqual([direct.status, direct.text]);
  expect(through.headers['content-type']).toBe(direct.headers['content-type']);
  return fromCache;
}

describe('answers are those of the upstream', () => {
  it.each([
    ['a list at any version', `${PATH}?resourceVersion=0`],
    ['a list of all namespaces', '/api/v1/configmaps?resourceVersion=0'],
    ['a list by label', `${PATH}?resourceVersion=0&labelSelector=app%20in%20(a,b)`],
    ['a list by name', `${PATH}?resourceVersion=0&fieldSelector=metadata.name%3Db`],
    ['an object at any version', `${PATH}/a?resourceVersion=0`],
    ['an object that is not there', `${PATH}/nope?resourceVersion=0`],
  ])('%s comes from the cache, byte for byte', async (_, path) => {
    const version = await world.write('latest');
    await vi.waitFor(() => expect(world.relay.state.kinds[0]?.resourceVersion).toBe(version), WAIT);
    expect(await both(path)).toBe(true);
  });

  it.each([
    ['metadata', 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io'],
    ['a Table', 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json'],
  ])('a list as %s comes from the cache', async (_, accept) => {
    const version = await world.write('latest');
    await vi.waitFor(() => expect(world.relay.state.kinds[0]?.resourceVersion).toBe(version), WAIT);
    // A second may pass between both answers, and with it the age of a row.
    await vi.waitFor(async () => expect(await both(`${PATH}?resourceVersion=0`, { accept })).toBe(true), WAIT);
  });

  it.each<readonly [string, string, Readonly<Record<string, string>>]>([
    ['an object as it is now', `${PATH}/a`, {}],
    ['another kind', '/api/v1/namespaces/default/secrets?resourceVersion=0', {}],
    ['an unknown option', `${PATH}?resourceVersion=0&pretty=true`, {}],
    ['an escaped path', '/api/v1/namespaces/default/config%6Daps?resourceVersion=0', {}],
    ['YAML', `${PATH}?resourceVersion=0`, { accept: 'application/yaml' }],
    ['a subresource', '/api/v1/namespaces/default/pods/x/log', {}],
    ['discovery', '/apis', {}],
    ['an unknown path', '/nope', {}],
    ['a wrong option', `${PATH}?resourceVersion=nope`, {}],
    ['a wrong token', `${PATH}?limit=1&continue=nope`, {}],
    ['a wrong match', `${PATH}?resourceVersionMatch=Exact`, {}],
    ['a field that no kind has', `${PATH}?resourceVersion=0&fieldSelector=spec.nope%3D1`, {}],
  ])('%s is passed on', async (_, path, headers) => {
    expect(await both(path, headers)).toBe(false);
  });
});

describe('what is true now', () => {
  const streamed = 'watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true';

  it.each([
    ['a list', PATH],
    ['a list of all namespaces', '/api/v1/configmaps'],
    ['a list by label', `${PATH}?labelSelector=app%20in%20(a,b)`],
    ['a list by name', `${PATH}?fieldSelector=metadata.name%3Db`],
    ['a page', `${PATH}?limit=1`],
  ])('%s of it comes from the cache after each write, byte for byte', async (_, path) => {
    for (let i = 0; i < 3; i += 1) {
      await world.write('now', { i: String(i) });
      expect(await both(path)).toBe(true);
    }
    expect((await world.ask(ADMIN, `${PATH}?fieldSelector=metadata.name=now`)).text).toContain('"i":"2"');
  });

  it('also while only other kinds change: the upstream tells the feed how far it is', async () => {
    for (let i = 0; i < 3; i += 1) {
      await world.direct('POST', '/api/v1/namespaces', { metadata: { name: `other-${i}` } });
      expect(await both(PATH)).toBe(true);
    }
    const { proofs } = world.relay.state.kinds[0] ?? {};
    expect(proofs?.beats).toEqual({ opened: 0, proven: 0 });
  });

  it('comes in pages, of which each is at the version of the first, whoever gave it', async () => {
    for (const firstFrom of ['relay', 'upstream'] as const) {
      const ask = firstFrom === 'relay' ? world.ask.bind(world) : world.askUpstream.bind(world);
      const first = JSON.parse((await ask(ADMIN, `${PATH}?limit=2`)).text);
      await world.write('between', { first: firstFrom });
      await vi.waitFor(async () => {
        const next = `${PATH}?limit=2&continue=${first.metadata.continue}`;
        expect(await both(next)).toBe(true);
      }, WAIT);
      const next = JSON.parse((await world.ask(ADMIN, `${PATH}?limit=2&continue=${first.metadata.continue}`)).text);
      expect(next.metadata.resourceVersion).toBe(first.metadata.resourceVersion);
    }
  });

  it.each([
    ['a streamed list', streamed],
    ['a watch without a version', 'watch=true&allowWatchBookmarks=true'],
  ])('%s has all objects, and its end marker at a version that has every write before it', async (_, query) => {
    const before = cached();
    const version = await world.write('streamed', { at: query });
    const { text } = await world.ask(ADMIN, `${PATH}?${query}&timeoutSeconds=1`);
    const events = text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line));
    const end = events.findIndex(({ object }) => object.metadata.annotations?.['k8s.io/initial-events-end'] === 'true');
    const objects = new Map(events.slice(0, end).map(({ object }) => [object.metadata.name, object]));
    expect(Number(events[end]?.object.metadata.resourceVersion)).toBeGreaterThanOrEqual(Number(version));
    expect(objects.get('streamed')?.data).toEqual({ at: query });
    expect(cached()).toBe(before + 1);
  });

  it('a watch without a version and without bookmarks begins with the state of now', async () => {
    await world.write('plain', { state: 'newest' });
    const before = cached();
    const { text } = await world.ask(ADMIN, `${PATH}?watch=true&timeoutSeconds=1`);
    expect(text).toContain('"state":"newest"');
    expect(cached()).toBe(before + 1);
  });
});

it('a list not older than a write shows it, as soon as the write is answered', async () => {
  for (let i = 0; i < 5; i += 1) {
    const version = await world.write('mine', { i: String(i) });
    const { status, text } = await world.ask(
      ADMIN,
      `${PATH}?resourceVersion=${version}&fieldSelector=metadata.name=mine`,
    );
    expect(status).toBe(200);
    expect(text).toContain(`"i":"${i}"`);
  }
});

it.each([
  ['a list', `${PATH}?fieldSelector=metadata.name=late&`],
  ['an object', `${PATH}/late?`],
])('%s not older than a write waits until the feed has it, however late that is', async (_, path) => {
  await vi.waitFor(async () => {
    const version = await world.write('late', { state: 'before' });
    expect(world.relay.state.kinds[0]?.resourceVersion).toBe(version);
  }, WAIT);
  const feed = holdFeeds();
  try {
    const version = await world.write('late', { state: 'after' });
    await vi.waitFor(() => expect(feed.held).toBeGreaterThan(0), WAIT);
    expect((await world.ask(ADMIN, `${path}resourceVersion=0`)).text).toContain('"state":"before"');
    const before = cached();
    const asked = world.ask(ADMIN, `${path}resourceVersion=${version}`);
    // It waits for 3 s at most, and then passes.
    await vi.waitFor(() => expect(feed.waiting).toBe(1), { ...WAIT, interval: 5 });
    feed.release();
    expect((await asked).text).toContain('"state":"after"');
    expect(cached()).toBe(before + 1);
  } finally {
    feed.release();
  }
});

it('a list at a version in the window shows that version, and one that the relay never had is passed on', async () => {
  const first = await world.write('exact', { state: 'one' });
  await world.write('exact', { state: 'two' });
  const at = `${PATH}?resourceVersion=${first}&resourceVersionMatch=Exact`;
  await vi.waitFor(async () => expect(await both(at)).toBe(true), WAIT);
  expect((await world.ask(ADMIN, at)).text).toContain('"state":"one"');
  expect(await both(`${PATH}?resourceVersion=1&resourceVersionMatch=Exact`)).toBe(false);
});

it('a watch from a version has every later change once, with the versions of the upstream', async () => {
  const from = await world.write('watched', { n: '0' });
  const cluster = await world.through(ADMIN);
  const seen: string[] = [];
  const versions: string[] = [];
  const stream = cluster.watch(configMaps, { namespace: 'default', resourceVersion: from, timeoutSeconds: 60 });
  const reading = (async () => {
    for await (const event of stream) {
      if (event.type === 'BOOKMARK' || event.type === 'ERROR') continue;
      seen.push(`${event.type} ${event.object.data?.['n']}`);
      versions.push(event.object.metadata.resourceVersion ?? '');
      if (event.type === 'DELETED') return;
    }
  })();
  const written: string[] = [];
  for (const n of ['1', '2', '3']) written.push(await world.write('watched', { n }));
  const gone = await world.direct('DELETE', `${PATH}/watched`);
  expect(gone.status).toBe(200);
  await reading;
  expect(seen).toEqual(['MODIFIED 1', 'MODIFIED 2', 'MODIFIED 3', 'DELETED 3']);
  expect(versions.slice(0, 3)).toEqual(written);
  await stream[Symbol.asyncDispose]();
  expect(world.relay.state.reads.cached).toContainEqual(expect.objectContaining({ kind: 'configmaps', verb: 'watch' }));
});

it('a watch from before the window is told that it has expired, as by a server that was restarted', async () => {
  const { text } = await world.ask(ADMIN, `${PATH}?watch=true&resourceVersion=1&timeoutSeconds=5`);
  expect(JSON.parse(text)).toMatchObject({ type: 'ERROR', object: { code: 410, reason: 'Expired' } });
});

it('upstream has one watch of a kind, however many watch the relay', async () => {
  const cluster = await world.through(ADMIN);
  const version = await world.write('fan');
  const streams = Array.from({ length: 20 }, () =>
    cluster.watch(configMaps, { namespace: 'default', resourceVersion: version, timeoutSeconds: 60 }),
  );
  const firsts = streams.map(async (stream) => (await stream[Symbol.asyncIterator]().next()).value);
  await vi.waitFor(() => expect(world.relay.state.kinds[0]?.watchers).toBe(20), WAIT);
  await world.write('fan', { now: 'changed' });
  for (const event of await Promise.all(firsts)) expect(event).toMatchObject({ type: 'MODIFIED' });
  expect(await world.upstreamWatches('configmaps')).toBe(1);
  for (const stream of streams) await stream[Symbol.asyncDispose]();
});

describe('access', () => {
  it('is judged by the upstream, also before a 404', async () => {
    expect((await world.ask('ann-token', `${PATH}?resourceVersion=0`)).status).toBe(403);
    const refused = await world.ask('ann-token', `${PATH}/nope?resourceVersion=0`);
    const direct = await world.askUpstream('ann-token', `${PATH}/nope?resourceVersion=0`);
    expect([refused.status, JSON.parse(refused.text)]).toEqual([403, JSON.parse(direct.text)]);
    expect((await world.ask('nobody-token', `${PATH}?resourceVersion=0`)).status).toBe(401);
  });

  it('that is taken away ends a watch, and later reads are refused', async () => {
    await world.bind('bob', 'reader');
    await vi.waitFor(
      async () => expect((await world.ask('bob-token', `${PATH}?resourceVersion=0`)).status).toBe(200),
      WAIT,
    );
    const cluster = await world.through('bob-token');
    const version = versionIn((await world.direct('GET', PATH)).text);
    const stream = cluster.watch(configMaps, { namespace: 'default', resourceVersion: version, timeoutSeconds: 300 });
    const ended = (async () => {
      for await (const _ of stream);
    })();
    await vi.waitFor(() => expect(world.relay.state.kinds[0]?.watchers).toBe(1), WAIT);
    await vi.waitFor(() => expect(world.relay.state.access.signal).toBe(true), WAIT);
    await world.direct('DELETE', '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings/bob-reader');
    await ended;
    expect(world.relay.state.access.watches.ended).toBe(1);
    expect((await world.ask('bob-token', `${PATH}?resourceVersion=0`)).status).toBe(403);
  }, 60_000);

  it('of a user who may see one name gives that name alone', async () => {
    const group = 'rbac.authorization.k8s.io';
    const rules = [
      { apiGroups: [''], resources: ['configmaps'], resourceNames: ['a'], verbs: ['get', 'list', 'watch'] },
    ];
    await world.direct('POST', `/apis/${group}/v1/clusterroles`, {
      apiVersion: `${group}/v1`,
      kind: 'ClusterRole',
      metadata: { name: 'one' },
      rules,
    });
    await world.bind('cat', 'one');
    const one = `${PATH}?resourceVersion=0&fieldSelector=metadata.name%3Da`;
    await vi.waitFor(async () => expect((await world.ask('cat-token', one)).status).toBe(200), WAIT);
    expect((await world.ask('cat-token', one.replace('%3Da', '%3Db'))).status).toBe(403);
    expect((await world.ask('cat-token', `${PATH}?resourceVersion=0`)).status).toBe(403);
    expect((await world.ask('cat-token', `${PATH}/a?resourceVersion=0`)).status).toBe(200);
    expect((await world.ask('cat-token', `${PATH}/b?resourceVersion=0`)).status).toBe(403);
  });

  it('is never that of the relay: a request without a token, and one with front-proxy headers, is anonymous upstream', async () => {
    for (const path of [PATH, `${PATH}?resourceVersion=0`]) {
      const headers = { 'x-remote-user': 'admin', 'x-remote-group': 'system:masters' };
      const { status } = await world.anonymous(path, headers);
      expect(status).toBe(403);
    }
  });
});

it('the server that everything came from can be used without the relay', async () => {
  const { text } = await world.ask(ADMIN, `${PATH}?resourceVersion=0`);
  const version = versionIn(text);
  const direct = await world.direct('GET', `${PATH}?watch=true&resourceVersion=${version}&timeoutSeconds=1`);
  expect(direct.status).toBe(200);
  expect(direct.text).not.toContain('ERROR');
});

it('nothing unforeseen happened', () => {
  expect(world.errors).toEqual([]);
});
