/** A server on a store that is older than the server: some of its past is in the history, some is forgotten. */

import { ApiClient, type ConnectedServer } from '@listwatch/conformance/server';
import type { StorageEngine } from '@listwatch/storage';
import { startTestServer } from './test-server.ts';

const NAMESPACE = 'past';
/** A kind that no case of the suite writes: a quiet one. */
const TEMPLATES = `/api/v1/namespaces/${NAMESPACE}/podtemplates`;

/** Starts it. Disposing of it ends the server and closes the engine. */
export async function startServerWithPast(engine: StorageEngine): Promise<ConnectedServer> {
  const { resourceVersion, events, names } = await writePast(engine);
  // Version 1 must be forgotten, the past must not be.
  await engine.compact(BigInt(resourceVersion) - 1n);
  const server = await startTestServer(engine);
  return {
    url: server.url,
    token: server.token,
    ca: server.ca,
    past: { collection: TEMPLATES, resourceVersion, events, names },
    [Symbol.asyncDispose]: async () => {
      await server[Symbol.asyncDispose]();
      await engine.close();
    },
  };
}

/** What a server before this one wrote: its successor has none of it in memory. */
async function writePast(engine: StorageEngine): Promise<Omit<NonNullable<ConnectedServer['past']>, 'collection'>> {
  await using server = await startTestServer(engine);
  const client = new ApiClient(server);
  const write = async (method: string, path: string, body?: unknown): Promise<string> => {
    const answer = await client.request(method, path, { body });
    if (answer.status > 201) throw new Error(`${method} ${path}: ${answer.text}`);
    return answer.version;
  };
  await write('POST', '/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: NAMESPACE } });
  await write('POST', TEMPLATES, template('a'));
  const resourceVersion = await write('POST', TEMPLATES, template('b'));
  await write('POST', TEMPLATES, template('c'));
  await write('DELETE', `${TEMPLATES}/a`);
  // The last change is of another kind: what the templates went through does not reach to the newest version.
  const other = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'last' } };
  await write('POST', `/api/v1/namespaces/${NAMESPACE}/configmaps`, other);
  client.close();
  return { resourceVersion, names: ['a', 'b'], events: ['ADDED c', 'DELETED a'] };
}

function template(name: string): unknown {
  const spec = { containers: [{ name: 'c', image: 'i' }] };
  return { apiVersion: 'v1', kind: 'PodTemplate', metadata: { name }, template: { spec } };
}
