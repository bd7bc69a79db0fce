import { type Change, createMemoryEngine, type Entry, requireCommitted, StorageError } from '@listwatch/storage';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { storedObjectKey } from '../stored/requested-key.ts';
import { VerbFixture } from './verb.fixture.ts';

const NAMESPACE = '/api/v1/namespaces/x';
const CONFIG_MAPS = `${NAMESPACE}/configmaps`;

/** What the cache has: as old as the test wants it to be. */
const cache = new Map<string, Entry>();
let fixture: VerbFixture;

beforeEach(async () => {
  cache.clear();
  const memory = createMemoryEngine();
  const capabilities = { ...memory.capabilities, shared: true };
  const engine = Object.assign(memory, { capabilities });
  fixture = await new VerbFixture(engine, { store: { cached: (_, key) => cache.get(key) } }).namespace();
  await refresh();
  await fixture.ok('POST', CONFIG_MAPS, { body: { metadata: { name: 'a' } } });
  await refresh();
});

/** Brings the cache up to date. */
async function refresh(): Promise<void> {
  const { entries } = await fixture.context.store.engine.range('');
  cache.clear();
  for (const entry of entries) cache.set(entry.key, entry);
}

function namespaceKey(): string {
  const namespaces = fixture.context.kinds.find('', 'v1', 'namespaces');
  if (namespaces === undefined) throw new Error('no namespaces');
  return storedObjectKey(namespaces, { namespace: '', name: 'x' });
}

/** Changes the namespace behind the back of this server, as another server does. */
async function changeNamespace(change: (namespace: Record<string, unknown>) => void): Promise<void> {
  const { engine } = fixture.context.store;
  const key = namespaceKey();
  const { entry } = await engine.get(key);
  const object = JSON.parse(Buffer.from(entry?.value ?? []).toString());
  change(object);
  requireCommitted(await engine.commit({ type: 'put', key, value: Buffer.from(JSON.stringify(object)) }), key);
}

const terminating = (namespace: Record<string, unknown>): void => {
  namespace['status'] = { phase: 'Terminating' };
};

async function callsOf(work: () => Promise<unknown>): Promise<readonly string[]> {
  const { engine } = fixture.context.store;
  const spies = (['get', 'commit', 'range', 'revision'] as const).map((name) => vi.spyOn(engine, name));
  await work();
  const calls = spies.flatMap((spy) => spy.mock.calls.map(() => spy.getMockName()));
  for (const spy of spies) spy.mockRestore();
  return calls;
}

describe('with a cache at hand', () => {
  it('a create, an update, a patch and a delete are one call to the store each', async () => {
    const type = 'application/merge-patch+json';
    const requests: readonly (() => Promise<unknown>)[] = [
      () => fixture.ok('POST', CONFIG_MAPS, { body: { metadata: { name: 'b' } } }),
      () => fixture.ok('PUT', `${CONFIG_MAPS}/b`, { body: { metadata: { name: 'b' }, data: { k: 'v' } } }),
      () => fixture.ok('PATCH', `${CONFIG_MAPS}/b`, { type, body: { data: { k: 'w' } } }),
      () => fixture.ok('DELETE', `${CONFIG_MAPS}/b`),
    ];
    for (const request of requests) {
      expect(await callsOf(request)).toEqual(['commit']);
      await refresh();
    }
  });

  it('a namespace that has changed and is open takes the object', async () => {
    await changeNamespace((namespace) => {
      namespace['data'] = 'else';
    });
    expect((await fixture.call('POST', CONFIG_MAPS, { body: { metadata: { name: 'b' } } })).status).toBe(201);
  });

  it('a namespace that another server has deleted takes nothing, whatever the cache says', async () => {
    await changeNamespace(terminating);
    for (const name of ['b', 'a']) {
      const { status, body } = await fixture.call('POST', CONFIG_MAPS, { body: { metadata: { name } } });
      expect([status, body.reason]).toEqual([403, 'Forbidden']);
      expect(body.details.causes[0].reason).toBe('NamespaceTerminating');
    }
    await fixture.context.store.engine.commit({ type: 'delete', key: namespaceKey() });
    const gone = await fixture.call('POST', CONFIG_MAPS, { body: { metadata: { name: 'b' } } });
    expect([gone.status, gone.body.details.kind]).toEqual([404, 'namespaces']);
    expect((await fixture.context.store.engine.range('')).entries.filter(({ key }) => key.endsWith('/b'))).toEqual([]);
  });

  it('a name that is taken is a 409, and a dry run reads the store', async () => {
    const taken = await fixture.call('POST', CONFIG_MAPS, { body: { metadata: { name: 'a' } } });
    expect([taken.status, taken.body.reason]).toEqual([409, 'AlreadyExists']);
    await changeNamespace(terminating);
    const dry = await fixture.call('POST', `${CONFIG_MAPS}?dryRun=All`, { body: { metadata: { name: 'b' } } });
    expect(dry.status).toBe(403);
  });

  it('an update that names a version the cache has not seen yet is taken, and an outdated one is a 409', async () => {
    const old = (await fixture.ok('PUT', `${CONFIG_MAPS}/a`, { body: { metadata: { name: 'a' }, data: { n: '1' } } }))
      .metadata.resourceVersion;
    const newer = { metadata: { name: 'a', resourceVersion: old }, data: { n: '2' } };
    expect((await fixture.call('PUT', `${CONFIG_MAPS}/a`, { body: newer })).status).toBe(200);
    const stale = await fixture.call('PUT', `${CONFIG_MAPS}/a`, { body: newer });
    expect([stale.status, stale.body.reason]).toEqual([409, 'Conflict']);
  });

  it('an object that is gone from the store is a 404 for an update and a delete', async () => {
    await fixture.ok('DELETE', `${CONFIG_MAPS}/a`);
    const body = { metadata: { name: 'a', uid: 'uid-2' } };
    const update = await fixture.call('PUT', `${CONFIG_MAPS}/a`, { body });
    const removal = await fixture.call('DELETE', `${CONFIG_MAPS}/a`);
    expect([update.status, removal.status]).toEqual([409, 404]);
  });

  it.each([
    ['PUT', { metadata: { name: 'a' }, data: { k: 'new' } }],
    ['PATCH', { data: { k: 'new' } }],
    ['DELETE', undefined],
  ])('a %s of unknown outcome that was made is not made again, and is no refusal', async (method, body) => {
    const { engine } = fixture.context.store;
    const made = engine.commit.bind(engine);
    const lost = vi.spyOn(engine, 'commit').mockImplementation(async (change: Change) => {
      await made(change);
      throw new StorageError('UNAVAILABLE', 'the connection was lost', { uncertain: true });
    });
    const how = method === 'PATCH' ? { type: 'application/merge-patch+json' } : {};
    const { status } = await fixture.call(method, `${CONFIG_MAPS}/a`, { ...how, body });
    expect([status, lost.mock.calls.length]).toEqual([504, 1]);
    lost.mockRestore();
    const { status: now, body: object } = await fixture.call('GET', `${CONFIG_MAPS}/a`);
    expect(method === 'DELETE' ? now : object.data).toEqual(method === 'DELETE' ? 404 : { k: 'new' });
  });
});
