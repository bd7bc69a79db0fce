import { describeTransport } from '@listwatch/conformance/transport';
import { Agent, fetch } from 'undici';
import { expect, it } from 'vitest';
import { createFetchTransport } from './fetch-transport.ts';

describeTransport({
  name: 'fetch',
  capabilities: { protocol: 'http/1.1', backPressure: true, ping: false },
  connect: ({ server, ca, clock }) => {
    // The global fetch of a process trusts what the process trusts; the same fetch, told to trust the test's authority.
    const dispatcher = new Agent({ connect: { ca: ca ?? '' } });
    const transport = createFetchTransport({
      server,
      clock,
      fetch: (url, init) => fetch(url, { ...init, dispatcher }),
    });
    return {
      name: transport.name,
      send: (request) => transport.send(request),
      close: async () => {
        await transport.close();
        await dispatcher.destroy();
      },
      [Symbol.asyncDispose]: () => transport.close(),
    };
  },
});

it('a redirect that a browser hides is PROTOCOL, and is never taken for an answer', async () => {
  const headers = new Headers();
  await using transport = createFetchTransport({
    server: 'https://test',
    fetch: async (_, { redirect }) => ({ status: redirect === 'manual' ? 0 : 200, headers, body: null }),
  });
  await expect(transport.send({ method: 'POST', path: '/api', headers: {} })).rejects.toMatchObject({
    code: 'PROTOCOL',
    message: expect.stringMatching(/^POST \/api was redirected: /u),
  });
});
