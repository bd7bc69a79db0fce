import { decodeContinueToken, encodeContinueToken } from '@listwatch/api';
import { FakeClock } from '@listwatch/api/fake-clock';
import { createMemoryEngine, requireCommitted, type StorageEngine } from '@listwatch/storage';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ApiResponse } from '../contract/api-response.ts';
import type { ResourceCall, VerbContext } from '../contract/verb.ts';
import { configMap, pod } from '../kinds/built-in-definitions.fixture.ts';
import { layoutOf } from '../stored/stored-object.ts';
import { type StorageCaches, storageCaches } from '../watch/cache-set.ts';
import { callOf, JSON_FORM, verbContext } from '../write/verb.fixture.ts';
import { listVerb } from './list.ts';
import { originOf } from './read-origin.fixture.ts';

interface List {
  readonly kind: string;
  readonly metadata: {
    readonly resourceVersion: string;
    readonly continue?: string;
    readonly remainingItemCount?: number;
  };
  readonly items: readonly { readonly metadata: { readonly name: string } }[];
}

let engine: StorageEngine;
let caches: StorageCaches;
let clock: FakeClock;
let context: VerbContext;
/** The revisions of a, b, c, d, e in namespace x. */
let revisions: bigint[];

beforeEach(async () => {
  engine = createMemoryEngine();
  clock = new FakeClock();
  caches = storageCaches({
    engine,
    definitions: [configMap, pod],
    clock,
    window: () => ({ minCapacity: 10, maxCapacity: 10 }),
  });
  context = verbContext(engine, clock);
  await caches.feed.start();
  revisions = [];
  for (const name of ['a', 'b', 'c', 'd', 'e']) revisions.push(await put('x', name));
});

afterEach(async () => {
  await caches.feed.stop();
  await engine.close();
});

async function put(namespace: string, name: string, labels: Record<string, string> = {}, data = '1'): Promise<bigint> {
  const { cache } = caches.kind(configMap);
  const value = layoutOf(cache.definition).encode({
    ...cache.layout.type,
    metadata: { name, namespace, labels },
    data: { data },
  });
  const key = `${cache.root}${namespace}/${name}`;
  return requireCommitted(await engine.commit({ type: 'put', key, value }), key);
}

function call(query: string, path = '/api/v1/namespaces/x/configmaps', form = JSON_FORM): ResourceCall {
  return callOf(configMap, path, query, form);
}

async function bodyOf(response: ApiResponse): Promise<string> {
  if (response.type === 'bytes') return response.body.toString();
  if (response.type !== 'stream') throw new Error(`a list does not answer with a ${response.type}`);
  const parts: Buffer[] = [];
  for await (const chunk of response.chunks) parts.push(Buffer.from(chunk));
  return Buffer.concat(parts).toString();
}

async function list(query = '', path?: string): Promise<List> {
  const body = await bodyOf(await listVerb(caches, originOf(context))(context, call(query, path)));
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a list of another shape fails the test
  return JSON.parse(body) as List;
}

function names({ items }: List): string {
  return items.map((item) => item.metadata.name).join('');
}

/** The Status that a list is refused with. */
async function refused(query: string): Promise<object> {
  const error: unknown = await listVerb(caches, originOf(context))(context, call(query)).then(
    () => new Error(`${query} was not refused`),
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof Error) || !('status' in error) || typeof error.status !== 'object') throw error;
  return error.status ?? {};
}

