/** What contests need to be there before they begin. */

import { create } from '../objects.ts';
import { withConnections } from '../open-connection.ts';
import type { Target } from '../target.ts';

const LIMIT_MS = 60_000;
const PAUSE_MS = 50;

/** Makes a namespace, unless it is there. */
export async function makeNamespace(target: Target, name: string): Promise<void> {
  const body = JSON.stringify({ kind: 'Namespace', apiVersion: 'v1', metadata: { name } });
  await withConnections(target, 'h1', 1, ([connection]) => create(connection, '/api/v1/namespaces', body));
}

/** Makes a CustomResourceDefinition, unless it is there, and waits until its objects can be listed. */
export async function makeDefinition(target: Target, definition: object, listPath: string): Promise<void> {
  const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
  await withConnections(target, 'h1', 1, async ([connection]) => {
    await create(connection, path, JSON.stringify(definition));
    const deadline = Date.now() + LIMIT_MS;
    while ((await connection?.ask({ path: listPath }))?.status !== 200) {
      if (Date.now() > deadline) throw new Error(`${listPath} is not served by ${target.name}`);
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  });
}
