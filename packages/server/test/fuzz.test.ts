import { describeFuzz } from '@listwatch/conformance/server';
import { createMemoryEngine } from '@listwatch/storage';
import { startTestServer } from './test-server.ts';

describeFuzz({
  name: 'memory',
  connect: async () => {
    const engine = createMemoryEngine();
    // A client that vanishes half-way through a handshake is let go by these limits: what is left after them is a leak.
    const limits = { handshakeTimeoutMs: 5000, headersTimeoutMs: 5000, idleTimeoutMs: 12_000 };
    const server = await startTestServer(engine, limits);
    return {
      url: server.url,
      token: server.token,
      ca: server.ca,
      unforeseen: server.unforeseen,
      openSockets: () => process.getActiveResourcesInfo().filter((kind) => kind === 'TCPSocketWrap').length,
      [Symbol.asyncDispose]: async () => {
        await server[Symbol.asyncDispose]();
        await engine.close();
      },
    };
  },
});
