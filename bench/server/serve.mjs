/**
 * The server under test as a process of its own: `serve.mjs memory|lmdb folder cert key token`. JavaScript, so that what
 * was built runs without a compiler beside it, as it is shipped.
 */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createApiServer, firstAuthenticator } from '@listwatch/server';
import { createMemoryEngine } from '@listwatch/storage';
import { openLmdbEngine } from '@listwatch/storage-lmdb';

const [storage = '', folder = '', cert = '', key = '', secret = ''] = process.argv.slice(2);
const engine = storage === 'lmdb' ? await openLmdbEngine({ path: join(folder, 'store') }) : createMemoryEngine();
const server = createApiServer({
  engine,
  tls: { cert: readFileSync(cert), key: readFileSync(key) },
  authenticator: firstAuthenticator([
    {
      authenticate: ({ token }) => (token === secret ? { name: 'bench', groups: ['system:masters'] } : undefined),
    },
  ]),
  onError: (error) => console.error(error),
});
await server.listen();

// A second `close` cuts off what is left: nobody here reads the end of a watch.
const stop = () => {
  void server.close();
  void server
    .close()
    .then(() => engine.close())
    .then(() => process.exit(0));
};
process.once('SIGTERM', stop);
// The bench has died: nobody would ever stop this process.
process.once('disconnect', stop);
process.on('message', (message) => {
  if (message !== 'collect') return;
  globalThis.gc?.();
  process.send?.({ type: 'collected' });
});
process.send?.({ type: 'ready', url: server.url });
