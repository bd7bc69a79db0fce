/** The process of the server: all its HTTP/1.1 doors, on the engine that the arguments name. Started by server-process.ts. */

import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TestAuthority } from '@listwatch/conformance/parts';
import { createApiServer } from '@listwatch/server';
import { createMemoryEngine, type StorageEngine } from '@listwatch/storage';
import { createEtcdEngine } from '@listwatch/storage-etcd';
import { openLmdbEngine } from '@listwatch/storage-lmdb';
import { openConsoleDoor } from '../../src/console/console-door.ts';
import { serverUpstream } from '../../src/console/console-upstream.ts';

const ADMIN = { name: 'admin', groups: ['system:masters'] };

const [, , engineName = 'memory', endpoint = ''] = process.argv;
const folder = mkdtempSync(join(tmpdir(), 'listwatch-kept-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
process.on('disconnect', () => process.exit(0));

async function openEngine(): Promise<StorageEngine> {
  if (engineName === 'lmdb') return openLmdbEngine({ path: folder });
  if (engineName === 'etcd') return createEtcdEngine({ endpoints: [endpoint] });
  return createMemoryEngine();
}

async function portOf(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new TypeError('no port');
  return address.port;
}

using authority = new TestAuthority();
const tls = authority.server();
const server = createApiServer({
  engine: await openEngine(),
  tls,
  insecurePort: 0,
  authenticator: { authenticate: () => ADMIN },
  // The loop must be busy after an answer. Without this a worker does the work, and no connection is cut, broken or not.
  largeWriteBytes: Infinity,
});
await server.listen();
const listener: RequestListener = server.requestListener({ user: () => ADMIN });
const page = {
  body: Buffer.from('<head></head>'),
  gzip: Buffer.alloc(0),
  contentType: 'text/html',
  etag: '"a"',
  immutable: false,
};
const door = await openConsoleDoor({
  address: '127.0.0.1',
  port: 0,
  upstream: serverUpstream(server, ADMIN),
  assets: () => new Map([['/console/', page]]),
  facts: { mode: 'server', serverUrl: server.url, user: ADMIN.name },
  access: 'write',
  secret: Buffer.alloc(32, 1),
  onError: () => {},
});

process.send?.({
  ca: authority.ca,
  urls: {
    'the TLS port': server.url,
    'the port without TLS': server.insecureUrl,
    'a host with TLS': `https://127.0.0.1:${await portOf(createTlsServer(tls, listener))}`,
    'a host without TLS': `http://127.0.0.1:${await portOf(createServer(listener))}`,
  },
  consoleLink: door.link(),
});