describe('LIST', () => {
  it('is a list of the kind, with items that leave kind and apiVersion out', async () => {
    const body = await bodyOf(await listVerb(caches, originOf(context))(context, call('limit=1')));
    expect(body).toMatch(
      /^\{"kind":"ConfigMapList","apiVersion":"v1","metadata":\{"resourceVersion":"\d+","continue":"/,
    );
    expect(body).toContain('"items":[{"metadata":{"resourceVersion":');
    expect(body.endsWith(']}\n')).toBe(true);
    expect(body).not.toContain('"kind":"ConfigMap",');
  });

  it('without a version shows what was committed before it was asked for', async () => {
    const revision = await put('x', 'f');
    const answer = await list();
    expect(names(answer)).toBe('abcdef');
    expect(answer.metadata.resourceVersion).toBe(String(revision));
  });

  it('shows one namespace, or all of them in the order of their keys', async () => {
    await put('w', 'z');
    expect(names(await list())).toBe('abcde');
    expect(names(await list('', '/api/v1/configmaps'))).toBe('zabcde');
  });

  it('of nothing has an empty array of items', async () => {
    const body = await bodyOf(
      await listVerb(caches, originOf(context))(context, call('', '/api/v1/namespaces/none/configmaps')),
    );
    expect(body).toContain('"items":[]');
  });

  it('selects by labels, by fields and by name', async () => {
    await put('x', 'w1', { app: 'web' });
    expect(names(await list('labelSelector=app%3Dweb'))).toBe('w1');
    expect(names(await list('labelSelector=!app'))).toBe('abcde');
    expect(names(await list('fieldSelector=metadata.name%3Dc'))).toBe('c');
    expect(names(await list('fieldSelector=metadata.name!%3Dc', '/api/v1/configmaps'))).toBe('abdew1');
  });

  it('a large one is streamed, and is the same list', async () => {
    for (let i = 0; i < 30; i += 1) await put('big', `n${String(i).padStart(2, '0')}`, {}, 'ä'.repeat(5000));
    const response = await listVerb(caches, originOf(context))(context, call('', '/api/v1/namespaces/big/configmaps'));
    expect(response.type).toBe('stream');
    const body = await bodyOf(response);
    expect(response.type === 'stream' && response.headers['content-length']).toBe(String(Buffer.byteLength(body)));
    const whole: unknown = JSON.parse(body);
    expect(whole).toHaveProperty('items.length', 30);
    expect(whole).toHaveProperty('items.29.data.data', 'ä'.repeat(5000));
  });
});

describe('which state a LIST shows', () => {
  it('"0": what the cache has, and the limit does not count', async () => {
    const answer = await list('resourceVersion=0&limit=2');
    expect(names(answer)).toBe('abcde');
    expect(answer.metadata.continue).toBeUndefined();
    expect(names(await list('resourceVersion=00&limit=2'))).toBe('ab');
  });

  it('a version with Exact, or with a limit and no match: exactly that state, under that version', async () => {
    const third = String(revisions[2]);
    for (const query of [`resourceVersion=${third}&resourceVersionMatch=Exact`, `resourceVersion=${third}&limit=10`]) {
      const answer = await list(query);
      expect([names(answer), answer.metadata.resourceVersion]).toEqual(['abc', third]);
    }
  });

  it('a version without a match, or with NotOlderThan: that state or a newer one', async () => {
    const third = String(revisions[2]);
    for (const query of [
      `resourceVersion=${third}`,
      `resourceVersion=${third}&resourceVersionMatch=NotOlderThan&limit=9`,
    ]) {
      expect(names(await list(query))).toBe('abcde');
    }
  });

  it('a version that left the memory is read from the store; one that the store forgot is 410', async () => {
    for (let i = 0; i < 40; i += 1) await put('x', 'busy', {}, String(i));
    const third = String(revisions[2]);
    expect(caches.kind(configMap).cache.requireReady().window.oldestStart).toBeGreaterThan(revisions[2] ?? 0n);
    expect(names(await list(`resourceVersion=${third}&resourceVersionMatch=Exact`))).toBe('abc');
    await engine.compact(await engine.revision());
    expect(await refused(`resourceVersion=${third}&resourceVersionMatch=Exact`)).toMatchObject({
      code: 410,
      reason: 'Expired',
      message: 'The resourceVersion for the provided list is too old.',
    });
  });

  it('a version from the future is waited for, and after three seconds is 504', async () => {
    const next = (await engine.revision()) + 1n;
    const waiting = list(`resourceVersion=${next}`);
    await put('x', 'f');
    expect(names(await waiting)).toBe('abcdef');
    const late = refused(`resourceVersion=${next + 100n}`);
    await clock.advance(3000);
    expect(await late).toMatchObject({
      code: 504,
      reason: 'Timeout',
      message: `Timeout: Too large resource version: ${next + 100n}, current: ${next}`,
    });
  });

  it('a version that is none is 400', async () => {
    expect(await refused('resourceVersion=abc')).toMatchObject({ code: 400, reason: 'BadRequest' });
  });
});

describe('pages of a LIST', () => {
  it('show one state from the first to the last, whatever happens in between, and say how much remains', async () => {
    const first = await list('limit=2');
    expect([names(first), first.metadata.remainingItemCount]).toEqual(['ab', 3]);
    await put('x', 'bb');
    await engine.commit({ type: 'delete', key: '/registry/configmaps/x/d' });
    const second = await list(`limit=2&continue=${first.metadata.continue}`);
    expect([names(second), second.metadata.remainingItemCount]).toEqual(['cd', 1]);
    expect(second.metadata.resourceVersion).toBe(first.metadata.resourceVersion);
    const third = await list(`limit=2&continue=${second.metadata.continue}`);
    expect([names(third), third.metadata.continue, third.metadata.remainingItemCount]).toEqual([
      'e',
      undefined,
      undefined,
    ]);
  });

  it('the token is Kubernetes’ own: the version and the key behind the last one', async () => {
    const { metadata } = await list('limit=2');
    expect(decodeContinueToken(metadata.continue ?? '')).toEqual({
      revision: BigInt(metadata.resourceVersion),
      start: 'b\0',
    });
  });

  it('with a selector do not say how much remains', async () => {
    for (const name of ['s1', 's2', 's3']) await put('x', name, { s: '1' });
    const page = await list('limit=2&labelSelector=s');
    expect([names(page), page.metadata.remainingItemCount]).toEqual(['s1s2', undefined]);
    expect(names(await list(`limit=2&labelSelector=s&continue=${page.metadata.continue}`))).toBe('s3');
  });

  it('go on from the store when the memory has moved on; a token that the store forgot is 410 with a new one', async () => {
    const first = await list('limit=2');
    for (let i = 0; i < 200; i += 1) {
      await put('x', 'busy', {}, String(i));
      await list('limit=1');
    }
    expect(names(await list(`limit=9&continue=${first.metadata.continue}`))).toBe('cde');
    const [expired] = [await list('limit=2')];
    for (let i = 0; i < 200; i += 1) {
      await put('x', 'busy', {}, String(i));
      await list('limit=1');
    }
    await engine.compact(await engine.revision());
    const status = await refused(`continue=${expired?.metadata.continue}`);
    expect(status).toMatchObject({ code: 410, reason: 'Expired' });
    const fresh = 'metadata' in status && JSON.stringify(status.metadata);
    const token = /"continue":"([^"]+)"/.exec(fresh || '')?.[1] ?? '';
    expect(decodeContinueToken(token)).toEqual({ revision: undefined, start: 'b\0' });
    expect(names(await list(`continue=${token}`))).toBe('busycde');
  });

  it('a token and a version exclude each other', async () => {
    const { metadata } = await list('limit=2');
    for (const version of ['5', '00', 'abc']) {
      expect(await refused(`continue=${metadata.continue}&resourceVersion=${version}`)).toMatchObject({
        code: 400,
        message: 'specifying resource version is not allowed when using continue',
      });
    }
  });
});

