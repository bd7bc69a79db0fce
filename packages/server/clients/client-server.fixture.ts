/** A server on a real TLS port for real clients, with what they need to reach it; no test itself, and not shipped. */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TestAuthority } from '@listwatch/conformance/parts';
import { createMemoryEngine } from '@listwatch/storage';
import { createApiServer, firstAuthenticator } from '../src/index.ts';

/** A running server. */
export interface ClientServer extends AsyncDisposable {
  readonly url: string;
  readonly token: string;
  /** PEM of the authority that signed the server's certificate. */
  readonly ca: string;
  /** The path of a kubeconfig for it. */
  readonly kubeconfig: string;
  /** An empty folder that goes away with the server. */
  readonly folder: string;
}

const TOKEN = 'client-token';

/** Starts one on a free port. */
export async function startClientServer(): Promise<ClientServer> {
  const folder = mkdtempSync(join(tmpdir(), 'listwatch-clients-'));
  using authority = new TestAuthority();
  const engine = createMemoryEngine();
  const server = createApiServer({
    engine,
    tls: authority.server(),
    authenticator: firstAuthenticator([
      { authenticate: ({ token }) => (token === TOKEN ? { name: 'tester', groups: ['system:masters'] } : undefined) },
    ]),
  });
  await server.listen();
  const kubeconfig = join(folder, 'kubeconfig');
  writeFileSync(kubeconfig, JSON.stringify(kubeconfigOf(server.url, authority.ca)));
  return {
    url: server.url,
    token: TOKEN,
    ca: authority.ca,
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

function kubeconfigOf(server: string, ca: string): object {
  return {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'test', cluster: { server, 'certificate-authority-data': Buffer.from(ca).toString('base64') } }],
    users: [{ name: 'tester', user: { token: TOKEN } }],
    contexts: [{ name: 'test', context: { cluster: 'test', user: 'tester' } }],
    'current-context': 'test',
  };
}
