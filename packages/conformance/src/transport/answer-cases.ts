/** Contract: what was answered arrives, whole and in order. */

import { expect } from 'vitest';
import { get, PLAIN, reader, rest, STREAM, sending } from './requests.ts';
import type { TransportSection } from './transport-suite.ts';

export const answerCases: TransportSection = {
  title: 'answers',
  cases: [
    {
      title: 'status, headers and body arrive as they were sent, and so did the request',
      run: async ({ transport, arrival }) => {
        const body = Buffer.from('{"a":"é"}');
        const headers = { 'content-type': 'application/json', 'x-mark': '7' };
        const response = sending(transport, { method: 'POST', path: '/plain?x=%2F', headers, body });
        const exchange = await arrival();
        expect(exchange).toMatchObject({ method: 'POST', path: '/plain?x=%2F' });
        expect(exchange.headers).toMatchObject(headers);
        expect(Buffer.from(exchange.body).toString()).toBe('{"a":"é"}');
        exchange.head(201, { 'x-answer': 'yes', warning: '299 - "old"' });
        void exchange.write('{"ok":true}');
        exchange.end();
        const answer = await response;
        expect(answer.status).toBe(201);
        expect(answer.headers).toMatchObject({ 'x-answer': 'yes', warning: '299 - "old"' });
        expect(await rest(answer)).toBe('{"ok":true}');
      },
    },
    {
      title: 'an answer with status 500 is an answer, and so is one without a body',
      run: async ({ transport, arrival }) => {
        for (const status of [500, 404, 204]) {
          const response = sending(transport, get(PLAIN));
          const exchange = await arrival();
          exchange.head(status);
          exchange.end();
          const answer = await response;
          expect(answer.status).toBe(status);
          expect(await rest(answer)).toBe('');
        }
      },
    },
    {
      title: 'a redirect is an answer: neither a write nor a read, nor their credentials, go where it leads',
      run: async ({ transport, server, arrival }) => {
        for (const method of ['POST', 'GET'] as const) {
          for (const status of [301, 302, 303, 307, 308]) {
            const headers = { authorization: 'Bearer secret' };
            const response = sending(transport, { method, path: '/plain', headers });
            const exchange = await arrival();
            exchange.head(status, { location: '/elsewhere' });
            exchange.end();
            const answer = await response;
            expect(answer).toMatchObject({ status, headers: { location: '/elsewhere' } });
            expect(await rest(answer)).toBe('');
          }
        }
        expect(server.exchanges.map(({ path }) => path)).not.toContain('/elsewhere');
      },
    },
    {
      title: 'headers arrive before the body, and each piece when it is written',
      run: async ({ transport, arrival }) => {
        const response = sending(transport, get(STREAM));
        const exchange = await arrival();
        exchange.head(200);
        const chunks = reader(await response);
        for (const piece of ['one\n', 'two\n']) {
          const next = chunks.next();
          await exchange.write(piece);
          expect(Buffer.from((await next).value ?? []).toString()).toBe(piece);
        }
        const last = chunks.next();
        exchange.end();
        expect(await last).toEqual({ done: true, value: undefined });
        expect(await chunks.next()).toEqual({ done: true, value: undefined });
      },
    },
    {
      title: 'a large body arrives byte for byte',
      run: async ({ transport, arrival }) => {
        const response = sending(transport, get(PLAIN));
        const exchange = await arrival();
        exchange.head(200);
        const written = (async () => {
          for (let i = 0; i < 200; i += 1) await exchange.write(Buffer.alloc(64 * 1024, i));
          exchange.end();
        })();
        let at = 0;
        for await (const chunk of (await response).body) {
          for (let i = 0; i < chunk.length; i += 4096) expect(chunk[i]).toBe(((at + i) >> 16) & 0xff);
          at += chunk.length;
        }
        await written;
        expect(at).toBe(200 * 64 * 1024);
      },
    },
    {
      title: 'a body is for one reader',
      run: async ({ transport, arrival }) => {
        const response = sending(transport, get(PLAIN));
        const exchange = await arrival();
        exchange.head(200);
        exchange.end();
        const answer = await response;
        await rest(answer);
        expect(() => reader(answer)).toThrow(TypeError);
      },
    },
    {
      title: 'fifty exchanges at once do not wait for each other',
      run: async ({ transport, arrival }) => {
        const responses = Array.from({ length: 50 }, (_, i) => sending(transport, get(`${STREAM}&i=${i}`)));
        const exchanges = [];
        for (const _ of responses) exchanges.push(await arrival());
        // The last one first: each must be open while the others are.
        for (const exchange of exchanges.toReversed()) {
          exchange.head(200);
          void exchange.write(exchange.path);
          exchange.end();
        }
        const texts = await Promise.all(responses.map(async (response) => rest(await response)));
        expect(texts).toEqual(responses.map((_, i) => `${STREAM}&i=${i}`));
      },
    },
    {
      title: 'a path below which the API stands is put before every path',
      run: async ({ server, connectTo, arrival }) => {
        const response = sending(connectTo(`${server.url}/clusters/a/`), get('/api?x=1'));
        const exchange = await arrival();
        expect(exchange.path).toBe('/clusters/a/api?x=1');
        exchange.head(200);
        exchange.end();
        await rest(await response);
      },
      unless: ({ protocol }) => (protocol === 'loopback' ? 'a loopback has no address' : undefined),
    },
  ],
};
