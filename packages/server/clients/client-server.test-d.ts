/** A server on a real TLS port for real clients, with what they need to reach it; no test itself, and not shipped. */

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createMemoryEngine } from '@listwatch/storage';
import { createApiServer, firstAuthenticator } from '../src/index.ts';

/** A running server. */
export interface ClientServer extends AsyncDisposable {
  readonly url: string;
  readonly token: string;
  /** PEM: the certificate of the server, which signed itself. */
  readonly certificate: string;
  /** The path of a kubeconfig for it. */
  readonly kubeconfig: string;
  /** An empty folder that goes away with the server. */
  readonly folder: string;
}

const TOKEN = 'client-token';

/** Starts one on a free port. */
export async function startClientServer(): Promise<ClientServer> {
  const folder = mkdtempSync(join(tmpdir(), 'listwatch-clients-'));
  const [cert, key] = [join(folder, 'server.crt'), join(folder, 'server.key')];
  const curve = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2'];
  const names = ['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1'];
  execFileSync('openssl', ['req', ...curve, ...names, '-keyout', key, '-out', cert], { stdio: 'pipe' });
  const engine = createMemoryEngine();
  const server = createApiServer({
    engine,
    tls: { cert: readFileSync(cert), key: readFileSync(key) },
    authenticator: firstAuthenticator([
      { authenticate: ({ token }) => (token === TOKEN ? { name: 'tester', groups: ['system:masters'] } : undefined) },
    ]),
  });
  await server.listen();
  const certificate = readFileSync(cert, 'utf8');
  const kubeconfig = join(folder, 'kubeconfig');
  writeFileSync(kubeconfig, JSON.stringify(kubeconfigOf(server.url, certificate)));
  return {
    url: server.url,
    token: TOKEN,
    certificate,
    kubeconfig,
    folder,
    async [Symbol.asyncDispose]() {
      // A second call cuts off the watches whose clients do not read their end.
      const closed = server.close();
      void server.close();
      await closed;
      await engine.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function kubeconfigOf(server: string, certificate: string): object {
  return {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [
      { name: 'test', cluster: { server, 'certificate-authority-data': Buffer.from(certificate).toString('base64') } },
    ],
    users: [{ name: 'tester', user: { token: TOKEN } }],
    contexts: [{ name: 'test', context: { cluster: 'test', user: 'tester' } }],
    'current-context': 'test',
  };
}
