import { once } from 'node:events';
import { createServer } from 'node:http';
import { startTestServer } from '@listwatch/testing';
import { expect, it } from 'vitest';
import { clusterDoor } from '../src/cluster-door.ts';

it('the door passes on what the page reads, and nothing else', async () => {
  await using env = await startTestServer();
  const door = clusterDoor(env.cluster);
  const server = createServer((request, response) => {
    if (!door(request, response)) response.end('page');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const url = typeof address === 'object' ? `http://127.0.0.1:${address?.port}` : '';
  try {
    const read = await fetch(`${url}/cluster/apis/apps/v1/deployments?limit=5`);
    expect(await read.json()).toMatchObject({ kind: 'DeploymentList' });
    expect((await fetch(`${url}/cluster/apis/apps/v1/deployments`, { method: 'POST' })).status).toBe(405);
    for (const path of ['api/v1/secrets', 'apis/apps/v1/deployments/a/status', 'debug/overview'])
      expect((await fetch(`${url}/cluster/${path}`)).status).toBe(403);
    expect(await (await fetch(url)).text()).toBe('page');
  } finally {
    server.close();
    server.closeAllConnections();
  }
});
