/**
 * The API of a cluster inside a Fastify application, below /cluster, for the users of that application.
 *
 *     npm run -s example examples/fastify-server.ts
 */

import { resource } from '@listwatch/api';
import { connect } from '@listwatch/client';
import { createApiServer } from '@listwatch/server';
import { createMemoryEngine } from '@listwatch/storage';
import Fastify from 'fastify';

await using engine = createMemoryEngine();
await using server = createApiServer({ engine });
await server.start(); // no port, no certificate: those are Fastify's

/** Stands for the login of your application: a session cookie, a token, a header of a proxy. */
const sessions = new Map([['Bearer session-1', { name: 'ann', groups: ['system:masters'] }]]);

const app = Fastify();
const listener = server.requestListener({
  prefix: '/cluster',
  user: (request) => sessions.get(request.headers.authorization ?? ''),
});
await app.register(async (scope) => {
  // The API reads its own bodies.
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('*', (_request, _body, done) => done(null));
  scope.all('/cluster/*', (request, reply) => {
    reply.hijack();
    listener(request.raw, reply.raw);
  });
});
app.get('/', () => 'the rest of the application');

const address = await app.listen({ port: 0, host: '127.0.0.1' });

const configMaps = resource({ version: 'v1', plural: 'configmaps', kind: 'ConfigMap', namespaced: true });
{
  await using cluster = await connect({ server: `${address}/cluster`, token: 'session-1' });
  await cluster.create(configMaps, { metadata: { name: 'hello', namespace: 'default' } });
  for await (const event of cluster.watch(configMaps, { resourceVersion: '0' })) {
    console.log(event.type, event.type === 'ADDED' ? event.object.metadata.name : '');
    break;
  }
}
await app.close();
