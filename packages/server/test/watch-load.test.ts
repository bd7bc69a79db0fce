import { describeWatchLoad } from '@listwatch/conformance/server';
import { openTemporaryStore } from './temporary-store.ts';
import { startTestServer } from './test-server.ts';

describeWatchLoad({
  name: 'lmdb',
  connect: async () => {
    const store = await openTemporaryStore();
    const server = await startTestServer(store.engine);
    return {
      url: server.url,
      token: server.token,
      ca: server.ca,
      engine: store.engine,
      startAnother: () => startTestServer(store.engine),
      [Symbol.asyncDispose]: async () => {
        await server[Symbol.asyncDispose]();
        await store[Symbol.asyncDispose]();
      },
    };
  },
});