describe('a LIST while the cache is being filled', () => {
  beforeEach(() => caches.kind(configMap).cache.lose('no connection'));

  it('of a page without a selector is read from the store, at the version that was asked for', async () => {
    const first = await list('limit=2');
    expect([names(first), first.metadata.remainingItemCount]).toEqual(['ab', 3]);
    expect(names(await list(`limit=2&continue=${first.metadata.continue}`))).toBe('cd');
    expect(names(await list('limit=2&resourceVersion=0')), 'the store pages what the cache would not').toBe('ab');
    expect(names(await list(`limit=9&resourceVersion=${revisions[2]}`))).toBe('abc');
    const notOlder = `limit=9&resourceVersionMatch=NotOlderThan&resourceVersion=`;
    expect(names(await list(`${notOlder}${revisions[2]}`))).toBe('abcde');
    expect(await refused(`${notOlder}${(revisions[4] ?? 0n) + 1n}`)).toMatchObject({ code: 504, reason: 'Timeout' });
  });

  it.each(['', 'resourceVersion=0', 'limit=2&labelSelector=a', 'limit=2&fieldSelector=metadata.namespace!=y'])(
    'of %j is 429',
    async (query) => {
      expect(await refused(query)).toMatchObject({ code: 429, reason: 'TooManyRequests' });
    },
  );

  it('is 429 when the server stops', async () => {
    caches.kind(configMap).cache.stop();
    expect(await refused('limit=2')).toMatchObject({ code: 429 });
  });
});

