/** WATCH: what it is about, what it refuses, and how it ends. */

import { expect } from 'vitest';
import { type QueryValues, WATCH_TRANSPORTS } from './api-client.ts';
import type { ServerCase, ServerSection } from './server-suite.ts';
import { expectStatus } from './server-test.ts';
import { eventText } from './watch-lines.ts';

const MATCH = 'resourceVersionMatch';

/** Refused by the rules of ListOptions. */
const forbidden: readonly (readonly [what: string, query: QueryValues, message: string])[] = [
  [
    'initial events and no match',
    { sendInitialEvents: true },
    `${MATCH}: Forbidden: sendInitialEvents requires setting ${MATCH} to NotOlderThan`,
  ],
  [
    'a match and no word about initial events',
    { [MATCH]: 'NotOlderThan', resourceVersion: 0 },
    `${MATCH}: Forbidden: ${MATCH} is forbidden for watch unless sendInitialEvents is provided`,
  ],
  [
    'Exact',
    { [MATCH]: 'Exact', sendInitialEvents: true },
    `${MATCH}: Unsupported value: "Exact": supported values: "NotOlderThan"`,
  ],
  [
    'a continue token and no version',
    { continue: 'x' },
    `${MATCH}: Forbidden: ${MATCH} is forbidden when continue is provided`,
  ],
];

const forbiddenCases: readonly ServerCase[] = forbidden.map(([what, query, message]) => ({
  title: `a watch with ${what} is 422`,
  run: async (test) => {
    const answer = await test.client.get(test.secrets, { watch: true, timeoutSeconds: 1, ...query });
    expect([answer.status, answer.document.reason]).toEqual([422, 'Invalid']);
    expect(answer.document.message).toContain(message);
  },
}));

const ends: readonly ServerCase[] = WATCH_TRANSPORTS.map((transport) => ({
  title: `a watch over ${transport} ends in good order after timeoutSeconds`,
  run: async (test) => {
    await test.add('a');
    const stream = await test.watch({ timeoutSeconds: 1 }, { transport });
    expect((await stream.untilEnd()).map(eventText)).toEqual(['ADDED a']);
    expect(stream.end).toEqual({ clean: true, code: transport === 'websocket' ? 1000 : undefined, rest: '' });
  },
}));

export const watchScopeCases: ServerSection = {
  title: 'WATCH: scope, refusals and end',
  cases: [
    ...forbiddenCases,
    ...ends,
    {
      title: 'a watch from a version that is none is 500 without a reason',
      run: async (test) => {
        const query = { watch: true, resourceVersion: 'abc', timeoutSeconds: 1 };
        const { document } = expectStatus(await test.client.get(test.secrets, query), 500);
        expect(document.reason ?? '').toBe('');
        expect(document.message).toContain('strconv.ParseUint: parsing "abc": invalid syntax');
      },
    },
    {
      title: 'a watch from a version ignores a continue token and a limit',
      run: async (test) => {
        const [a = ''] = await test.addAll(['a', 'b', 'c']);
        const stream = await test.watch({ resourceVersion: a, continue: 'x', limit: 1 });
        expect((await stream.take(2)).map(eventText)).toEqual(['ADDED b', 'ADDED c']);
      },
    },
    {
      title: 'an old /watch/ path knows no initial events: 422, as for a list',
      run: async (test) => {
        const path = test.secrets.replace('/api/v1/', '/api/v1/watch/');
        const answer = await test.client.get(path, { sendInitialEvents: true, timeoutSeconds: 1 });
        expect(answer.status).toBe(422);
        expect(answer.document.message).toContain('sendInitialEvents is forbidden for list');
      },
    },
    {
      title: 'the parameter watch is true for everything but 0 and false',
      run: async (test) => {
        await test.add('a');
        for (const watch of ['', '1', 'yes']) {
          const stream = await test.watch({ watch, timeoutSeconds: 1 });
          expect((await stream.take(1)).map(eventText)).toEqual(['ADDED a']);
        }
      },
    },
    {
      title: 'one object is watched by its name as a field, and another name in the path is 400',
      run: async (test) => {
        await test.addAll(['a', 'b']);
        const stream = await test.watch({ fieldSelector: 'metadata.name=a' });
        await test.set('b', { value: '2' });
        await test.set('a', { value: '2' });
        expect((await stream.take(2)).map(eventText)).toEqual(['ADDED a', 'MODIFIED a']);
        const path = `${test.secrets.replace('/api/v1/', '/api/v1/watch/')}/a`;
        const query = { watch: true, fieldSelector: 'metadata.name=b', timeoutSeconds: 1 };
        const { document } = expectStatus(await test.client.get(path, query), 400);
        expect(document.message).toBe("fieldSelector metadata.name doesn't match requested name");
      },
    },
    {
      title: 'one object is watched by an old /watch/ path, before it is there and after it is gone',
      run: async (test) => {
        await test.open();
        const path = `${test.secrets.replace('/api/v1/', '/api/v1/watch/')}/a`;
        const stream = await test.watch({ watch: undefined }, { path });
        await test.addAll(['b', 'a']);
        await test.remove('a');
        expect((await stream.take(2)).map(eventText)).toEqual(['ADDED a', 'DELETED a']);
      },
    },
    {
      title: 'watch=true on the path of one object is a plain GET',
      run: async (test) => {
        await test.addAll(['a', 'b']);
        const { status, document } = await test.client.get(`${test.secrets}/a`, { watch: true });
        expect([status, document.kind]).toEqual([200, 'Secret']);
      },
    },
    {
      title: 'a watch of all namespaces sees what a watch of one sees',
      run: async (test) => {
        const version = await test.add('a');
        const stream = await test.watch({ resourceVersion: version }, { path: '/api/v1/secrets' });
        await test.set('a', { value: '2' });
        await test.remove('a');
        const own: string[] = [];
        while (own.length < 2) {
          const event = await stream.next();
          if (event === undefined) break;
          if (event.object.metadata.namespace === test.namespace) own.push(eventText(event));
        }
        expect(own).toEqual(['MODIFIED a', 'DELETED a']);
      },
    },
    {
      title: 'the headers of a watch come before the first event',
      run: async (test) => {
        await test.open();
        const stream = await test.watch();
        expect(stream.headers['content-type']).toBe('application/json');
        expect(stream.headers['transfer-encoding']).toBe('chunked');
        expect(stream.headers['cache-control']).toBe('no-cache, private');
        expect(stream.headers).not.toHaveProperty('content-encoding');
        const overHttp2 = await test.watch({}, { transport: 'http/2' });
        expect(overHttp2.headers['content-type']).toBe('application/json');
      },
    },
    {
      title: 'a WebSocket needs an origin, has at most one subprotocol, and may carry its token in another',
      run: async (test) => {
        await test.add('a');
        const open = (headers: Readonly<Record<string, string | undefined>>): Promise<unknown> =>
          test.watch({}, { transport: 'websocket', headers });
        await expect(open({ origin: '' })).rejects.toThrow(/403/u);
        await expect(open({ 'sec-websocket-protocol': 'one, two' })).rejects.toThrow(/400/u);
        const token = Buffer.from(test.client.target.token).toString('base64url');
        const protocols = `base64url.bearer.authorization.k8s.io.${token}, base64.binary.k8s.io`;
        const headers = { authorization: undefined, 'sec-websocket-protocol': protocols };
        const stream = await test.watch({}, { transport: 'websocket', headers });
        expect((await stream.take(1)).map(eventText)).toEqual(['ADDED a']);
      },
    },
  ],
};
