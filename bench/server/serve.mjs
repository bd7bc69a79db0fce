/**
 * The server under test as a process of its own: `serve.mjs memory|lmdb|etcd folder|endpoint,... cert key token port
 * [auditLevel auditLog]`. JavaScript, so that what was built runs without a compiler beside it, as it is shipped.
 */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createApiServer, firstAuthenticator, readAuditPolicy } from '@listwatch/server';
import { createMemoryEngine } from '@listwatch/storage';
import { createEtcdEngine } from '@listwatch/storage-etcd';
import { openLmdbEngine } from '@listwatch/storage-lmdb';

const [storage = '', place = '', cert = '', key = '', secret = '', port = '0', level, path = ''] =
  process.argv.slice(2);
const engine = await openEngine();
const server = createApiServer({
  engine,
  port: Number(port),
  tls: { cert: readFileSync(cert), key: readFileSync(key) },
  authenticator: firstAuthenticator([
    {
      authenticate: ({ token }) => (token === secret ? { name: 'bench', groups: ['system:masters'] } : undefined),
    },
  ]),
  audit: level && {
    policy: readAuditPolicy({ apiVersion: 'audit.k8s.io/v1', kind: 'Policy', rules: [{ level }] }),
    log: { path },
  },
  // A thousand informers shall need one connection; Kubernetes lets a client have 100 streams on it.
  maxConcurrentStreams: 2000,
  onError: (error) => console.error(error),
});
await server.listen();

function openEngine() {
  if (storage === 'lmdb') return openLmdbEngine({ path: join(place, 'store') });
  return storage === 'etcd'
    ? createEtcdEngine({ endpoints: place.split(','), root: '/registry' })
    : createMemoryEngine();
}

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
const forget = async () => {
  try {
    await engine.compact(await engine.revision());
  } catch (error) {
    // Nothing has changed since the last time: its past is gone already.
    if (error.code !== 'COMPACTED') throw error;
  }
  await server.forgetChanges();
};
process.on('message', (message) => {
  if (message === 'collect') {
    globalThis.gc?.();
    process.send?.({ type: 'collected', memory: process.memoryUsage() });
  }
  if (message === 'forget') void forget().then(() => process.send?.({ type: 'forgotten' }));
});
process.send?.({ type: 'ready', url: server.url });
