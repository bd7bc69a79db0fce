import { setImmediate as nextTurn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import {
  type AbortOptions,
  type Change,
  type CommitResult,
  createMemoryEngine,
  type RangeOptions,
  type RangeResult,
  type StorageEngine,
} from '@listwatch/storage';
import { ForwardingEngine } from '@listwatch/storage/internal';
import { beforeEach, describe, expect, it, vi } from 'vitest';

import { InProcessServer } from '../../start/in-process-server.fixture.ts';

import { type Body, VerbFixture } from '../verb.fixture.ts';

const MAPS = '/api/v1/namespaces/x/configmaps';

let server: VerbFixture;

beforeEach(async () => {
  server = await new VerbFixture().namespace();
  await server.namespace('xy');
  for (const [name, tier] of [
    ['a', 'front'],
    ['b', 'back'],
    ['c', 'back'],
  ]) {
    await server.ok('POST', MAPS, { body: { metadata: { name, labels: { tier } }, data: { n: name } } });
  }
  await server.ok('POST', '/api/v1/namespaces/xy/configmaps', { body: { metadata: { name: 'a' } } });
});

function names(list: Body): string {
  return list.items.map((item: Body) => item.metadata.name).join('');
}

async function left(): Promise<string> {
  const { entries } = await server.context.store.engine.range('/registry/configmaps/');
  return entries.map(({ key }) => key.slice('/registry/configmaps/'.length)).join(' ');
}

function token(start: string): string {
  return Buffer.from(JSON.stringify({ v: 'meta.k8s.io/v1', rv: -1, start })).toString('base64url');
}

/** Counts the objects that a reader of the store still holds when something is deleted. */
class CountingEngine extends ForwardingEngine {
  heldAtDelete: number | undefined;
  readonly #read: WeakRef<object>[] = [];
  readonly #collect: () => void;

  constructor(engine: StorageEngine, collect: () => void) {
    super(engine);
    this.#collect = collect;
  }

  override async range(prefix: string, options?: RangeOptions): Promise<RangeResult> {
    const result = await super.range(prefix, options);
    const entries = result.entries.map((entry) => ({ ...entry }));
    for (const entry of entries) this.#read.push(new WeakRef(entry));
    return { ...result, entries };
  }

  override async commit(change: Change, options?: AbortOptions): Promise<CommitResult> {
    if (change.type === 'delete' && this.heldAtDelete === undefined) {
      // A weak reference holds its object until the end of the turn.
      await nextTurn();
      this.#collect();
      this.heldAtDelete = this.#read.filter((entry) => entry.deref() !== undefined).length;
    }
    return super.commit(change, options);
  }
}

describe('deletecollection of a large collection', () => {
  it('holds its keys and not its objects, and answers with all of it', async () => {
    setFlagsFromString('--expose-gc');
    const collect: () => void = runInNewContext('gc');
    await using store = createMemoryEngine();
    const engine = new CountingEngine(store, collect);
    await using large = await InProcessServer.start({ engine });
    const all = Array.from({ length: 600 }, (_, n) => `c${String(n).padStart(4, '0')}`);
    const maps = '/api/v1/namespaces/default/configmaps';
    for (const name of all) await large.ok('POST', maps, { metadata: { name } });
    const list = await large.ok('DELETE', maps);
    expect(list.items.map((item: Body) => item.metadata.name)).toEqual(all);
    expect(list).toMatchObject({ kind: 'ConfigMapList', apiVersion: 'v1' });
    expect((await store.range('/registry/configmaps/default/')).count).toBe(0);
    expect(engine.heldAtDelete).toBeLessThan(100);
  });
});

describe('deletecollection', () => {
  it.each([
    ['', 'abc', 'xy/a'],
    ['?labelSelector=tier%3Dback', 'bc', 'x/a xy/a'],
    ['?labelSelector=tier%3Dback&fieldSelector=metadata.name!%3Db', 'c', 'x/a x/b xy/a'],
    ['?fieldSelector=metadata.name%3Dnope', '', 'x/a x/b x/c xy/a'],
    ['?limit=2', 'ab', 'x/c xy/a'],
    ['?dryRun=All', 'abc', 'x/a x/b x/c xy/a'],
  ])('%s deletes %s', async (query, deleted, remaining) => {
    const before = await server.revision();
    const { status, body } = await server.call('DELETE', `${MAPS}${query}`);
    expect([status, body.kind, body.apiVersion, names(body)]).toEqual([200, 'ConfigMapList', 'v1', deleted]);
    expect(body.metadata.resourceVersion).toBe(before);
    expect(await left()).toBe(remaining);
  });

  it('answers with the objects as they were, without kind and apiVersion', async () => {
    const { kind: _kind, apiVersion: _apiVersion, ...item } = await server.ok('GET', `${MAPS}/a`);
    expect((await server.ok('DELETE', `${MAPS}?fieldSelector=metadata.name%3Da`)).items).toEqual([item]);
  });

  it('goes on where a limit ended it', async () => {
    const first = await server.ok('DELETE', `${MAPS}?limit=2&dryRun=All`);
    const rest = await server.ok('DELETE', `${MAPS}?continue=${first.metadata.continue}`);
    expect([names(rest), await left()]).toEqual(['c', 'x/a x/b xy/a']);
    expect(rest.metadata.continue).toBeUndefined();
  });

  it('reads more objects than a page holds', async () => {
    for (let index = 0; index < 1100; index++) {
      const body = { metadata: { name: `m${index}`, labels: index % 2 === 0 ? { even: '' } : {} } };
      await server.ok('POST', MAPS, { body });
    }
    expect((await server.ok('DELETE', `${MAPS}?labelSelector=even`)).items).toHaveLength(550);
    expect((await server.ok('DELETE', MAPS)).items).toHaveLength(553);
    expect(await left()).toBe('xy/a');
  });

  it('asks for another turn again and again while it looks for what the selectors match', async () => {
    for (let index = 0; index < 100; index++)
      await server.ok('POST', MAPS, { body: { metadata: { name: `m${index}` } } });
    let turns = 0;
    // Each look at the time finds that a millisecond has passed.
    let now = 0;
    vi.spyOn(performance, 'now').mockImplementation(() => (now += 1));
    const list = await server.ok('DELETE', `${MAPS}?labelSelector=no`, { onTurn: () => (turns += 1) });
    vi.restoreAllMocks();
    expect(list.items).toEqual([]);
    expect(turns).toBeGreaterThanOrEqual(4);
  });

  it('deletes in the order of names on a store that takes commits in any order', async () => {
    const engine = createMemoryEngine();
    const deleted: string[] = [];
    // The first delete takes longest, the last one none.
    let waits = 3;
    const commit = async (change: Change): Promise<CommitResult> => {
      if (change.type === 'delete') {
        waits -= 1;
        for (let turns = waits * 5; turns > 0; turns -= 1) await nextTurn();
        deleted.push(change.key);
      }
      return engine.commit(change);
    };
    const capabilities = { ...engine.capabilities, shared: true };
    const shared: StorageEngine = {
      capabilities,
      commit,
      revision: (options) => engine.revision(options),
      get: (key, options) => engine.get(key, options),
      range: (prefix, options) => engine.range(prefix, options),
      watch: (prefix, options) => engine.watch(prefix, options),
      compact: (revision, options) => engine.compact(revision, options),
      close: () => engine.close(),
      [Symbol.asyncDispose]: () => engine.close(),
    };
    server = await new VerbFixture(shared).namespace();
    for (const name of ['a', 'b', 'c']) await server.ok('POST', MAPS, { body: { metadata: { name } } });
    await server.ok('DELETE', MAPS);
    expect(deleted.map((key) => key.at(-1))).toEqual(['a', 'b', 'c']);
  });

  it('leaves what a finalizer holds, marked', async () => {
    const held = { metadata: { name: 'held', finalizers: ['example.com/x'] } };
    await server.ok('POST', MAPS, { body: held });
    await server.ok('DELETE', MAPS);
    expect(await left()).toBe('x/held xy/a');
    expect((await server.ok('GET', `${MAPS}/held`)).metadata.deletionTimestamp).toBeDefined();
  });

  it('two at the same time do each other no harm', async () => {
    const answers = await Promise.all([server.call('DELETE', MAPS), server.call('DELETE', MAPS)]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(await left()).toBe('xy/a');
  });

  it.each([
    ['?labelSelector=%3D', 400, /^found '=', expected: !, identifier, or 'end of string'$/],
    ['?fieldSelector=data.k%3Dv', 400, /^"data.k" is not a known field selector/],
    ['?limit=x', 400, /^strconv.ParseInt: parsing "x": invalid syntax$/],
    ['?resourceVersion=abc', 400, /^invalid resource version: /],
    ['?resourceVersion=1000', 504, /^Timeout: Too large resource version: 1000, current: \d+$/],
    ['?resourceVersion=1000&limit=1', 504, /^Timeout: Too large resource version: 1000, current: \d+$/],
    ['?resourceVersionMatch=Exact', 422, /^ListOptions.meta.k8s.io "" is invalid: /],
    ['?continue=zzz', 400, /continue/],
    [`?continue=${token('k'.repeat(3000))}`, 400, /^continue key is not valid$/],
    [`?continue=${token('\ud800')}`, 400, /^continue key is not valid$/],
    ['?dryRun=x', 422, /^DeleteOptions.meta.k8s.io "" is invalid: /],
  ])('%.60s deletes nothing: %i', async (query, status, message) => {
    const answer = await server.call('DELETE', `${MAPS}${query}`);
    expect([answer.status, answer.body.message]).toEqual([status, expect.stringMatching(message)]);
    expect(await left()).toBe('x/a x/b x/c xy/a');
  });

  it('in a namespace that no key could hold finds nothing', async () => {
    const list = await server.ok('DELETE', `/api/v1/namespaces/${'n'.repeat(2000)}/configmaps`);
    expect(list.items).toEqual([]);
  });

  it('of a kind in namespaces needs one: 405', async () => {
    expect((await server.call('DELETE', '/api/v1/configmaps')).status).toBe(405);
  });
});