describe('forms of a LIST', () => {
  it('a Table has the columns, and one row for each object with its metadata', async () => {
    const response = await listVerb(caches, originOf(context))(
      context,
      call('limit=1', undefined, { ...JSON_FORM, as: 'table' }),
    );
    expect(JSON.parse(await bodyOf(response))).toMatchObject({
      kind: 'Table',
      apiVersion: 'meta.k8s.io/v1',
      columnDefinitions: [{ name: 'Name' }, { name: 'Data' }, { name: 'Age' }],
      rows: [
        { cells: ['a', 1, expect.any(String)], object: { kind: 'PartialObjectMetadata', metadata: { name: 'a' } } },
      ],
    });
  });

  it('metadata only has the metadata, and no data', async () => {
    const response = await listVerb(caches, originOf(context))(
      context,
      call('limit=1', undefined, { ...JSON_FORM, as: 'metadata' }),
    );
    const answer: unknown = JSON.parse(await bodyOf(response));
    expect(answer).toMatchObject({ kind: 'PartialObjectMetadataList', apiVersion: 'meta.k8s.io/v1' });
    expect(answer).toHaveProperty('items.0.kind', 'PartialObjectMetadata');
    expect(answer).not.toHaveProperty('items.0.data');
  });

  it('YAML, its keys in order as Kubernetes writes them, and indented JSON', async () => {
    const yaml = await bodyOf(
      await listVerb(caches, originOf(context))(
        context,
        call('', undefined, { ...JSON_FORM, mediaType: 'application/yaml' }),
      ),
    );
    expect(yaml).toMatch(
      /^apiVersion: v1\nitems:\n- [^]*\nkind: ConfigMapList\nmetadata:\n {2}resourceVersion: "\d+"\n$/,
    );
    const pretty = await bodyOf(
      await listVerb(caches, originOf(context))(context, call('', undefined, { ...JSON_FORM, pretty: true })),
    );
    expect(pretty).toMatch(/^\{\n {2}"kind": "ConfigMapList"/);
  });
});

it('an old state of a namespace, or behind a token, that no key can have is empty', async () => {
  // Out of the window, so that the store is asked.
  for (let round = 0; round < 30; round++) await put('x', 'busy', {}, String(round));
  const token = encodeContinueToken({ revision: revisions[4], start: 'a\0' });
  expect(names(await list(`limit=9&continue=${token}`))).toBe('bcde');
  expect(names(await list(`limit=9&continue=${token}`, '/api/v1/namespaces/%00/configmaps'))).toBe('');
  const half = encodeContinueToken({ revision: revisions[4], start: '\ud800' });
  expect(names(await list(`limit=9&continue=${half}`))).toBe('');
});
