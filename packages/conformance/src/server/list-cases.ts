/** LIST: which state it shows for which resourceVersion, match and limit. */

import { gunzipSync } from 'node:zlib';
import { expect } from 'vitest';
import { PROTOCOLS } from './api-client.ts';
import { type ServerCase, type ServerSection, withoutHistory } from './server-suite.ts';
import { expectStatus, FORGOTTEN_VERSION, FUTURE_VERSION } from './server-test.ts';

const overProtocols: readonly ServerCase[] = PROTOCOLS.map((protocol) => ({
  title: `a list over ${protocol} shows every object in the order of names, at a version that covers them`,
  run: async (test) => {
    await test.addAll(['c', 'a']);
    const last = await test.add('b');
    const answer = await test.list({}, { protocol });
    expect(answer.names).toEqual(['a', 'b', 'c']);
    expect(answer.document).toMatchObject({ kind: 'SecretList', apiVersion: 'v1' });
    expect(BigInt(answer.version)).toBeGreaterThanOrEqual(BigInt(last));
    expect(answer.headers['content-type']).toBe('application/json');
    expect(answer.headers['cache-control']).toBe('no-cache, private');
    expect(answer.headers['audit-id']).toMatch(/\S/u);
  },
}));

export const listCases: ServerSection = {
  title: 'LIST',
  cases: [
    ...overProtocols,
    {
      title: 'items of a list have no kind and apiVersion of their own, an empty list has an empty array',
      run: async (test) => {
        expect((await test.list()).document.items).toEqual([]);
        await test.add('a');
        const [item] = (await test.list()).items;
        expect(item).not.toHaveProperty('kind');
        expect(item).not.toHaveProperty('apiVersion');
        expect(item?.metadata).toMatchObject({ name: 'a', namespace: test.namespace });
      },
    },
    {
      title: 'a list at version 0 takes any state and ignores the limit, with or without NotOlderThan',
      run: async (test) => {
        const [, , c = ''] = await test.addAll(['a', 'b', 'c']);
        // Any state may be an old one; after this the cache has seen c.
        await test.list({ resourceVersion: c });
        for (const match of [undefined, 'NotOlderThan']) {
          const answer = await test.list({ resourceVersion: 0, resourceVersionMatch: match, limit: 1 });
          expect(answer.names).toEqual(['a', 'b', 'c']);
          expect(answer.document.metadata.continue).toBeUndefined();
        }
      },
    },
    {
      title: 'a list at a version without a match shows that state or a newer one',
      run: async (test) => {
        const [a = '', b = ''] = await test.addAll(['a', 'b']);
        const answer = await test.list({ resourceVersion: b });
        expect(answer.names).toEqual(['a', 'b']);
        expect(BigInt(answer.version)).toBeGreaterThanOrEqual(BigInt(b));
        expect((await test.list({ resourceVersion: a })).names).toContain('a');
      },
    },
    {
      title: 'a list with Exact shows exactly that state, under exactly that version',
      run: async (test) => {
        const [a = '', b = ''] = await test.addAll(['a', 'b']);
        await test.set('a', { value: '2' });
        await test.remove('b');
        const atB = await test.list({ resourceVersion: b, resourceVersionMatch: 'Exact' });
        expect([atB.names, atB.version, atB.items[0]?.metadata.resourceVersion]).toEqual([['a', 'b'], b, a]);
        const atA = await test.list({ resourceVersion: a, resourceVersionMatch: 'Exact' });
        expect([atA.names, atA.version]).toEqual([['a'], a]);
      },
    },
    {
      title: 'a list at a version with a limit and no match is exact as well',
      run: async (test) => {
        const [a = '', b = ''] = await test.addAll(['a', 'b']);
        await test.add('c');
        const atB = await test.list({ resourceVersion: b, limit: 10 });
        expect([atB.names, atB.version]).toEqual([['a', 'b'], b]);
        const atA = await test.list({ resourceVersion: a, limit: 1 });
        expect([atA.names, atA.version, atA.document.metadata.continue]).toEqual([['a'], a, undefined]);
      },
    },
    {
      title: 'a list with NotOlderThan and a limit pages through the newest state',
      run: async (test) => {
        const [a = '', b = ''] = await test.addAll(['a', 'b']);
        await test.list({ resourceVersion: b });
        const page = await test.list({ resourceVersion: a, resourceVersionMatch: 'NotOlderThan', limit: 1 });
        expect(page.names).toEqual(['a']);
        expect(BigInt(page.version)).toBeGreaterThanOrEqual(BigInt(b));
        expect((await test.list({ limit: 1, continue: page.document.metadata.continue })).names).toEqual(['b']);
      },
    },
    {
      title: 'a list at a version that is far ahead is 504 with the cause ResourceVersionTooLarge',
      run: async (test) => {
        const answer = await test.client.get(test.secrets, { resourceVersion: FUTURE_VERSION });
        expect(answer.status).toBe(504);
        expect(answer.headers['retry-after']).toBe('1');
        expect(answer.document).toMatchObject({
          reason: 'Timeout',
          message: expect.stringMatching(`^Timeout: Too large resource version: ${FUTURE_VERSION}, current: \\d+$`),
          details: {
            causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }],
            retryAfterSeconds: 1,
          },
        });
      },
    },
    {
      title: 'a list at an exact version that is forgotten is 410 Expired',
      run: async (test) => {
        const query = { resourceVersion: FORGOTTEN_VERSION, resourceVersionMatch: 'Exact' };
        const { document } = expectStatus(await test.client.get(test.secrets, query), 410);
        expect(document).toMatchObject({
          reason: 'Expired',
          message: 'The resourceVersion for the provided list is too old.',
        });
      },
    },
    {
      title: 'a list at an exact version that left the memory but not the history is served',
      unless: withoutHistory,
      run: async (test) => {
        const { collection, resourceVersion, names } = test.requirePast();
        const answer = await test.client.get(collection, { resourceVersion, resourceVersionMatch: 'Exact' });
        expect([answer.status, answer.names, answer.version]).toEqual([200, names, resourceVersion]);
      },
    },
    {
      title: 'a list of all namespaces shows the objects of each, by namespace and name',
      run: async (test) => {
        await test.addAll(['b', 'a']);
        const { items } = expectStatus(await test.client.get('/api/v1/secrets'), 200);
        const own = items.filter(({ metadata }) => metadata.namespace === test.namespace);
        expect(own.map(({ metadata }) => metadata.name)).toEqual(['a', 'b']);
        const keys = items.map(({ metadata }) => `${metadata.namespace}/${metadata.name}`);
        expect(keys).toEqual(keys.toSorted((left, right) => Buffer.compare(Buffer.from(left), Buffer.from(right))));
      },
    },
    {
      title: 'label selectors of every kind select',
      run: async (test) => {
        await test.add('a', { labels: { app: 'web', tier: '1' } });
        await test.add('b', { labels: { app: 'db', tier: '5' } });
        await test.add('c');
        const selected = async (labelSelector: string): Promise<string> =>
          (await test.list({ labelSelector })).names.join('');
        expect(await selected('app=web')).toBe('a');
        expect(await selected('app==web')).toBe('a');
        expect(await selected('app!=web')).toBe('bc');
        expect(await selected('app in (web, db)')).toBe('ab');
        expect(await selected('app notin (web)')).toBe('bc');
        expect(await selected('app')).toBe('ab');
        expect(await selected('!app')).toBe('c');
        expect(await selected('tier>2')).toBe('b');
        expect(await selected('app,tier<2')).toBe('a');
      },
    },
    {
      title: 'field selectors select by name, and a list of one name that is not there is empty',
      run: async (test) => {
        await test.addAll(['a', 'b']);
        expect((await test.list({ fieldSelector: 'metadata.name=b' })).names).toEqual(['b']);
        expect((await test.list({ fieldSelector: 'metadata.name!=b' })).names).toEqual(['a']);
        expect((await test.list({ fieldSelector: 'type=Opaque' })).names).toEqual(['a', 'b']);
        expect((await test.list({ fieldSelector: 'metadata.name=zz' })).names).toEqual([]);
        expect((await test.list({ fieldSelector: 'metadata.name=a', labelSelector: 'none' })).names).toEqual([]);
      },
    },
    {
      title: 'a negative limit is no limit, and watch=false is a list',
      run: async (test) => {
        await test.addAll(['a', 'b']);
        expect((await test.list({ limit: -1 })).names).toEqual(['a', 'b']);
        for (const watch of ['0', 'false', 'FALSE']) expect((await test.list({ watch })).names).toEqual(['a', 'b']);
      },
    },
    {
      title: 'a list above 128 KiB is compressed for those who accept it, and only for them',
      run: async (test) => {
        const names = ['a', 'b', 'c', 'd'];
        for (const name of names) await test.add(name, { value: 'x'.repeat(48 * 1024) });
        const plain = await test.list();
        expect(plain.headers['content-encoding']).toBeUndefined();
        const zipped = await test.list({}, { headers: { 'accept-encoding': 'gzip' } });
        expect(zipped.headers['content-encoding']).toBe('gzip');
        expect(gunzipSync(zipped.bytes).toString()).toContain('"kind":"SecretList"');
        const small = await test.list({ fieldSelector: 'metadata.name=a' }, { headers: { 'accept-encoding': 'gzip' } });
        expect(small.headers['content-encoding']).toBeUndefined();
      },
    },
  ],
};
