/** Paging: one state from the first page to the last, and what its tokens are worth. */

import { expect } from 'vitest';
import type { ServerSection } from './server-suite.ts';
import { expectStatus, FORGOTTEN_VERSION } from './server-test.ts';

const NAMES = ['a', 'b', 'c', 'd', 'e'] as const;

export const pageCases: ServerSection = {
  title: 'pages of a LIST',
  cases: [
    {
      title: 'pages show one state whatever is written in between, and say how many objects remain',
      run: async (test) => {
        await test.addAll(NAMES);
        const first = await test.list({ limit: 2 });
        expect([first.names, first.document.metadata.remainingItemCount]).toEqual([['a', 'b'], 3]);
        await test.add('bb');
        await test.remove('d');
        await test.set('c', { value: 'new' });
        const second = await test.list({ limit: 2, continue: first.document.metadata.continue });
        expect([second.names, second.document.metadata.remainingItemCount]).toEqual([['c', 'd'], 1]);
        expect(second.version).toBe(first.version);
        const third = await test.list({ limit: 2, continue: second.document.metadata.continue });
        expect([third.names, third.version]).toEqual([['e'], first.version]);
        expect(third.document.metadata).not.toHaveProperty('continue');
        expect(third.document.metadata).not.toHaveProperty('remainingItemCount');
      },
    },
    {
      title: 'a token may be used twice, with another limit and with version 0',
      run: async (test) => {
        await test.addAll(NAMES);
        const { metadata } = (await test.list({ limit: 1 })).document;
        for (const query of [{ limit: 9 }, { resourceVersion: 0 }, {}]) {
          const rest = await test.list({ ...query, continue: metadata.continue });
          expect([rest.names, rest.version]).toEqual([['b', 'c', 'd', 'e'], metadata.resourceVersion]);
        }
      },
    },
    {
      title: 'a limit that just fits leaves no token',
      run: async (test) => {
        await test.addAll(NAMES);
        const { metadata } = (await test.list({ limit: NAMES.length })).document;
        expect([metadata.continue, metadata.remainingItemCount]).toEqual([undefined, undefined]);
      },
    },
    {
      title: 'the token is base64 JSON with the version of the list and the key behind the last object',
      run: async (test) => {
        await test.addAll(NAMES);
        const { metadata } = (await test.list({ limit: 2 })).document;
        const token: unknown = JSON.parse(Buffer.from(metadata.continue ?? '', 'base64url').toString());
        expect(token).toEqual({
          v: 'meta.k8s.io/v1',
          rv: Number(metadata.resourceVersion),
          start: expect.stringMatching(/^\/?b\0$/u),
        });
      },
    },
    {
      title: 'pages with a selector hold as many selected objects as fit, and do not say how many remain',
      run: async (test) => {
        for (const [index, name] of NAMES.entries()) await test.add(name, { labels: { odd: String(index % 2) } });
        const first = await test.list({ limit: 2, labelSelector: 'odd=0' });
        expect(first.names).toEqual(['a', 'c']);
        expect(first.document.metadata).not.toHaveProperty('remainingItemCount');
        const next = { limit: 2, labelSelector: 'odd=0', continue: first.document.metadata.continue };
        expect((await test.list(next)).names).toEqual(['e']);
      },
    },
    {
      title: 'a token that says "at the newest state" goes on there',
      run: async (test) => {
        await test.addAll(NAMES);
        await test.remove('d');
        const token = continueToken({ v: 'meta.k8s.io/v1', rv: -1, start: 'b\0' });
        const rest = await test.list({ continue: token });
        expect(rest.names).toEqual(['c', 'e']);
      },
    },
    {
      title: 'a token of a forgotten state is 410 and brings one that goes on at the newest',
      run: async (test) => {
        await test.addAll(NAMES);
        const token = continueToken({ v: 'meta.k8s.io/v1', rv: Number(FORGOTTEN_VERSION), start: 'b\0' });
        const { document } = expectStatus(await test.client.get(test.secrets, { continue: token, limit: 2 }), 410);
        expect(document.reason).toBe('Expired');
        expect(document.message).toMatch(/^The provided continue parameter is too old to display a consistent list/u);
        expect(JSON.parse(Buffer.from(document.metadata.continue ?? '', 'base64url').toString())).toEqual({
          v: 'meta.k8s.io/v1',
          rv: -1,
          start: expect.stringMatching(/^\/?b\0$/u),
        });
        expect((await test.list({ continue: document.metadata.continue })).names).toEqual(['c', 'd', 'e']);
      },
    },
    {
      title: 'a token together with a version is 400, be it one or not',
      run: async (test) => {
        await test.addAll(NAMES);
        const { metadata } = (await test.list({ limit: 2 })).document;
        for (const resourceVersion of [metadata.resourceVersion, '00', 'abc', '-1']) {
          const query = { continue: metadata.continue, resourceVersion };
          const { document } = expectStatus(await test.client.get(test.secrets, query), 400);
          expect(document.message).toBe('specifying resource version is not allowed when using continue');
        }
      },
    },
    {
      title: 'a token together with the version 0 brings all that is left, whatever the limit',
      run: async (test) => {
        await test.addAll(NAMES);
        const { metadata } = (await test.list({ limit: 2 })).document;
        const rest = await test.list({ limit: 1, continue: metadata.continue, resourceVersion: 0 });
        expect(rest.document.items?.map((item) => item.metadata.name)).toEqual(NAMES.slice(2));
        expect(rest.document.metadata.continue ?? '').toBe('');
      },
    },
    {
      title: 'a token that is none, of another version, without a state or with dots in its key is 400',
      run: async (test) => {
        const refused = {
          '*': /^invalid continue token: continue key is not valid: /u,
          [continueToken({ v: 'v9', rv: 5, start: 'a' })]: /server does not recognize this encoded version v9/u,
          [continueToken({ v: 'meta.k8s.io/v1', start: 'a' })]: /incorrect encoded start resourceVersion/u,
          [continueToken({ v: 'meta.k8s.io/v1', rv: 5 })]: /encoded start key empty/u,
          [continueToken({ v: 'meta.k8s.io/v1', rv: 5, start: '../../x' })]: /continue key is not valid: /u,
        };
        for (const [token, message] of Object.entries(refused)) {
          const { document } = expectStatus(await test.client.get(test.secrets, { continue: token }), 400);
          expect(document.message).toMatch(message);
        }
      },
    },
  ],
};

function continueToken(parts: { readonly v: string; readonly rv?: number; readonly start?: string }): string {
  return Buffer.from(JSON.stringify(parts)).toString('base64url');
}
