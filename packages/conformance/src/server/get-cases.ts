/** GET of one object. */

import { expect } from 'vitest';
import { PROTOCOLS } from './api-client.ts';
import type { ServerSection } from './server-suite.ts';
import { expectStatus, FUTURE_VERSION, valueOf } from './server-test.ts';

export const getCases: ServerSection = {
  title: 'GET',
  cases: [
    ...PROTOCOLS.map((protocol) => ({
      title: `a get over ${protocol} shows what was just written, with its kind and version`,
      run: async (test: Parameters<ServerSection['cases'][number]['run']>[0]) => {
        await test.add('a');
        const version = await test.set('a', { value: '2' });
        const { document } = expectStatus(await test.client.get(`${test.secrets}/a`, {}, { protocol }), 200);
        expect(document).toMatchObject({
          kind: 'Secret',
          apiVersion: 'v1',
          metadata: { name: 'a', namespace: test.namespace, resourceVersion: version },
        });
        expect(valueOf(document)).toBe('2');
      },
    })),
    {
      title: 'a get at a version shows that state or a newer one, at version 0 any',
      run: async (test) => {
        const first = await test.add('a');
        const second = await test.set('a', { value: '2' });
        for (const resourceVersion of [second, first]) {
          const answer = expectStatus(await test.client.get(`${test.secrets}/a`, { resourceVersion }), 200);
          expect(BigInt(answer.version)).toBeGreaterThanOrEqual(BigInt(resourceVersion));
        }
        expect((await test.client.get(`${test.secrets}/a`, { resourceVersion: 0 })).version).toBe(second);
      },
    },
    {
      title: 'a get at a version that is far ahead is 504',
      run: async (test) => {
        await test.add('a');
        const answer = await test.client.get(`${test.secrets}/a`, { resourceVersion: FUTURE_VERSION });
        expect([answer.status, answer.document.reason]).toEqual([504, 'Timeout']);
        expect(answer.document.message).toContain(`Too large resource version: ${FUTURE_VERSION}, current: `);
      },
    },
    {
      title: 'a get at a version that is none is 500 without a reason',
      run: async (test) => {
        await test.add('a');
        const { document } = expectStatus(await test.client.get(`${test.secrets}/a`, { resourceVersion: 'abc' }), 500);
        expect(document.reason ?? '').toBe('');
        expect(document.message).toContain('strconv.ParseUint: parsing "abc": invalid syntax');
      },
    },
    {
      title: 'a get of what is not there is 404 and names the resource and the name',
      run: async (test) => {
        for (const query of [{}, { resourceVersion: 0 }]) {
          const { document } = expectStatus(await test.client.get(`${test.secrets}/nope`, query), 404);
          expect(document).toMatchObject({
            kind: 'Status',
            apiVersion: 'v1',
            status: 'Failure',
            reason: 'NotFound',
            message: 'secrets "nope" not found',
            details: { name: 'nope', kind: 'secrets' },
            code: 404,
          });
        }
      },
    },
    {
      title: 'an object of a namespace is not found without its namespace, whatever is asked of it',
      run: async (test) => {
        await test.add('a');
        for (const method of ['GET', 'PUT', 'DELETE', 'POST'] as const) {
          const { document } = expectStatus(await test.client.request(method, '/api/v1/secrets/a'), 404);
          expect(document).toMatchObject({ message: 'the server could not find the requested resource', details: {} });
        }
      },
    },
    {
      title: 'HEAD is no method of resources, of the documents of a version and of the version of the server',
      run: async (test) => {
        await test.add('a');
        for (const path of [test.secrets, `${test.secrets}/a`, '/api/v1', '/apis/apps/v1', '/version']) {
          expect(`${path} ${(await test.client.request('HEAD', path)).status}`).toBe(`${path} 405`);
        }
        for (const path of ['/healthz', '/apis']) {
          expect(`${path} ${(await test.client.request('HEAD', path)).status}`).toBe(`${path} 200`);
        }
      },
    },
  ],
};
