import { describeFuzz } from '@listwatch/conformance/server';
import { createMemoryEngine } from '@listwatch/storage';
import { startTestServer } from './test-server.ts';

describeFuzz({
  name: 'memory',
  connect: async () => {
    const engine = createMemoryEngine();
    const server = await startTestServer(engine);
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
