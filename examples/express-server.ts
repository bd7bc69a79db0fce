/**
 * The API of a cluster inside an Express application, below /cluster, for the users of that application.
 *
 *     npm run -s example examples/express-server.ts
 */

import { once } from 'node:events';
import { createServer } from 'node:http';
import { resource } from '@listwatch/api';
import { connect } from '@listwatch/client';
import { createApiServer } from '@listwatch/server';
import { createMemoryEngine } from '@listwatch/storage';
import express, { type Request } from 'express';

await using engine = createMemoryEngine();
await using server = createApiServer({ engine });
await server.start(); // no port, no certificate: those are Express'

/** Stands for the login of your application: a session cookie, a token, a header of a proxy. */
const sessions = new Map([['Bearer session-1', { name: 'ann', groups: ['system:masters'] }]]);

const app = express();
// Before body parsers: the API reads its own bodies.
app.use(
  '/cluster',
  server.requestListener<Request>({ user: (request) => sessions.get(request.get('authorization') ?? '') }),
);
app.use(express.json());
app.get('/', (_request, response) => void response.send('the rest of the application'));

const host = createServer(app).listen(0, '127.0.0.1');
await once(host, 'listening');
const address = host.address();
const port = typeof address === 'object' ? address?.port : undefined;

const configMaps = resource({ version: 'v1', plural: 'configmaps', kind: 'ConfigMap', namespaced: true });
{
  await using cluster = await connect({ server: `http://127.0.0.1:${port}/cluster`, token: 'session-1' });
  await cluster.create(configMaps, { metadata: { name: 'hello', namespace: 'default' } });
  for await (const event of cluster.watch(configMaps, { resourceVersion: '0' })) {
    console.log(event.type, event.type === 'ADDED' ? event.object.metadata.name : '');
    break;
  }
}
host.close();
