/** Our server on any engine, with a certificate and a token, for the suites. */

import { TestAuthority } from '@listwatch/conformance/parts';
import type { ServerTarget } from '@listwatch/conformance/server';
import type { StorageEngine } from '@listwatch/storage';
import { tokenAuthenticator } from '../src/access/authenticator.ts';
import {
  type ApiServer,
  type ApiServerOptions,
  createApiServer,
  firstAuthenticator,
  parseTokenFile,
} from '../src/index.ts';

const TOKEN = 'conformance-token';
const TOKENS = `${TOKEN},conformance,1,"system:masters"\n`;

/** A server that listens. Disposing of it ends the server, not the engine. */
export interface TestServer extends ServerTarget, AsyncDisposable {
  readonly server: ApiServer;
  /** Failures that the server met and did not foresee: each one is a bug. */
  readonly unforeseen: readonly string[];
}

/** Starts our server on a free port of 127.0.0.1. */
export async function startTestServer(
  engine: StorageEngine,
  options: Partial<ApiServerOptions> = {},
): Promise<TestServer> {
  using authority = new TestAuthority();
  const tls = authority.server();
  const unforeseen: string[] = [];
  const server = createApiServer({
    engine,
    tls,
    authenticator: firstAuthenticator([tokenAuthenticator(parseTokenFile(TOKENS))]),
    onError: (error, { method, target }) => {
      unforeseen.push(`${method} ${target}: ${error instanceof Error ? error.stack : String(error)}`);
    },
    ...options,
  });
  await server.listen();
  return {
    server,
    unforeseen,
    url: server.url,
    token: TOKEN,
    ca: authority.ca,
    // The second call ends what the first one waits for: watches that a failed test left open.
    [Symbol.asyncDispose]: async () => {
      const closed = server.close();
      await server.close();
      await closed;
    },
  };
}
