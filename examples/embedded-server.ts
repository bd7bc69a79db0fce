/**
 * An API server inside your own program: its own port, a certificate that the program makes, a user with a token.
 *
 *     npm run -s example examples/embedded-server.ts
 */

import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { resource } from '@listwatch/api';
import { connect } from '@listwatch/client';
import { createApiServer, firstAuthenticator, issueCertificate, tokenAuthenticator } from '@listwatch/server';
import { createMemoryEngine } from '@listwatch/storage';

/** Keep both keys in files with mode 0600 if the server is to be the same after a restart. */
function newKey(): KeyObject {
  return generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
}

const authority = { subject: { commonName: 'my-authority' }, key: newKey() };
const serverKey = newKey();
const times = { notBefore: new Date(Date.now() - 300_000), notAfter: new Date(Date.now() + 30 * 86_400_000) };
const caData = issueCertificate({ ...authority, use: { type: 'authority' }, issuer: authority, ...times });
const cert = issueCertificate({
  subject: { commonName: 'my-server' },
  use: { type: 'server', dnsNames: ['localhost'], ipAddresses: ['127.0.0.1'] },
  key: serverKey,
  issuer: authority,
  ...times,
});

const users = new Map([['s3cret', { name: 'ann', groups: ['system:masters'] }]]);
await using engine = createMemoryEngine(); // or openLmdbEngine, createEtcdEngine
await using server = createApiServer({
  engine,
  tls: { cert, key: serverKey.export({ type: 'pkcs8', format: 'pem' }) },
  authenticator: firstAuthenticator([tokenAuthenticator(users)]),
  port: 0, // any free port
});
await server.listen();

// Any Kubernetes client can connect now; this is ours.
const configMaps = resource({ version: 'v1', plural: 'configmaps', kind: 'ConfigMap', namespaced: true });
await using cluster = await connect({ server: server.url, token: 's3cret', caData });
await cluster.create(configMaps, { metadata: { name: 'hello', namespace: 'default' } });
const { items } = await cluster.list(configMaps, { namespace: 'default' });
console.log(`${new URL(server.url).protocol} ${items.length} config map: ${items[0]?.metadata.name}`);
